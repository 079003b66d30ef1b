/// A JSON document in memory, with its members in their order and its numbers as they were written, so that it can be
/// written again without loss.
///
/// It is for configurations: options, the service's file, `.storekit` files, requests to the test
/// store. Payloads are verified without a tree.
package indirect enum JSONTree: Hashable, Sendable {
    case object([Member])
    case array([JSONTree])
    case string(String)
    /// The digits, as they were written.
    case number(String)
    case bool(Bool)
    case null

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONTree

        package init(name: String, value: JSONTree) { (self.name, self.value) = (name, value) }
    }

    /// Reads one document. Names must be unique in their object.
    package init(_ text: Span<UInt8>) throws(JSONError) {
        var names = OpenObjectNames(bytes: text.count)
        var reader = JSONReader(0..<text.count)
        guard let first = try reader.next(in: text) else {
            throw JSONError(.unexpectedEnd(expected: .value), at: 0)
        }
        self = try Self.value(first, from: &reader, in: text, &names)
        guard try reader.next(in: text) == nil else { throw JSONError(.trailingData, at: reader.position) }
    }

    /// Reads the members of one object; see `init(_:)`. Another document is an error.
    package static func members(of text: Span<UInt8>) throws(JSONError) -> [Member] {
        // This reader names the value in place of an object. The text is that of an option: it may be read twice.
        var object = JSONObject(wanted: MemberNames([]))
        try object.read(text, uniqueNames: .required)
        return try JSONTree(text).members ?? []
    }

    private static func value(
        _ event: JSONEvent, from reader: inout JSONReader, in text: Span<UInt8>,
        _ names: inout OpenObjectNames
    ) throws(JSONError) -> JSONTree {
        switch event {
        case .beginObject: return try object(from: &reader, in: text, &names)
        case .beginArray:
            var elements: [JSONTree] = []
            while let event = try reader.next(in: text), event != .endArray {
                elements.append(try value(event, from: &reader, in: text, &names))
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
        from reader: inout JSONReader, in text: Span<UInt8>, _ names: inout OpenObjectNames
    ) throws(JSONError) -> JSONTree {
        var members: [Member] = []
        names.beginObject()
        while case .name(let written)? = try reader.next(in: text) {
            try names.note(.name(written), in: text)
            guard let event = try reader.next(in: text) else { break }
            let value = try value(event, from: &reader, in: text, &names)
            members.append(Member(name: written.value(in: text), value: value))
        }
        try names.note(.endObject, in: text)
        return .object(members)
    }
}

// MARK: - Values

extension JSONTree {
    /// A member of an object; `nil` if it is absent, or the value is not an object.
    package subscript(name: String) -> JSONTree? { members?.first { $0.name == name }?.value }

    /// The members of an object; `nil` for another value.
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array; `nil` for another value.
    package var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }

    package var stringValue: String? { if case .string(let text) = self { text } else { nil } }

    /// A number without fraction or exponent.
    package var wholeNumber: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }

    /// The kind of the value, for a message.
    package var kind: String {
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
