internal import WireFormats

/// A JSON document in memory, with its members in their order and its numbers as they were written, so that it can be
/// written again without loss.
indirect enum JSONTree: Hashable, Sendable {
    case object([Member])
    case array([JSONTree])
    case string(String)
    /// The digits, as they were written.
    case number(String)
    case bool(Bool)
    case null

    struct Member: Hashable, Sendable {
        let name: String
        let value: JSONTree
    }

    /// Reads one document. Names must be unique in their object.
    init(_ text: [UInt8]) throws(JSONError) {
        var reader = JSONReader(0..<text.count)
        let span = text.span
        guard let first = try reader.next(in: span) else {
            throw JSONError(.unexpectedEnd(expected: .value), at: 0)
        }
        self = try Self.value(first, from: &reader, in: span)
        guard try reader.next(in: span) == nil else { throw JSONError(.trailingData, at: reader.position) }
    }

    private static func value(
        _ event: JSONEvent, from reader: inout JSONReader, in text: Span<UInt8>
    ) throws(JSONError) -> JSONTree {
        switch event {
        case .beginObject: return try object(from: &reader, in: text)
        case .beginArray:
            var elements: [JSONTree] = []
            while let event = try reader.next(in: text), event != .endArray {
                elements.append(try value(event, from: &reader, in: text))
            }
            return .array(elements)
        case .string(let string): return .string(string.value(in: text))
        case .number(let range): return .number(JSONString(range: range, hasEscapes: false).value(in: text))
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .null, .endObject, .endArray, .name: return .null
        }
    }

    private static func object(
        from reader: inout JSONReader, in text: Span<UInt8>
    ) throws(JSONError) -> JSONTree {
        var members: [Member] = []
        var names: Set<String> = []
        while case .name(let written) = try reader.next(in: text) {
            let name = written.value(in: text)
            guard names.insert(name).inserted else {
                throw JSONError(.duplicateName(name), at: written.range.lowerBound)
            }
            guard let event = try reader.next(in: text) else { break }
            members.append(Member(name: name, value: try value(event, from: &reader, in: text)))
        }
        return .object(members)
    }

    /// A member of an object; `nil` if there is none, or the value is no object.
    subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// What the value is, for a message.
    var kind: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}

// MARK: - Writing

extension JSONTree {
    /// The document in the layout that Xcode gives to its files.
    var text: [UInt8] {
        var output: [UInt8] = []
        append(to: &output, indent: 0)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private func append(to output: inout [UInt8], indent: Int) {
        switch self {
        case .object(let members):
            Self.append(members, brackets: ("{", "}"), to: &output, indent: indent) { member, output in
                appendJSON(member.name, to: &output)
                output.append(contentsOf: " : ".utf8)
                member.value.append(to: &output, indent: indent + 2)
            }
        case .array(let elements):
            Self.append(elements, brackets: ("[", "]"), to: &output, indent: indent) { element, output in
                element.append(to: &output, indent: indent + 2)
            }
        case .string(let text): appendJSON(text, to: &output)
        case .number(let digits): output.append(contentsOf: digits.utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .null: output.append(contentsOf: "null".utf8)
        }
    }

    private static func append<Element>(
        _ elements: [Element], brackets: (open: String, close: String), to output: inout [UInt8], indent: Int,
        _ appendElement: (Element, inout [UInt8]) -> Void
    ) {
        output.append(contentsOf: (brackets.open + "\n").utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(contentsOf: ",\n".utf8) }
            output.append(contentsOf: String(repeating: " ", count: indent + 2).utf8)
            appendElement(element, &output)
        }
        output.append(contentsOf: ("\n" + String(repeating: " ", count: indent) + brackets.close).utf8)
    }
}
