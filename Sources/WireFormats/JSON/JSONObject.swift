/// The wanted members of one JSON object, found in one pass that checks the whole text.
package struct JSONObject: Sendable {
    /// The object's range in the text.
    package let range: Range<Int>
    /// The wanted names that occur more than once.
    package private(set) var duplicates: [String] = []
    private let wanted: [String]
    /// The value of each wanted member that was found.
    private var values: [JSONValue?]

    /// The value of a wanted member; the first one if there are several.
    package subscript(name: String) -> JSONValue? {
        for (index, wanted) in wanted.enumerated() where wanted == name { return values[index] }
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
        self.wanted = wanted
        values = [JSONValue?](repeating: nil, count: wanted.count)
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
        let wanted = WantedNames(wanted)
        if uniqueNames == .required {
            var names = OpenObjectNames(bytes: whole.count)
            names.beginObject()
            try readMembers(with: &reader, from: text, wanted) { (event) throws(JSONError) in
                try names.note(event, in: text)
            }
        } else {
            try readMembers(with: &reader, from: text, wanted) { _ in }
        }
    }

    /// - Parameter note: is given every event before it is looked at.
    @inline(__always)
    private mutating func readMembers(
        with reader: inout JSONReader, from text: Span<UInt8>, _ wanted: WantedNames,
        note: (JSONEvent) throws(JSONError) -> Void
    ) throws(JSONError) {
        var pending: Int?
        var containerStart = 0
        while let event = try reader.next(in: text) {
            try note(event)
            // What stands deeper only has to be JSON.
            guard reader.depth <= 2 else { continue }
            if reader.depth == 2 {
                if event == .beginObject || event == .beginArray { containerStart = reader.position - 1 }
                continue
            }
            switch event {
            case .name(let name): pending = wanted.index(of: name, in: text)
            case .beginObject, .beginArray: break
            case .endObject: keep(.object(containerStart..<reader.position), &pending)
            case .endArray: keep(.array(containerStart..<reader.position), &pending)
            case .string(let string): keep(.string(string), &pending)
            case .number(let number): keep(.number(number), &pending)
            case .true: keep(.true, &pending)
            case .false: keep(.false, &pending)
            case .null: keep(.null, &pending)
            }
        }
    }

    /// Keeps the value of the member that was named last, if that one is wanted.
    @inline(__always)
    private mutating func keep(_ value: JSONValue, _ pending: inout Int?) {
        guard let index = pending else { return }
        pending = nil
        guard values[index] == nil else {
            if !duplicates.contains(wanted[index]) { duplicates.append(wanted[index]) }
            return
        }
        values[index] = value
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
