/// Reads a JSON text piece by piece, in one pass and constant memory, and checks every rule of RFC 8259.
///
/// A document is valid only after `next(in:)` has returned `nil`. Do not rely on earlier pieces before that.
package struct JSONReader {
    /// The maximum nesting of arrays and objects. App Store payloads nest five levels. RFC 8259, section 9,
    /// lets a parser set a limit, and 128 levels fit the container stack into one machine integer.
    package static let maximumDepth = 128

    private enum State {
        case value
        case firstElement
        case firstName
        case afterValue
    }

    /// The next byte to be read.
    package private(set) var position: Int
    /// The number of open arrays and objects.
    package private(set) var depth = 0
    private let end: Int
    private var state = State.value
    /// One bit for each open container, the innermost lowest: 1 for an object, 0 for an array.
    private var containers: UInt128 = 0

    /// - Parameter range: the document's range in the text.
    package init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next piece of the document; `nil` at its end.
    package mutating func next(in text: Span<UInt8>) throws(JSONError) -> JSONEvent? { try step(in: text) }

    @inline(__always)
    private mutating func step(in text: Span<UInt8>) throws(JSONError) -> JSONEvent? {
        skipWhiteSpace(in: text)
        switch state {
        case .value: return try readValue(in: text)
        case .firstElement:
            if peek(in: text) == UInt8(ascii: "]") { return close(.endArray) }
            return try readValue(in: text)
        case .firstName:
            if peek(in: text) == UInt8(ascii: "}") { return close(.endObject) }
            return try readName(in: text)
        case .afterValue: return try readAfterValue(in: text)
        }
    }

    // MARK: Members

    /// The name of the next member of the innermost object; `nil` at that object's end.
    ///
    /// Reads the same bytes as `next(in:)`. Call it only behind `.beginObject` or a member's value.
    @inline(__always)
    mutating func nextName(in text: Span<UInt8>) throws(JSONError) -> JSONString? {
        skipWhiteSpace(in: text)
        let byte = peek(in: text)
        if byte == UInt8(ascii: "}") {
            _ = close(.endObject)
            return nil
        }
        if state == .afterValue {
            guard byte == UInt8(ascii: ",") else { throw unexpected(byte, expected: .commaOrObjectEnd) }
            position += 1
            skipWhiteSpace(in: text)
        }
        return try readNameAndColon(in: text)
    }

    /// Reads a name as `nextName(in:)` does, if an expected name follows; `nil` otherwise. The text must be read on then.
    @inline(__always)
    mutating func nextName(in text: Span<UInt8>, of expected: inout ExpectedNames) -> ExpectedNames.Name? {
        var start = position
        if state == .afterValue {
            guard start < end, text[start] == UInt8(ascii: ",") else { return nil }
            start &+= 1
        }
        guard let name = expected.match(text, at: start, before: end) else { return nil }
        position = start &+ name.count
        state = .value
        return name
    }

    /// The value of the member whose name was read last, arrays and objects as a whole.
    ///
    /// - Parameters:
    ///   - isChecked: whether the text was checked before, so that arrays and objects need only be skipped.
    ///   - note: is given every name inside an array or object that is not skipped, and each object's beginning
    ///     and end.
    @inline(__always)
    mutating func wholeValue(
        in text: Span<UInt8>, isChecked: Bool, note: (JSONEvent) throws(JSONError) -> Void
    ) throws(JSONError) -> JSONValue {
        skipWhiteSpace(in: text)
        // Most values are strings and whole numbers.
        switch peek(in: text) ?? 0 {
        case UInt8(ascii: "\""):
            state = .afterValue
            return .string(try readString(in: text))
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            let index = ByteScanning.digitsEnd(in: text, from: position + 1, to: end)
            guard index < end, text[index] == UInt8(ascii: ",") || text[index] == UInt8(ascii: "}") else {
                break
            }
            defer { position = index }
            state = .afterValue
            return .number(position..<index)
        default: break
        }
        switch try readValue(in: text) {
        case .string(let string): return .string(string)
        case .number(let number): return .number(number)
        case .true: return .true
        case .false: return .false
        case .beginObject where isChecked: return .object(skipContainer(in: text))
        case .beginArray where isChecked: return .array(skipContainer(in: text))
        case .beginObject: return .object(try readContainer(.beginObject, in: text, note: note))
        case .beginArray: return .array(try readContainer(.beginArray, in: text, note: note))
        default: return .null
        }
    }

    /// Goes on behind the value of the member whose name was read last.
    mutating func skipValue(endingAt end: Int) { (position, state) = (end, .afterValue) }

    /// The next element of the innermost array, in a text that was checked before; `nil` at that array's end.
    mutating func nextElement(in text: Span<UInt8>) throws(JSONError) -> JSONValue? {
        skipWhiteSpace(in: text)
        if peek(in: text) == UInt8(ascii: "]") {
            _ = close(.endArray)
            return nil
        }
        if case .afterValue = state { position += 1 }
        return try wholeValue(in: text, isChecked: true) { _ in }
    }

    /// Goes to the end of the container that was just opened, in a text that was checked before. Returns its range.
    private mutating func skipContainer(in text: Span<UInt8>) -> Range<Int> {
        let start = position - 1
        var open = 1
        while open > 0, position < end {
            switch text[position] {
            case UInt8(ascii: "\""): skipString(in: text)
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            default: break
            }
            position += 1
        }
        depth -= 1
        containers >>= 1
        state = .afterValue
        return start..<position
    }

    /// Goes to the quote at the end of a string, in a text that was checked before.
    private mutating func skipString(in text: Span<UInt8>) {
        position += 1
        while true {
            position = ByteScanning.plainEnd(in: text, from: position, to: end)
            guard position < end, text[position] != UInt8(ascii: "\"") else { return }
            position = min(position + (text[position] == UInt8(ascii: "\\") ? 2 : 1), end)
        }
    }

    /// Reads on to the end of the container that was just opened. Returns its range.
    private mutating func readContainer(
        _ event: JSONEvent, in text: Span<UInt8>, note: (JSONEvent) throws(JSONError) -> Void
    ) throws(JSONError) -> Range<Int> {
        let (start, outer) = (position - 1, depth - 1)
        try note(event)
        while depth > outer, let event = try step(in: text) {
            switch event {
            case .name, .beginObject, .endObject: try note(event)
            default: break
            }
        }
        return start..<position
    }

    @inline(__always)
    private mutating func readAfterValue(in text: Span<UInt8>) throws(JSONError) -> JSONEvent? {
        let byte = peek(in: text)
        if depth == 0 {
            guard byte == nil else { throw JSONError(.trailingData, at: position) }
            return nil
        }
        let inObject = containers & 1 == 1
        switch byte {
        case UInt8(ascii: ","):
            position += 1
            skipWhiteSpace(in: text)
            return inObject ? try readName(in: text) : try readValue(in: text)
        case UInt8(ascii: "}") where inObject: return close(.endObject)
        case UInt8(ascii: "]") where !inObject: return close(.endArray)
        default: throw unexpected(byte, expected: inObject ? .commaOrObjectEnd : .commaOrArrayEnd)
        }
    }

    @inline(__always)
    private mutating func readName(in text: Span<UInt8>) throws(JSONError) -> JSONEvent {
        .name(try readNameAndColon(in: text))
    }

    @inline(__always)
    private mutating func readNameAndColon(in text: Span<UInt8>) throws(JSONError) -> JSONString {
        let byte = peek(in: text)
        guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, expected: .memberName) }
        let name = try readString(in: text)
        skipWhiteSpace(in: text)
        let colon = peek(in: text)
        guard colon == UInt8(ascii: ":") else { throw unexpected(colon, expected: .colon) }
        position += 1
        state = .value
        return name
    }

    @inline(__always)
    private mutating func readValue(in text: Span<UInt8>) throws(JSONError) -> JSONEvent {
        guard let byte = peek(in: text) else { throw unexpected(nil, expected: .value) }
        switch byte {
        case UInt8(ascii: "{"): return try open(.beginObject, object: true)
        case UInt8(ascii: "["): return try open(.beginArray, object: false)
        case UInt8(ascii: "\""):
            state = .afterValue
            return .string(try readString(in: text))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            state = .afterValue
            return .number(try readNumber(in: text))
        case UInt8(ascii: "t"): return try readLiteral("true", as: .true, in: text)
        case UInt8(ascii: "f"): return try readLiteral("false", as: .false, in: text)
        case UInt8(ascii: "n"): return try readLiteral("null", as: .null, in: text)
        default: throw unexpected(byte, expected: .value)
        }
    }

    @inline(__always)
    private mutating func open(_ event: JSONEvent, object: Bool) throws(JSONError) -> JSONEvent {
        guard depth < Self.maximumDepth else {
            throw JSONError(.nestingTooDeep(limit: Self.maximumDepth), at: position)
        }
        depth += 1
        containers = containers << 1 | (object ? 1 : 0)
        position += 1
        state = object ? .firstName : .firstElement
        return event
    }

    @inline(__always)
    private mutating func close(_ event: JSONEvent) -> JSONEvent {
        depth -= 1
        containers >>= 1
        position += 1
        state = .afterValue
        return event
    }

    private mutating func readLiteral(
        _ literal: StaticString, as event: JSONEvent, in text: Span<UInt8>
    ) throws(JSONError) -> JSONEvent {
        for index in 0..<literal.utf8CodeUnitCount {
            let byte = peek(in: text)
            guard unsafe byte == literal.utf8Start[index] else { throw unexpected(byte, expected: .value) }
            position += 1
        }
        state = .afterValue
        return event
    }

    // MARK: Numbers

    /// RFC 8259, section 6: an optional minus sign, digits without a leading zero, a fraction, an exponent.
    private mutating func readNumber(in text: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = position
        if peek(in: text) == UInt8(ascii: "-") { position += 1 }
        if peek(in: text) == UInt8(ascii: "0") {
            position += 1
        } else {
            try readDigits(in: text)
        }
        if peek(in: text) == UInt8(ascii: ".") {
            position += 1
            try readDigits(in: text)
        }
        if let byte = peek(in: text), byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = peek(in: text), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                position += 1
            }
            try readDigits(in: text)
        }
        if let byte = peek(in: text), isDigit(byte) { throw JSONError(.invalidNumber, at: position) }
        return start..<position
    }

    private mutating func readDigits(in text: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = peek(in: text), isDigit(byte) { position += 1 }
        guard position > start else { throw JSONError(.invalidNumber, at: position) }
    }

    // MARK: Strings

    /// RFC 8259, section 7. The bytes must be UTF-8, as section 8.1 requires.
    @inline(__always)
    private mutating func readString(in text: Span<UInt8>) throws(JSONError) -> JSONString {
        position += 1
        let start = position
        var hasEscapes = false
        while true {
            position = ByteScanning.plainEnd(in: text, from: position, to: end)
            guard position < end else {
                throw JSONError(.unexpectedEnd(expected: .closingQuote), at: position)
            }
            let byte = text[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return JSONString(range: start..<(position - 1), hasEscapes: hasEscapes)
            }
            hasEscapes = hasEscapes || byte == UInt8(ascii: "\\")
            try readSpecialCharacter(byte, in: text)
        }
    }

    /// Reads a character that does not stand for itself, or is beyond ASCII.
    private mutating func readSpecialCharacter(_ byte: UInt8, in text: Span<UInt8>) throws(JSONError) {
        switch byte {
        case UInt8(ascii: "\\"): try readEscape(in: text)
        case 0..<0x20: throw JSONError(.controlCharacter(byte), at: position)
        default: try readMultibyteCharacter(leading: byte, in: text)
        }
    }

    private mutating func readEscape(in text: Span<UInt8>) throws(JSONError) {
        let start = position
        position += 1
        switch peek(in: text) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try readHexadecimal(in: text, escape: start)
            if unit & 0xfc00 == 0xdc00 { throw JSONError(.loneSurrogate, at: start) }
            guard unit & 0xfc00 == 0xd800 else { return }
            guard peek(in: text) == UInt8(ascii: "\\") else { throw JSONError(.loneSurrogate, at: start) }
            position += 1
            guard peek(in: text) == UInt8(ascii: "u") else { throw JSONError(.loneSurrogate, at: start) }
            let low = try readHexadecimal(in: text, escape: start)
            guard low & 0xfc00 == 0xdc00 else { throw JSONError(.loneSurrogate, at: start) }
        default: throw JSONError(.invalidEscape, at: start)
        }
    }

    private mutating func readHexadecimal(
        in text: Span<UInt8>, escape: Int
    ) throws(JSONError) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(in: text), let digit = hexadecimalDigit(byte) else {
                throw JSONError(.invalidEscape, at: escape)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// RFC 3629, section 4: no overlong forms, no surrogates, nothing above U+10FFFF.
    private mutating func readMultibyteCharacter(
        leading: UInt8, in text: Span<UInt8>
    ) throws(JSONError) {
        let (length, second): (Int, ClosedRange<UInt8>)
        switch leading {
        case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
        case 0xe0: (length, second) = (3, 0xa0...0xbf)
        case 0xe1...0xec, 0xee, 0xef: (length, second) = (3, 0x80...0xbf)
        case 0xed: (length, second) = (3, 0x80...0x9f)
        case 0xf0: (length, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
        case 0xf4: (length, second) = (4, 0x80...0x8f)
        default: throw JSONError(.invalidUTF8, at: position)
        }
        guard end - position >= length, second ~= text[position + 1] else {
            throw JSONError(.invalidUTF8, at: position)
        }
        for index in (position + 2)..<max(position + length, position + 2) where text[index] & 0xc0 != 0x80 {
            throw JSONError(.invalidUTF8, at: position)
        }
        position += length
    }

    // MARK: Bytes

    @inline(__always)
    private func peek(in text: Span<UInt8>) -> UInt8? { position < end ? text[position] : nil }

    @inline(__always)
    private mutating func skipWhiteSpace(in text: Span<UInt8>) {
        // One comparison separates most bytes from white space.
        while position < end, text[position] <= 0x20, isWhiteSpace(text[position]) { position &+= 1 }
    }

    private func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    private func unexpected(_ byte: UInt8?, expected: JSONError.Expectation) -> JSONError {
        guard let byte else { return JSONError(.unexpectedEnd(expected: expected), at: position) }
        return JSONError(.unexpectedByte(byte, expected: expected), at: position)
    }
}
