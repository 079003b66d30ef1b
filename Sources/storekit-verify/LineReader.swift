/// Takes an input apart into lines, in bounded memory, as fast and as promptly as they come.
struct LineReader: ~Copyable {
    /// A line of the input.
    enum Line: Sendable {
        /// The line's bytes in the batch's buffer, without its end.
        case content(Range<Int>)
        /// A line longer than a line may be, which need not have been held.
        case oversized(bytes: Int, limit: Int)
    }

    /// Lines that were read together; the empty ones are counted in the numbers and left out.
    struct Batch: Sendable {
        let buffer: [UInt8]
        var lines: [(number: Int, line: Line)] = []
    }

    /// How much is asked for at a time: enough for hundreds of tokens, and a small part of the memory
    /// promised.
    private static let chunkBytes = 1 << 18
    /// What a JSON object around a token may take up beyond twice the token's limit.
    private static let envelopeBytes = 1 << 16

    private let file: FileDescriptor
    private let maximumTokenBytes: Int
    private let maximumObjectBytes: Int
    private var buffer: [UInt8]
    /// The bytes in the buffer that belong to a line without an end so far.
    private var pending = 0
    /// How much of the pending bytes has been searched for an end.
    private var searched = 0
    /// The bytes of an oversized line that have gone by, the limit that they broke, and whether the last of
    /// them was a carriage return.
    private var skipped: (bytes: Int, limit: Int, endsInReturn: Bool)?
    private var isAtEnd = false

    /// How many lines have been read, and how many of them were empty.
    private(set) var lineCount = 0
    private(set) var emptyCount = 0
    /// How many bytes have been read.
    private(set) var byteCount = 0

    /// - Parameter maximumTokenBytes: longer lines are passed over without being held.
    init(_ file: consuming FileDescriptor, maximumTokenBytes: Int) {
        self.file = file
        self.maximumTokenBytes = maximumTokenBytes
        let doubled = maximumTokenBytes.multipliedReportingOverflow(by: 2)
        maximumObjectBytes = doubled.overflow ? .max : doubled.partialValue + Self.envelopeBytes
        buffer = [UInt8](repeating: 0, count: Self.chunkBytes)
    }

    /// The lines that can be had with one read; `nil` at the end of the input.
    mutating func next(interruption: Interruption) throws(SystemError) -> Batch? {
        guard !isAtEnd else { return nil }
        makeRoom()
        file.waitForInput(or: interruption.descriptor)
        guard !interruption.isRequested else { return nil }
        let count = try file.read(into: &buffer, at: pending, atMost: buffer.count - pending)
        byteCount += count
        isAtEnd = count == 0
        return splitLines(upTo: pending + count)
    }

    private mutating func makeRoom() {
        guard buffer.count - pending < Self.chunkBytes / 2 else { return }
        buffer.append(contentsOf: repeatElement(0, count: max(buffer.count, Self.chunkBytes)))
    }

    private mutating func splitLines(upTo end: Int) -> Batch {
        var lines: [(number: Int, line: Line)] = []
        var start = 0
        var index = searched
        while let lineEnd = nextLineEnd(from: index, to: end) {
            note(start..<lineEnd, to: &lines)
            start = lineEnd + 1
            index = start
        }
        if isAtEnd, start < end || skipped != nil {
            note(start..<end, to: &lines)
            start = end
        }
        let batch = Batch(buffer: lines.isEmpty ? [] : buffer, lines: lines)
        keepRest(start..<end)
        return batch
    }

    /// Counts a line, and adds it to the batch unless it is empty.
    private mutating func note(_ range: Range<Int>, to lines: inout [(number: Int, line: Line)]) {
        lineCount += 1
        let endsInReturn = endsInReturn(range)
        if let gone = skipped {
            let bytes = gone.bytes + range.count - (endsInReturn ? 1 : 0)
            lines.append((lineCount, .oversized(bytes: bytes, limit: gone.limit)))
            skipped = nil
            return
        }
        let content = endsInReturn ? range.dropLast() : range
        guard !content.isEmpty else {
            emptyCount += 1
            return
        }
        // A verdict must not depend on how much of the line one read brought.
        let limit = limit(content)
        let isOversized = content.count > limit
        lines.append(
            (lineCount, isOversized ? .oversized(bytes: content.count, limit: limit) : .content(content)))
    }

    /// How long a line may be. A token's own limit is the verifier's to see to.
    private func limit(_ line: Range<Int>) -> Int {
        let isObject = !line.isEmpty && buffer[line.lowerBound] == UInt8(ascii: "{")
        return isObject ? maximumObjectBytes : maximumTokenBytes
    }

    private func nextLineEnd(from start: Int, to end: Int) -> Int? {
        let bytes = buffer.span
        for index in start..<end where bytes[index] == UInt8(ascii: "\n") { return index }
        return nil
    }

    /// Whether the line so far ends in a carriage return, be it one that has gone by.
    private func endsInReturn(_ range: Range<Int>) -> Bool {
        guard let last = range.last else { return skipped?.endsInReturn ?? false }
        return buffer[last] == UInt8(ascii: "\r")
    }

    /// Moves an unfinished line to the front of the buffer, or lets it go where it is too long already.
    private mutating func keepRest(_ rest: Range<Int>) {
        let limit = skipped?.limit ?? limit(rest)
        // The last byte may be the carriage return of the line's end, which does not count.
        if skipped != nil || rest.count - 1 > limit {
            skipped = ((skipped?.bytes ?? 0) + rest.count, limit, endsInReturn(rest))
            pending = 0
        } else {
            if rest.lowerBound > 0 {
                for offset in 0..<rest.count { buffer[offset] = buffer[rest.lowerBound + offset] }
            }
            pending = rest.count
        }
        searched = pending
    }
}
