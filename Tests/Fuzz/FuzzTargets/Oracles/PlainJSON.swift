/// A second reader of JSON (RFC 8259), as simple as possible: a tree, by recursion. It shares no code with
/// `JSONReader`, and must agree with it on every text.
indirect enum PlainJSON: Equatable {
    struct Member: Equatable {
        var name: [UInt8]
        var value: PlainJSON
    }

    case object([Member])
    case array([PlainJSON])
    /// The string in UTF-8, with its escapes resolved.
    case string([UInt8])
    /// The number as it is written.
    case number([UInt8])
    case `true`
    case `false`
    case null

    /// The maximum nesting.
    static let maximumDepth = 128

    /// Reads a document; `nil` if the text is not one.
    init?(_ text: [UInt8]) {
        // Only strings can contain bytes beyond ASCII, so the whole text is checked at once.
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        var parser = PlainJSONParser(rest: text[...])
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipSpace()
        guard parser.rest.isEmpty else { return nil }
        self = value
    }

    /// The members with this name in an object; empty if it is not an object.
    func members(_ name: String) -> [PlainJSON] {
        guard case .object(let members) = self else { return [] }
        return members.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The string's bytes; `nil` if the value is not a string.
    var stringBytes: [UInt8]? { if case .string(let bytes) = self { bytes } else { nil } }

    /// Whether no object inside has two members with the same name.
    var hasUniqueNames: Bool {
        switch self {
        case .object(let members):
            Set(members.map(\.name)).count == members.count && members.allSatisfy(\.value.hasUniqueNames)
        case .array(let elements): elements.allSatisfy(\.hasUniqueNames)
        default: true
        }
    }

    /// The document without white space; escapes only where there must be one.
    var written: [UInt8] {
        switch self {
        case .object(let members):
            Self.list(members.map { Self.quoted($0.name) + [UInt8(ascii: ":")] + $0.value.written }, "{", "}")
        case .array(let elements): Self.list(elements.map(\.written), "[", "]")
        case .string(let bytes): Self.quoted(bytes)
        case .number(let digits): digits
        case .true: Array("true".utf8)
        case .false: Array("false".utf8)
        case .null: Array("null".utf8)
        }
    }

    private static func list(_ elements: [[UInt8]], _ opening: String, _ closing: String) -> [UInt8] {
        Array(opening.utf8) + Array(elements.joined(separator: [UInt8(ascii: ",")])) + Array(closing.utf8)
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8(ascii: "\"")]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: output += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: output.append(byte)
            }
        }
        return output + [UInt8(ascii: "\"")]
    }
}

private struct PlainJSONParser {
    var rest: ArraySlice<UInt8>

    mutating func skipSpace() { rest = rest.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) } }

    /// Removes these bytes from the beginning, if they are there.
    private mutating func take(_ text: StaticString) -> Bool {
        let expected = Array("\(text)".utf8)
        guard rest.starts(with: expected) else { return false }
        rest = rest.dropFirst(expected.count)
        return true
    }

    /// - Parameter depth: the number of open containers.
    mutating func value(depth: Int) -> PlainJSON? {
        skipSpace()
        if take("{") { return depth < PlainJSON.maximumDepth ? object(depth + 1) : nil }
        if take("[") { return depth < PlainJSON.maximumDepth ? array(depth + 1) : nil }
        if take("\"") { return string().map { .string($0) } }
        if take("true") { return .true }
        if take("false") { return .false }
        if take("null") { return .null }
        return number().map { .number($0) }
    }

    private mutating func object(_ depth: Int) -> PlainJSON? {
        var members: [PlainJSON.Member] = []
        skipSpace()
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard take("\""), let name = string() else { return nil }
            skipSpace()
            guard take(":"), let value = value(depth: depth) else { return nil }
            members.append(PlainJSON.Member(name: name, value: value))
            skipSpace()
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array(_ depth: Int) -> PlainJSON? {
        var elements: [PlainJSON] = []
        skipSpace()
        if take("]") { return .array([]) }
        repeat {
            guard let element = value(depth: depth) else { return nil }
            elements.append(element)
            skipSpace()
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    /// Reads the rest of a string, after its first quotation mark.
    private mutating func string() -> [UInt8]? {
        var units: [UInt16] = []
        var bytes: [UInt8] = []
        // Both halves of a surrogate pair must be in one run of escapes; otherwise the string is invalid.
        func flushed() -> Bool {
            guard !units.isEmpty else { return true }
            guard let text = String(validating: units, as: UTF16.self) else { return false }
            bytes += Array(text.utf8)
            units = []
            return true
        }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                guard let unit = escape() else { return nil }
                units.append(unit)
                continue
            }
            guard flushed(), byte >= 0x20 else { return nil }
            if byte == UInt8(ascii: "\"") { return bytes }
            bytes.append(byte)
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        guard let kind = rest.popFirst() else { return nil }
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(kind)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"): return codeUnit()
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt16? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ $0 < 0x80 && Character(UnicodeScalar($0)).isHexDigit })
        else { return nil }
        rest = rest.dropFirst(4)
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func number() -> [UInt8]? {
        let start = rest.startIndex
        let whole = rest
        _ = take("-")
        if !take("0"), !digits() { return nil }
        if take("."), !digits() { return nil }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if !digits() { return nil }
        }
        return Array(whole[start..<rest.startIndex])
    }

    /// Removes one digit or more.
    private mutating func digits() -> Bool {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count > 0
    }
}
