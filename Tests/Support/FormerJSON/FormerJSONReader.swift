package import WireFormats

/// The product's former reader of JSON, byte by byte, as an oracle for today's: it must give the same pieces, or the
/// same error at the same byte. It is not to be changed.
///
/// Reads a JSON text piece by piece, in one pass and constant memory, and checks every rule of RFC 8259.
///
/// A document is valid only after `next(in:)` has returned `nil`. Do not rely on earlier pieces before that.
package struct FormerJSONReader {
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
    package mutating func next(in text: Span<UInt8>) throws(JSONError) -> JSONEvent? {
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
        let byte = peek(in: text)
        guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, expected: .memberName) }
        let name = try readString(in: text)
        skipWhiteSpace(in: text)
        let colon = peek(in: text)
        guard colon == UInt8(ascii: ":") else { throw unexpected(colon, expected: .colon) }
        position += 1
        state = .value
        return .name(name)
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
        for expected in "\(literal)".utf8 {
            let byte = peek(in: text)
            guard byte == expected else { throw unexpected(byte, expected: .value) }
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
    private mutating func readString(in text: Span<UInt8>) throws(JSONError) -> JSONString {
        position += 1
        let start = position
        var hasEscapes = false
        while let byte = peek(in: text) {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return JSONString(range: start..<(position - 1), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try readEscape(in: text)
            case 0..<0x20: throw JSONError(.controlCharacter(byte), at: position)
            case 0x20..<0x80: position += 1
            default: try readMultibyteCharacter(leading: byte, in: text)
            }
        }
        throw JSONError(.unexpectedEnd(expected: .closingQuote), at: position)
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
        // Most bytes are told from white space by one comparison.
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

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
