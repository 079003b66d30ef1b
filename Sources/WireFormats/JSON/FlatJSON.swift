internal import CTextScanning

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

    /// Where the text's quotation marks are, with memory for those of an ordinary object: 192 are more than
    /// three times as many as the longest payloads have. Longer ones are not plain.
    package struct QuotationMarks: Sendable {
        fileprivate var positions = [UInt16](repeating: 0, count: 256)
        fileprivate var count = 0

        package init() {}

        /// Finds them; returns whether all of the text is printable ASCII without a backslash.
        @inline(__always)
        fileprivate mutating func find(in text: Span<UInt8>) -> Bool {
            let found = unsafe text.withUnsafeBufferPointer { text in
                unsafe positions.withUnsafeMutableBufferPointer { positions in
                    guard let source = text.baseAddress, let target = positions.baseAddress else {
                        return -1
                    }
                    return unsafe text_scanning_quotation_marks(source, text.count, target, positions.count)
                }
            }
            // SIZE_MAX, which is imported as -1, says that it is not.
            guard found >= 0 else { return false }
            count = found
            return true
        }
    }

    private let start: Int
    private let end: Int
    private var position: Int
    /// The quotation mark that comes next.
    private var mark = 0
    /// Whether the object was read to its end, and was plain.
    package private(set) var isComplete = false

    /// - Parameters:
    ///   - range: where in the text the object stands.
    ///   - marks: gets the object's quotation marks, for `next` to read.
    @inline(__always)
    package init(_ text: Span<UInt8>, in range: Range<Int>, marks: inout QuotationMarks) {
        start = range.lowerBound
        end = range.upperBound
        let isPlain = marks.find(in: text.extracting(range))
        position = isPlain && start < end && text[start] == UInt8(ascii: "{") ? start + 1 : end
    }

    /// The next member; `nil` at the object's end, and at anything that is not plain.
    @inline(__always)
    package mutating func next(in text: Span<UInt8>, marks: QuotationMarks) -> Member? {
        // A name, a colon and a value take five bytes at least, with the object's end.
        guard end - position >= 5, text[position] == UInt8(ascii: "\"") else { return nil }
        let nameStart = position + 1
        mark += 1
        guard let nameEnd = nextMark(of: marks), nameEnd + 2 < end else { return nil }
        guard text[nameEnd + 1] == UInt8(ascii: ":") else { return nil }
        guard let (value, kind, after) = value(in: text, at: nameEnd + 2, marks), after < end else {
            return nil
        }
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

    /// The quotation mark after those that were read.
    @inline(__always)
    private mutating func nextMark(of marks: QuotationMarks) -> Int? {
        guard mark < marks.count else { return nil }
        let next = start + Int(marks.positions[mark])
        mark += 1
        return next
    }

    @inline(__always)
    private mutating func value(
        in text: Span<UInt8>, at start: Int, _ marks: QuotationMarks
    ) -> (Range<Int>, Kind, after: Int)? {
        switch text[start] {
        case UInt8(ascii: "\""):
            mark += 1
            guard let closing = nextMark(of: marks) else { return nil }
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
