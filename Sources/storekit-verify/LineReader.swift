import CompactJWS
import SignedPayloads

/// How far an input has been read.
struct InputProgress {
    var bytes = 0
    var lines = 0
    var emptyLines = 0
}

/// Takes an input apart into lines, in bounded memory, as fast and as promptly as they come.
struct LineReader: ~Copyable {
    /// Lines that were read together; the empty ones are counted in the numbers and left out.
    struct Batch: Sendable {
        var buffer: [UInt8]
        var lines: [BatchLine] = []
        /// The number of each line, from 1.
        var numbers: [Int] = []
        /// How much of the input has been read so far, and how many of its lines were empty.
        var progress = InputProgress()
    }

    /// How much is read at most before lines are handed on: some 700 ordinary tokens, so that several cores
    /// have hundreds each.
    private static let chunkBytes = 1 << 22
    /// How much is read when lines come slowly.
    private static let firstBytes = 1 << 16
    /// How long to wait for more of a fast input, in milliseconds: a pipe holds a dozen tokens, and its writer
    /// needs a moment to fill it again.
    private static let patience: Int32 = 1
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

    private var progress = InputProgress()

    /// - Parameter maximumTokenBytes: longer lines are passed over without being held.
    init(_ file: consuming FileDescriptor, maximumTokenBytes: Int) {
        self.file = file
        self.maximumTokenBytes = maximumTokenBytes
        let doubled = maximumTokenBytes.multipliedReportingOverflow(by: 2)
        maximumObjectBytes = doubled.overflow ? .max : doubled.partialValue + Self.envelopeBytes
        buffer = [UInt8](repeating: 0, count: Self.firstBytes)
    }

    /// The lines that can be had without waiting for the next, or that fit; `nil` at the end of the input.
    ///
    /// - Parameter spare: a buffer that is not needed any more, to be used again.
    mutating func next(reusing spare: consuming [UInt8], stopRequest: StopRequest) throws(SystemError)
        -> Batch?
    {
        guard !isAtEnd else { return nil }
        file.waitForInput(or: stopRequest.descriptor)
        guard !stopRequest.isMade else { return nil }
        var end = pending
        repeat {
            makeRoom(behind: end)
            let count = try file.read(into: &buffer, at: end, atMost: buffer.count - end)
            progress.bytes += count
            end += count
            isAtEnd = count == 0
        } while !isAtEnd && end < Self.chunkBytes
            && file.hasInput(within: end >= Self.firstBytes ? Self.patience : 0)
        return splitLines(upTo: end, spare: spare)
    }

    private mutating func makeRoom(behind end: Int) {
        guard buffer.count - end < Self.firstBytes / 2 else { return }
        buffer.append(contentsOf: repeatElement(0, count: min(buffer.count, Self.chunkBytes)))
    }

    private mutating func splitLines(upTo end: Int, spare: consuming [UInt8]) -> Batch {
        var batch = Batch(buffer: [])
        var start = 0
        var index = searched
        while let lineEnd = nextLineEnd(from: index, to: end) {
            note(start..<lineEnd, in: &batch)
            start = lineEnd + 1
            index = start
        }
        if isAtEnd, start < end || skipped != nil {
            note(start..<end, in: &batch)
            start = end
        }
        if !batch.lines.isEmpty { handOver(&batch, rest: start..<end, spare: spare) }
        batch.progress = progress
        keepRest(batch.lines.isEmpty ? start..<end : 0..<end - start)
        return batch
    }

    /// Gives the buffer away with its lines, and goes on in another, which gets what is left.
    private mutating func handOver(_ batch: inout Batch, rest: Range<Int>, spare: consuming [UInt8]) {
        var next = spare
        swap(&next, &buffer)
        let missing = max(rest.count, Self.firstBytes) - buffer.count
        if missing > 0 { buffer.append(contentsOf: repeatElement(0, count: missing)) }
        for offset in 0..<rest.count { buffer[offset] = next[rest.lowerBound + offset] }
        batch.buffer = next
    }

    /// Counts a line, and adds it to the batch unless it is empty.
    private mutating func note(_ range: Range<Int>, in batch: inout Batch) {
        progress.lines += 1
        let endsInReturn = endsInReturn(range)
        if let gone = skipped {
            let bytes = gone.bytes + range.count - (endsInReturn ? 1 : 0)
            add(.oversized(bytes: bytes, limit: gone.limit), to: &batch)
            skipped = nil
            return
        }
        let content = endsInReturn ? range.dropLast() : range
        guard !content.isEmpty else {
            progress.emptyLines += 1
            return
        }
        // A verdict must not depend on how much of the line one read brought.
        let limit = limit(content)
        let isOversized = content.count > limit
        add(isOversized ? .oversized(bytes: content.count, limit: limit) : .content(content), to: &batch)
    }

    private func add(_ line: BatchLine, to batch: inout Batch) {
        batch.lines.append(line)
        batch.numbers.append(progress.lines)
    }

    /// How long a line may be. A token's own limit is the verifier's to see to.
    private func limit(_ line: Range<Int>) -> Int {
        let isObject = !line.isEmpty && buffer[line.lowerBound] == UInt8(ascii: "{")
        return isObject ? maximumObjectBytes : maximumTokenBytes
    }

    private func nextLineEnd(from start: Int, to end: Int) -> Int? {
        let bytes = buffer.span
        return ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: bytes.extracting(..<end), from: start)
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
