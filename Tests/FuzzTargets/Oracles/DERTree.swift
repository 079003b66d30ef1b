import Minting

/// An element of DER as a tree, read leniently and written in the one way that DER has.
struct DERTree {
    enum Content {
        case primitive([UInt8])
        case constructed([DERTree])
        /// Elements inside a string of octets or bits, behind so many bytes of its own.
        case encapsulated(prefix: [UInt8], [DERTree])
        /// In place of the whole element: bytes as they are, however wrong.
        case raw([UInt8])
    }

    var tag: UInt8
    var content: Content

    /// Reads elements that fill the bytes, with definite lengths in any number of bytes; `nil` if they do not.
    ///
    /// - Parameter opensStrings: whether elements are looked for in strings too.
    static func elements(
        _ bytes: ArraySlice<UInt8>, opensStrings: Bool = false, depth: Int = 0
    ) -> [DERTree]? {
        guard depth < 64 else { return nil }
        var elements: [DERTree] = []
        var rest = bytes
        while !rest.isEmpty {
            guard let (tag, contents, end) = header(rest) else { return nil }
            rest = rest[end...]
            elements.append(
                DERTree(tag: tag, content: Self.content(tag, contents, opensStrings, depth: depth)))
        }
        return elements
    }

    private static func header(_ bytes: ArraySlice<UInt8>) -> (UInt8, ArraySlice<UInt8>, end: Int)? {
        let start = bytes.startIndex
        guard bytes.count >= 2, bytes[start] & 0x1f != 0x1f else { return nil }
        var length = Int(bytes[start + 1])
        var content = start + 2
        if length >= 0x80 {
            let count = length - 0x80
            guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
            length = bytes[content..<content + count].reduce(0) { $0 << 8 | Int($1) }
            content += count
        }
        guard bytes.endIndex - content >= length else { return nil }
        return (bytes[start], bytes[content..<content + length], content + length)
    }

    private static func content(
        _ tag: UInt8, _ contents: ArraySlice<UInt8>, _ opensStrings: Bool, depth: Int
    ) -> Content {
        func elements(_ bytes: ArraySlice<UInt8>) -> [DERTree]? {
            Self.elements(bytes, opensStrings: opensStrings, depth: depth + 1)
        }
        if tag & 0x20 != 0, let children = elements(contents) { return .constructed(children) }
        let prefix = tag == 0x03 ? 1 : 0
        if opensStrings, tag == 0x03 || tag == 0x04, contents.count > prefix + 2,
            let children = elements(contents.dropFirst(prefix))
        {
            return .encapsulated(prefix: Array(contents.prefix(prefix)), children)
        }
        return .primitive(Array(contents))
    }

    /// The element with lengths in as few bytes as can be.
    var encoded: [UInt8] {
        switch content {
        case .primitive(let bytes): DER.value(tag: tag, bytes)
        case .constructed(let children): DER.value(tag: tag, children.flatMap(\.encoded))
        case .encapsulated(let prefix, let children):
            DER.value(tag: tag, prefix + children.flatMap(\.encoded))
        case .raw(let bytes): bytes
        }
    }

    /// What is inside, if anything is.
    var children: [DERTree] {
        get {
            switch content {
            case .constructed(let children), .encapsulated(_, let children): children
            case .primitive, .raw: []
            }
        }
        set {
            switch content {
            case .constructed: content = .constructed(newValue)
            case .encapsulated(let prefix, _): content = .encapsulated(prefix: prefix, newValue)
            case .primitive, .raw: break
            }
        }
    }

    /// How many elements there are, this one among them.
    var count: Int { children.reduce(1) { $0 + $1.count } }
}
