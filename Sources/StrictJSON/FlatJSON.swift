/// Reads the plainest of JSON objects at speed: members one after the other, without white space, escapes,
/// nesting or characters beyond ASCII. So the App Store writes nearly all of its payloads.
///
/// Whatever it reads to the end is strict JSON (RFC 8259). What it does not is for `JSONReader` to judge: it
/// may be right, only not so plain.
package struct FlatJSON {
    /// A member's name, without its quotes, and its value; a string's range is without its quotes too.
    package struct Member {
        package let name: Range<Int>
        package let value: Range<Int>
        package let kind: Kind
    }

    /// What a value is.
    package enum Kind: Sendable {
        case string
        case number
        case literal
    }

    private var position: Int
    private let end: Int
    /// Whether the object was read to its end, and was plain.
    package private(set) var isComplete = false

    /// - Parameter range: where in the text the object stands.
    @inline(__always)
    package init(_ text: Span<UInt8>, in range: Range<Int>) {
        end = range.upperBound
        position = range.lowerBound
        if position < end, text[position] == UInt8(ascii: "{") { position += 1 } else { position = end }
    }

    /// The next member; `nil` at the object's end, and at anything that is not plain.
    @inline(__always)
    package mutating func next(in text: Span<UInt8>) -> Member? {
        // A name, a colon and a value take five bytes at least, with the object's end.
        guard end - position >= 5, text[position] == UInt8(ascii: "\"") else { return nil }
        let nameStart = position + 1
        guard let nameEnd = closingQuote(in: text, from: nameStart), nameEnd + 2 < end else { return nil }
        guard text[nameEnd + 1] == UInt8(ascii: ":") else { return nil }
        guard let (value, kind, after) = value(in: text, at: nameEnd + 2), after < end else { return nil }
        switch text[after] {
        case UInt8(ascii: ","): position = after + 1
        case UInt8(ascii: "}"):
            guard after + 1 == end else { return nil }
            isComplete = true
            position = end
        default: return nil
        }
        return Member(name: nameStart..<nameEnd, value: value, kind: kind)
    }

    @inline(__always)
    private func closingQuote(in text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < end {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") { return index }
            // Control characters, escapes and what is beyond ASCII.
            if byte &- 0x20 >= 0x60 || byte == UInt8(ascii: "\\") { return nil }
            index &+= 1
        }
        return nil
    }

    @inline(__always)
    private func value(in text: Span<UInt8>, at start: Int) -> (Range<Int>, Kind, after: Int)? {
        switch text[start] {
        case UInt8(ascii: "\""):
            guard let closing = closingQuote(in: text, from: start + 1) else { return nil }
            return (start + 1..<closing, .string, closing + 1)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            var index = start + 1
            while index < end, isDigit(text[index]) { index &+= 1 }
            // No leading zeros; fractions and exponents are not plain.
            if text[start] == UInt8(ascii: "0"), index > start + 1 { return nil }
            return (start..<index, .number, index)
        case UInt8(ascii: "t"): return literal("true", in: text, at: start)
        case UInt8(ascii: "f"): return literal("false", in: text, at: start)
        case UInt8(ascii: "n"): return literal("null", in: text, at: start)
        default: return nil
        }
    }

    @inline(__always)
    private func literal(
        _ literal: StaticString, in text: Span<UInt8>, at start: Int
    ) -> (Range<Int>, Kind, after: Int)? {
        let count = literal.utf8CodeUnitCount
        guard end - start >= count else { return nil }
        for index in 0..<count {
            guard unsafe text[start + index] == literal.utf8Start[index] else { return nil }
        }
        return (start..<start + count, .literal, start + count)
    }
}
