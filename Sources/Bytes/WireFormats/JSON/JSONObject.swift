/// The wanted members of one JSON object, found in one pass that checks the whole text.
///
/// A value of this type can read one object after the other; then it allocates nothing.
package struct JSONObject: Sendable {
    /// The object's range in the text.
    package private(set) var range = 0..<0
    /// The names to find.
    package let wanted: MemberNames
    /// The wanted names that occur, one bit each.
    package private(set) var found: UInt64 = 0
    /// The numbers of the wanted names that occur more than once, in the order in which they do.
    private var repeated: [Int] = []
    /// The value of each wanted member that was found, and anything for the others.
    private var values: [JSONValue]
    /// The names that are expected, from the second object on.
    private var expected = ExpectedNames()
    private var hasRead = false

    /// Whether a line is an object, or begins like one. Every other line is a token.
    @inlinable @inline(__always)
    package static func isBegun(by line: Span<UInt8>) -> Bool {
        line.count > 0 && line[0] == UInt8(ascii: "{")
    }

    /// An object that was not read yet.
    package init(wanted: MemberNames) {
        self.wanted = wanted
        values = [JSONValue](repeating: .null, count: wanted.names.count)
    }

    /// Reads one object; see `read(_:in:uniqueNames:)`.
    package init(
        _ text: Span<UInt8>, in range: Range<Int>? = nil, wanted: MemberNames,
        uniqueNames: UniqueNames = .noted
    ) throws(JSONError) {
        self.init(wanted: wanted)
        try read(text, in: range, uniqueNames: uniqueNames)
    }

    /// The value of a wanted member, by its number in the list of names; the first one if there are several.
    @inline(__always)
    package subscript(index: Int) -> JSONValue? { found >> UInt64(index) & 1 == 1 ? values[index] : nil }

    /// The value of a wanted member; the first one if there are several.
    package subscript(name: String) -> JSONValue? { wanted.index(of: name).flatMap { self[$0] } }

    /// The wanted names that occur more than once, in the order in which they do.
    package var duplicates: [String] { repeated.map { wanted.names[$0] } }

    /// Checks that the range holds exactly one JSON object, and finds the wanted members.
    ///
    /// The time is linear in the text. The memory is bounded by the number of wanted names. If unique names
    /// are required, it is linear in the names.
    ///
    /// - Parameter isChecked: whether the text was checked before, so that nested values need not be.
    package mutating func read(
        _ text: Span<UInt8>, in range: Range<Int>? = nil, uniqueNames: UniqueNames = .noted,
        isChecked: Bool = false
    ) throws(JSONError) {
        let whole = range ?? 0..<text.count
        self.range = whole
        (found, repeated) = (0, [])
        if hasRead { expected.beginObject() }
        hasRead = true
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
        if uniqueNames == .required {
            var names = OpenObjectNames(bytes: whole.count)
            names.beginObject()
            try readMembers(with: &reader, from: text, isChecked: false) { (event) throws(JSONError) in
                try names.note(event, in: text)
            }
        } else {
            try readMembers(with: &reader, from: text, isChecked: isChecked) { _ in }
        }
        try Self.finish(&reader, in: text)
    }

    /// - Parameter note: is given every name, and every event inside a value.
    @inline(__always)
    private mutating func readMembers(
        with reader: inout JSONReader, from text: Span<UInt8>, isChecked: Bool,
        note: (JSONEvent) throws(JSONError) -> Void
    ) throws(JSONError) {
        let wanted = wanted
        var (found, repeated): (UInt64, [Int]) = (0, [])
        var expected = ExpectedNames()
        swap(&expected, &self.expected)
        defer { self.expected = expected }
        var values = values.mutableSpan
        while true {
            let number: Int?
            if let name = reader.nextName(in: text, of: &expected) {
                number = name.index
                try note(.name(JSONString(range: name.range(endingAt: reader.position), hasEscapes: false)))
            } else {
                guard let name = try reader.nextName(in: text) else { break }
                number = wanted.index(of: name, in: text)
                expected.learn(name, name.range.lowerBound - 1..<reader.position, index: number, in: text)
                try note(.name(name))
            }
            let value = try reader.wholeValue(in: text, isChecked: isChecked, note: note)
            guard let index = number else { continue }
            let bit: UInt64 = 1 << UInt64(index)
            if found & bit == 0 {
                values[index] = value
                found |= bit
            } else if !repeated.contains(index) {
                repeated.append(index)
            }
        }
        self.found = found
        self.repeated = repeated
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
