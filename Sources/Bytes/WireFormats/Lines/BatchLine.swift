/// A line of an input, apart from its end. It may have been too long to keep.
package enum BatchLine: Sendable {
    /// The range of the line's bytes in a buffer, without the line ending.
    case content(Range<Int>)
    /// A line longer than the limit. Its bytes need not have been kept.
    case oversized(bytes: Int, limit: Int)

    /// A line in a buffer, which is oversized if it is longer than the limits allow.
    @inline(__always)
    package init(_ range: Range<Int>, of buffer: Span<UInt8>, _ limits: LineLimits) {
        let limit = limits.maximumBytes(of: buffer.extracting(range))
        self = range.count > limit ? .oversized(bytes: range.count, limit: limit) : .content(range)
    }

    /// The place of the line's bytes; an empty one if they were not kept.
    package var place: Range<Int> {
        switch self {
        case .content(let range): range
        case .oversized: 0..<0
        }
    }
}

/// How long a line may be: a token, or a JSON object around one. Its token is measured again.
package struct LineLimits: Sendable {
    private let maximumTokenBytes: Int
    private let maximumObjectBytes: Int

    package init(maximumTokenBytes: Int) {
        self.maximumTokenBytes = maximumTokenBytes
        // The token inside may be written with escapes.
        let doubled = maximumTokenBytes.multipliedReportingOverflow(by: 2)
        let sum = doubled.partialValue.addingReportingOverflow(1 << 16)
        maximumObjectBytes = doubled.overflow || sum.overflow ? .max : sum.partialValue
    }

    /// The maximum length of this line, or of one that begins so, in bytes.
    @inline(__always)
    func maximumBytes(of line: Span<UInt8>) -> Int {
        JSONObject.isBegun(by: line) ? maximumObjectBytes : maximumTokenBytes
    }
}
