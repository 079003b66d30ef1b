import Minting

/// An element of DER as a tree. Reading is lenient; writing uses DER's only form.
struct DERTree {
    enum Content {
        case primitive([UInt8])
        case constructed([DERTree])
        /// Elements inside an octet string or bit string, after a prefix of this string's own bytes.
        case encapsulated(prefix: [UInt8], [DERTree])
        /// Replaces the whole element by any bytes, valid or not.
        case raw([UInt8])
    }

    var tag: UInt8
    var content: Content

    /// Reads elements that fill the bytes; `nil` if they do not. Lengths are definite, in any number of
    /// bytes.
    ///
    /// - Parameter opensStrings: whether to look for elements inside strings too.
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

    /// The element with lengths in the fewest possible bytes.
    var encoded: [UInt8] {
        switch content {
        case .primitive(let bytes): DER.value(tag: tag, bytes)
        case .constructed(let children): DER.value(tag: tag, children.flatMap(\.encoded))
        case .encapsulated(let prefix, let children):
            DER.value(tag: tag, prefix + children.flatMap(\.encoded))
        case .raw(let bytes): bytes
        }
    }

    /// The elements inside, if there are any.
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

    /// The number of elements, including this one.
    var count: Int { children.reduce(1) { $0 + $1.count } }
}
