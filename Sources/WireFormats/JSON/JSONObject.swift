/// The wanted members of one JSON object, found in one pass that checks the whole text.
package struct JSONObject: Sendable {
    /// The object's range in the text.
    package let range: Range<Int>
    /// The wanted names that occur more than once.
    package private(set) var duplicates: [String] = []
    private var members: [(name: String, value: JSONValue)] = []

    /// The value of a wanted member; the first one if there are several.
    package subscript(name: String) -> JSONValue? {
        for member in members where member.name == name { return member.value }
        return nil
    }

    /// Checks that the range holds exactly one JSON object, and finds the wanted members.
    ///
    /// The time is linear in the text. The memory is bounded by the number of wanted names. If unique names
    /// are required, it is linear in the names.
    package init(
        _ text: Span<UInt8>, in range: Range<Int>? = nil, wanted: [String], uniqueNames: UniqueNames = .noted
    ) throws(JSONError) {
        let whole = range ?? 0..<text.count
        self.range = whole
        var reader = JSONReader(whole)
        guard let first = try reader.next(in: text) else {
            throw JSONError(.unexpectedEnd(expected: .object), at: whole.lowerBound)
        }
        guard first == .beginObject else {
            try Self.finish(&reader, in: text)
            throw JSONError(
                .unexpectedByte(text[Self.start(of: whole, in: text)], expected: .object),
                at: Self.start(of: whole, in: text))
        }
        var names = uniqueNames == .required ? OpenObjectNames() : nil
        names?.open()
        try readMembers(with: &reader, from: text, wanted: wanted, names: &names)
    }

    private mutating func readMembers(
        with reader: inout JSONReader, from text: Span<UInt8>, wanted: [String], names: inout OpenObjectNames?
    ) throws(JSONError) {
        var pending: String?
        var containerStart = 0
        while let event = try reader.next(in: text) {
            switch event {
            case .name(let name):
                guard names?.hasRoom ?? true else {
                    throw JSONError(
                        .tooManyNames(limit: OpenObjectNames.limit), at: name.range.lowerBound - 1)
                }
                if let duplicate = names?.add(name, in: text) {
                    throw JSONError(.duplicateName(duplicate), at: name.range.lowerBound - 1)
                }
                guard reader.depth == 1 else { continue }
                pending = nil
                for candidate in wanted where name.equals(candidate, in: text) { pending = candidate }
            case .beginObject, .beginArray:
                if event == .beginObject { names?.open() }
                if reader.depth == 2 { containerStart = reader.position - 1 }
            case .endObject, .endArray:
                if event == .endObject { names?.close() }
                guard reader.depth == 1 else { continue }
                let container = containerStart..<reader.position
                note(&pending, event == .endObject ? .object(container) : .array(container))
            case .string(let string): if reader.depth == 1 { note(&pending, .string(string)) }
            case .number(let number): if reader.depth == 1 { note(&pending, .number(number)) }
            case .true: if reader.depth == 1 { note(&pending, .true) }
            case .false: if reader.depth == 1 { note(&pending, .false) }
            case .null: if reader.depth == 1 { note(&pending, .null) }
            }
        }
    }

    private mutating func note(_ pending: inout String?, _ value: JSONValue) {
        guard let name = pending else { return }
        pending = nil
        guard self[name] == nil else {
            if !duplicates.contains(name) { duplicates.append(name) }
            return
        }
        members.append((name, value))
    }

    /// Reads on to the end, so that a text which is not JSON at all is reported as such.
    private static func finish(_ reader: inout JSONReader, in text: Span<UInt8>) throws(JSONError) {
        while try reader.next(in: text) != nil {}
    }

    private static func start(of range: Range<Int>, in text: Span<UInt8>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound - 1, text[index] <= 0x20 { index += 1 }
        return index
    }
}

/// A value in a JSON text, with its range.
package enum JSONValue: Hashable, Sendable {
    case object(Range<Int>)
    case array(Range<Int>)
    case string(JSONString)
    case number(Range<Int>)
    case `true`
    case `false`
    case null

    /// The type of the value, for a message.
    package var kind: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
