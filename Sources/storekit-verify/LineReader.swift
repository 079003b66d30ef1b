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

    /// How much is read at most before lines are handed on: some 400 ordinary tokens, while as many are being
    /// verified and others written.
    private static let chunkBytes = 1 << 21
    /// How many lines are handed on at most, for short ones take more memory for their verdicts than for
    /// themselves.
    private static let maximumLines = 2048
    /// How much is read when lines come slowly.
    private static let firstBytes = 1 << 16
    /// How long to wait for more of a fast input, in milliseconds: a pipe holds a dozen tokens, and its writer
    /// needs a moment to fill it again.
    private static let patience: Int32 = 1
    /// How long to go on reading, however much more there is: the lines that are there are to be judged.
    private static let readTime = Duration.milliseconds(5)
    /// What a JSON object around a token may take up beyond twice the token's limit.
    private static let envelopeBytes = 1 << 16

    private let file: FileDescriptor
    private let maximumTokenBytes: Int
    private let maximumObjectBytes: Int
    private var buffer: [UInt8]
    /// Where the first line begins that was not handed on, how far its end has been searched for, and where the
    /// bytes end that were read.
    private var lineStart = 0
    private var searched = 0
    private var filled = 0
    /// Whether lines of the buffer were handed on, together with it.
    private var isShared = false
    /// Why reading came to its end, if not at the end of the file.
    private var failure: SystemError?
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
    mutating func next(
        reusing spare: consuming [UInt8], stopRequest: StopRequest
    ) throws(SystemError) -> Batch? {
        var batch = splitLines()
        guard batch.lines.isEmpty else { return batch }
        if let failure { throw failure }
        guard !isAtEnd else { return nil }
        file.waitForInput(or: stopRequest.descriptor)
        guard !stopRequest.isMade else { return nil }
        moveRest(to: spare)
        fill()
        batch = splitLines()
        return batch
    }

    /// Reads what is there, up to a chunk. An error is told once the lines before it are.
    private mutating func fill() {
        let start = ContinuousClock.now
        repeat {
            if buffer.count - filled < Self.firstBytes / 2 {
                let room = max(Self.chunkBytes + Self.firstBytes, buffer.count * 2) - buffer.count
                buffer.append(contentsOf: repeatElement(0, count: room))
            }
            do throws(SystemError) {
                let count = try file.read(into: &buffer, at: filled, atMost: buffer.count - filled)
                progress.bytes += count
                filled += count
                isAtEnd = count == 0
            } catch {
                failure = error
                isAtEnd = true
            }
        } while !isAtEnd && filled < Self.chunkBytes && start.duration(to: .now) < Self.readTime
            && file.hasInput(within: filled >= Self.firstBytes ? Self.patience : 0)
    }

    /// Takes an unfinished line to the front of a buffer that nobody else reads, or lets it go where it is too
    /// long already.
    private mutating func moveRest(to spare: consuming [UInt8]) {
        let rest = lineStart..<filled
        let limit = skipped?.limit ?? limit(rest)
        // The last byte may be the carriage return of the line's end, which does not count.
        let isTooLong = skipped != nil || rest.count - 1 > limit
        if isTooLong { skipped = ((skipped?.bytes ?? 0) + rest.count, limit, endsInReturn(rest)) }
        let kept = isTooLong ? rest.upperBound..<rest.upperBound : rest
        if isShared {
            var next = spare
            let missing = kept.count + Self.firstBytes - next.count
            if missing > 0 { next.append(contentsOf: repeatElement(0, count: missing)) }
            next[0..<kept.count] = buffer[kept]
            buffer = next
            isShared = false
        } else if kept.lowerBound > 0, !kept.isEmpty {
            buffer[0..<kept.count] = buffer[kept]
        }
        (lineStart, searched, filled) = (0, kept.count, kept.count)
    }

    /// Splits what was read into lines, as many as are handed on at a time.
    private mutating func splitLines() -> Batch {
        var batch = Batch(buffer: [])
        while batch.lines.count < Self.maximumLines, let lineEnd = nextLineEnd() {
            note(lineStart..<lineEnd, in: &batch)
            lineStart = lineEnd + 1
            searched = lineStart
        }
        if isAtEnd, batch.lines.count < Self.maximumLines, lineStart < filled || skipped != nil {
            note(lineStart..<filled, in: &batch)
            lineStart = filled
            searched = filled
        }
        if !batch.lines.isEmpty {
            batch.buffer = buffer
            isShared = true
        }
        batch.progress = progress
        return batch
    }

    private mutating func nextLineEnd() -> Int? {
        let found = indexOfLineEnd()
        searched = found ?? filled
        return found
    }

    private func indexOfLineEnd() -> Int? {
        let bytes = buffer.span
        return ByteScanning.firstIndex(
            of: UInt8(ascii: "\n"), in: bytes.extracting(..<filled), from: searched)
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

    /// Whether the line so far ends in a carriage return, be it one that has gone by.
    private func endsInReturn(_ range: Range<Int>) -> Bool {
        guard let last = range.last else { return skipped?.endsInReturn ?? false }
        return buffer[last] == UInt8(ascii: "\r")
    }
}
