internal import CTextScanning

/// Reads plain JSON objects quickly. A plain object has no white space, escapes or nesting, and only ASCII
/// characters. The App Store writes nearly all of its payloads this way.
///
/// An object that it reads to the end is strict JSON (RFC 8259). Any other text is left to `JSONReader`,
/// because it may be valid without being plain.
package struct FlatJSON {
    /// A member's name and value. The ranges of strings do not include the quotation marks.
    package struct Member {
        package let name: Range<Int>
        package let value: Range<Int>
        package let kind: Kind
    }

    /// The type of a value.
    package enum Kind: Sendable {
        case string
        case number
        case literal
    }

    /// The offsets of the text's quotation marks. There is memory for 192, more than three times as many as
    /// the longest payloads have. An object with more is not plain.
    package struct QuotationMarks: Sendable {
        fileprivate var positions = [UInt16](repeating: 0, count: 256)
        fileprivate var count = 0

        package init() {}

        /// Finds the quotation marks. Returns whether the whole text is printable ASCII without a backslash.
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
            // SIZE_MAX, which Swift imports as -1, means that it is not.
            guard found >= 0 else { return false }
            count = found
            return true
        }
    }

    private let start: Int
    private let end: Int
    private var position: Int
    /// The index of the next quotation mark.
    private var mark = 0
    /// Whether the object was plain and was read to its end.
    package private(set) var isComplete = false

    /// - Parameters:
    ///   - range: the object's range in the text.
    ///   - marks: gets the object's quotation marks, for `next` to read.
    @inline(__always)
    package init(_ text: Span<UInt8>, in range: Range<Int>, marks: inout QuotationMarks) {
        start = range.lowerBound
        end = range.upperBound
        let isPlain = marks.find(in: text.extracting(range))
        position = isPlain && start < end && text[start] == UInt8(ascii: "{") ? start + 1 : end
    }

    /// The next member; `nil` at the object's end, or at anything that is not plain.
    @inline(__always)
    package mutating func next(in text: Span<UInt8>, marks: QuotationMarks) -> Member? {
        // A name, a colon, a value and the object's end take at least five bytes.
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

    /// The next quotation mark that was not read yet.
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
            // A leading zero is an error. Fractions and exponents are not plain.
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
