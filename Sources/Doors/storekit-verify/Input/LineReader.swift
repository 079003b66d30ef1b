import Platform
import SignedPayloads
import WireFormats

/// How far an input has been read.
///
/// The counts are of the whole input, with the lines that were skipped.
struct InputProgress {
    var bytes = 0
    var lines = 0
    var emptyLines = 0
}

/// Splits an input into lines, in bounded memory, as fast as they come and without delay.
struct LineReader: ~Copyable {
    /// Lines that were read together. The memory is reused by the next reading.
    struct Chunk {
        fileprivate(set) var text = LineChunk()
        /// How much of the input has been read so far.
        fileprivate(set) var progress = InputProgress()
        /// Whether the end of the input was seen, so that no lines follow.
        fileprivate(set) var isLast = false
    }

    /// How many bytes are read at most before lines are handed on: some 140 ordinary tokens, or 40 notifications. With
    /// their results, they fit a second-level cache of 1 MiB.
    ///
    /// Files are read, not mapped: both took 0.04 s for 632 MB that were in the system's cache, and a mapped file that
    /// shrinks would end the process by a signal.
    private static let chunkBytes = 3 << 18
    /// How many bytes are read when lines come slowly.
    private static let firstBytes = 1 << 16
    /// How many bytes of a fast input to wait for: some hundred tokens. More of them would be verified hardly
    /// faster together. While they are verified, its writer can fill the
    /// pipe again.
    private static let enoughBytes = 1 << 19
    /// How long to wait for that many bytes, in milliseconds. Many a pipe holds only a dozen tokens, and its
    /// writer needs a moment to fill it again.
    private static let patience: Int32 = 1
    /// How long an input is silent before it counts as idle, in milliseconds.
    private static let idleTime: Int32 = 20
    /// How long to read at most, even if there is more input. The lines read so far must be judged.
    private static let readTime = Duration.milliseconds(5)
    /// The kernel copies several times faster to an address that is a multiple of 32 bytes.
    private static let alignment = 64

    private let file: FileDescriptor
    private var scanner: LineScanner
    /// The bytes read after the last line that was handed on.
    private var rest: [UInt8] = []
    /// The error that ended reading; `nil` at the end of the file.
    private var failure: InputError?
    private var isAtEnd = false
    private var bytes = 0
    private let limits: LineLimits
    private let takesJSONApart: Bool
    private var tokens: JSONTokens?
    /// How far the input has been read.
    var progress: InputProgress {
        InputProgress(bytes: bytes, lines: scanner.number, emptyLines: scanner.emptyLines)
    }

    /// - Parameters:
    ///   - limits: lines longer than they allow are skipped, not held in memory.
    ///   - takesJSONApart: whether the input is JSON of any shape, whose tokens are the lines. It is held in memory.
    init(_ file: consuming FileDescriptor, _ limits: LineLimits, takesJSONApart: Bool = false) {
        self.file = file
        self.limits = limits
        self.takesJSONApart = takesJSONApart
        scanner = LineScanner(limits)
    }

    /// Reads the lines that are available without waiting for the next one, up to a maximum number.
    ///
    /// - Parameters:
    ///   - chunk: gets the lines; its old content is lost. It stays empty if all lines were empty.
    ///   - maximumLines: how many lines to hand on at most; at least 1.
    ///   - whenIdle: is called with `true` if no line comes for a while, and with `false` when one does.
    /// - Returns: whether any line was read; false at the end of the input, and after a stop request.
    /// - Throws: why the input could not be read to its end. The lines before that are handed on first.
    /// - Complexity: linear in the bytes. Only the unfinished line at the end is copied, to the beginning of
    ///   the next reading.
    mutating func next(
        into chunk: inout Chunk, atMost maximumLines: Int, _ stopRequest: StopRequest,
        whenIdle: ((Bool) -> Void)? = nil
    ) throws(InputError) -> Bool {
        chunk.text.removeLines()
        if takesJSONApart { return try nextTokens(into: &chunk, atMost: maximumLines, stopRequest) }
        let linesBefore = scanner.number
        let target = min(max(maximumLines * averageLineBytes, Self.firstBytes), Self.chunkBytes)
        var filled = takeUp(rest: &chunk.text.buffer)
        let start = ContinuousClock.now
        while true {
            chunk.text.appendLines(by: &scanner, to: filled, isAtEnd: isAtEnd, atMost: maximumLines)
            guard !isAtEnd, chunk.text.lines.count < maximumLines else { break }
            if scanner.number > linesBefore {
                let isWorthWaiting = (Self.firstBytes..<Self.enoughBytes).contains(filled)
                guard filled < target, start.duration(to: .now) < Self.readTime,
                    file.hasInput(within: isWorthWaiting ? Self.patience : 0)
                else { break }
            } else {
                let isIdle = whenIdle != nil && !file.hasInput(within: Self.idleTime)
                if isIdle { whenIdle?(true) }
                file.waitForInput(or: stopRequest.descriptor)
                if isIdle { whenIdle?(false) }
                guard !stopRequest.isMade else { return false }
            }
            read(to: &filled, of: &chunk.text.buffer, target: target)
        }
        rest.append(chunk.text.buffer.span.extracting(scanner.start..<filled))
        chunk.progress = progress
        chunk.isLast = isAtEnd && rest.isEmpty
        if scanner.number > linesBefore { return true }
        if let failure {
            self.failure = nil
            throw failure
        }
        return false
    }

