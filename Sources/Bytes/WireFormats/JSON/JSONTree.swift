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
    /// What differs between files in Xcode's layout.
    struct Layout: Hashable, Sendable {
        /// Whether slashes are escaped, as some versions of Apple's writer do.
        var escapesSlashes = false
        /// Whether a line break ends the file.
        var endsWithLineBreak = true

        init() {}

        /// The layout of a file.
        init(of text: [UInt8]) {
            escapesSlashes = zip(text, text.dropFirst()).contains {
                $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "/")
            }
            endsWithLineBreak = text.last == UInt8(ascii: "\n")
        }
    }

    /// The document in the layout that Xcode gives to its files.
    func text(_ layout: Layout = Layout()) -> [UInt8] {
        var output: [UInt8] = []
        append(to: &output, indent: 0, layout)
        if layout.endsWithLineBreak { output.append(UInt8(ascii: "\n")) }
        return output
    }

    private func append(to output: inout [UInt8], indent: Int, _ layout: Layout) {
        switch self {
        case .object(let members):
            Self.append(members, brackets: ("{", "}"), to: &output, indent: indent) { member, output in
                Self.append(member.name, to: &output, layout)
                output.append(contentsOf: " : ".utf8)
                member.value.append(to: &output, indent: indent + 2, layout)
            }
        case .array(let elements):
            Self.append(elements, brackets: ("[", "]"), to: &output, indent: indent) { element, output in
                element.append(to: &output, indent: indent + 2, layout)
            }
        case .string(let text): Self.append(text, to: &output, layout)
        case .number(let digits): output.append(contentsOf: digits.utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .null: output.append(contentsOf: "null".utf8)
        }
    }

    private static func append(_ text: String, to output: inout [UInt8], _ layout: Layout) {
        let start = output.count
        appendJSON(text, to: &output)
        guard layout.escapesSlashes, text.utf8.contains(UInt8(ascii: "/")) else { return }
        let written = output[start...].flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
        output.replaceSubrange(start..., with: written)
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
