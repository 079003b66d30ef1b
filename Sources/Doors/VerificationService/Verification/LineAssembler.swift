#if Service
    internal import AppReceipts
    internal import NIOCore
    internal import SignedPayloads
    internal import WireFormats

    /// Puts the parts of a body together to lines. A line that is too long is counted, not held in memory.
    ///
    /// Lines are numbered, trimmed and skipped by `LineScanner`, as at every other door. This type only keeps
    /// the bytes.
    struct LineAssembler {
        /// The bytes that are not handed on yet. They begin with the line that the scanner has not finished.
        private var buffer: [UInt8] = []
        private var scanner: LineScanner
        private var isAtEnd = false
        /// How many bytes have come.
        private var bytes = 0
        /// The line that stands for a packed body, until it is taken. The rest of the body is passed over.
        private var packed: BatchLine?
        private var isPacked = false

        init(_ limits: LineLimits) { scanner = LineScanner(limits) }

        /// The bytes that wait.
        var count: Int { buffer.count }

        /// Whether nothing waits.
        var isEmpty: Bool { buffer.isEmpty && !scanner.isSkipping }

        /// - Complexity: linear in the part. Lines are looked for by `take(atMost:)`, once.
        mutating func append(_ part: ByteBuffer) {
            guard !isPacked else { return }
            buffer += part.readableBytesView
            if bytes < MistakenInput.packedBytes, scanner.number == 0 {
                packed = BatchLine(packed: buffer.span)
                isPacked = packed != nil
            }
            bytes += part.readableBytes
            if scanner.isSkipping { dropOversized() }
        }

        /// No part follows.
        mutating func finish() { isAtEnd = true }

        /// Takes whole lines, at most this many; `nil` if there is none.
        ///
        /// The chunk gets the buffer with the lines, and only the rest behind them is copied.
        mutating func take(atMost maximum: Int) -> LineChunk? {
            if isPacked {
                guard let line = packed.take() else { return nil }
                defer { buffer = [] }
                return LineChunk(packed: line, of: buffer)
            }
            var chunk = LineChunk()
            swap(&chunk.buffer, &buffer)
            chunk.appendLines(by: &scanner, to: chunk.buffer.count, isAtEnd: isAtEnd, atMost: maximum)
            if scanner.start > 0 {
                buffer.append(chunk.buffer.span.extracting(scanner.start...))
                scanner.move(to: 0)
            } else {
                swap(&chunk.buffer, &buffer)
            }
            dropOversized()
            return chunk.lines.isEmpty ? nil : chunk
        }

        /// The tokens of JSON of any shape, all of them.
        ///
        /// - Throws: why the text is not JSON.
        static func tokens(in json: [UInt8], _ limits: LineLimits) throws(JSONError) -> LineChunk {
            var (chunk, tokens) = (LineChunk(), JSONTokens(json))
            while let token = try tokens.next() { chunk.append(token, limits) }
            return chunk
        }

        /// A line that is longer than the limit gives its verdict at its end, and holds no memory until then.
        private mutating func dropOversized() {
            var scanner = scanner
            let isDropped = scanner.dropOversized(in: buffer.span, to: buffer.count)
            if isDropped {
                buffer = []
                scanner.move(to: 0)
            }
            self.scanner = scanner
        }
    }
#endif