    /// The average length of the lines so far, in bytes. Before the first line, that of an ordinary token.
    private var averageLineBytes: Int { scanner.number == 0 ? 5_500 : bytes / scanner.number + 1 }

    /// Moves the rest of the last reading so that the next bytes are read to an aligned address.
    ///
    /// - Returns: where the rest ends.
    private mutating func takeUp(rest buffer: inout [UInt8]) -> Int {
        let room = rest.count + Self.firstBytes + Self.alignment
        // Frees the memory that an unusually long line took.
        if buffer.count > 4 * Self.chunkBytes, room < Self.chunkBytes { buffer = [] }
        Self.grow(&buffer, to: room)
        let start = Self.alignedIndex(atLeast: rest.count, in: buffer) - rest.count
        buffer.replace(at: start, with: rest.span)
        scanner.move(to: start)
        let filled = start + rest.count
        rest.removeAll(keepingCapacity: rest.capacity <= 2 * Self.chunkBytes)
        return filled
    }

    /// Reads once. An error is kept until the lines before it are handed on.
    private mutating func read(to filled: inout Int, of buffer: inout [UInt8], target: Int) {
        if !takesJSONApart { dropOversized(to: &filled, in: buffer) }
        if buffer.count - filled < Self.firstBytes / 2 {
            Self.grow(&buffer, to: max(target + Self.firstBytes, buffer.count * 2))
        }
        do throws(SystemError) {
            let count = try file.read(
                into: &buffer, at: filled, atMost: buffer.count - filled)
            // No line has ended, so the buffer has the input from its first byte.
            if bytes < MistakenInput.packedBytes, scanner.number == 0,
                let format = MistakenInput(packed: buffer.span.extracting(scanner.start..<filled + count))
            {
                failure = .packed(format)
                isAtEnd = true
                filled = scanner.start
                return
            }
            bytes += count
            filled += count
            isAtEnd = count == 0
        } catch {
            failure = .system(error)
            isAtEnd = true
        }
    }

    /// Drops the bytes of an unfinished line that is too long already.
    private mutating func dropOversized(to filled: inout Int, in buffer: [UInt8]) {
        let lineStart = scanner.start
        guard scanner.dropOversized(in: buffer.span, to: filled) else { return }
        // The line may be shorter than the distance to the next aligned address. Its bytes are dropped all
        // the same.
        filled = min(Self.alignedIndex(atLeast: lineStart, in: buffer), filled)
        scanner.move(to: filled)
    }

    // MARK: - JSON

    /// The longest input that is taken apart.
    private static let maximumJSONBytes = 256 << 20

    /// Hands on tokens as lines.
    private mutating func nextTokens(
        into chunk: inout Chunk, atMost maximumLines: Int, _ stopRequest: StopRequest
    ) throws(InputError) -> Bool {
        if tokens == nil { tokens = JSONTokens(try content(stopRequest)) }
        chunk.text.buffer.removeAll(keepingCapacity: true)
        do throws(JSONError) {
            while failure == nil, chunk.text.lines.count < maximumLines,
                chunk.text.buffer.count < Self.chunkBytes,
                let token = try tokens?.next()
            {
                chunk.text.append(token, limits)
            }
        } catch {
            failure = .notJSON(error)
        }
        chunk.progress = InputProgress(bytes: bytes, lines: chunk.text.numbers.last ?? 0)
        if let failure, chunk.text.lines.isEmpty { throw failure }
        return !chunk.text.lines.isEmpty
    }

    /// The whole input; nothing after a stop request.
    private mutating func content(_ stopRequest: StopRequest) throws(InputError) -> [UInt8] {
        var content = [UInt8](repeating: 0, count: Self.chunkBytes)
        var filled = 0
        while !isAtEnd {
            file.waitForInput(or: stopRequest.descriptor)
            guard !stopRequest.isMade else { return [] }
            read(to: &filled, of: &content, target: content.count)
            guard filled <= Self.maximumJSONBytes else { throw .system(.fileTooLarge) }
        }
        if let failure { throw failure }
        content.removeLast(content.count - filled)
        return content
    }

    // MARK: - Memory

    /// The new bytes are zeros, which the next reading overwrites. It happens a few times in a run.
    private static func grow(_ buffer: inout [UInt8], to count: Int) {
        guard buffer.count < count else { return }
        // Reserves exactly this much. Twice the capacity would not be used for reading.
        buffer.reserveCapacity(count)
        buffer.append(contentsOf: repeatElement(0, count: count - buffer.count))
    }

    /// The first index at or after this one where the buffer's memory is aligned; at most `alignment - 1`
    /// further.
    private static func alignedIndex(atLeast index: Int, in buffer: [UInt8]) -> Int {
        unsafe buffer.withUnsafeBytes { bytes in
            let address = unsafe bytes.baseAddress.map { Int(bitPattern: $0) } ?? 0
            return index + (alignment - (address + index) % alignment) % alignment
        }
    }
}
