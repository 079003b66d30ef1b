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
        /// Whole lines, to be verified together.
        struct Chunk: Sendable {
            var buffer: [UInt8] = []
            /// The lines that are not empty, and the number of each, from 1.
            var lines: [BatchLine] = []
            /// Empty lines have numbers too, so these may have gaps.
            var numbers: [Int] = []
            /// Where JSON is taken apart: for each token, the path of the member that held it.
            var members: [String?] = []
        }

        /// What is not handed on yet. It begins with the line that the scanner has not finished.
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
        mutating func take(atMost maximum: Int) -> Chunk? {
            var chunk = Chunk()
            if isPacked {
                guard let line = packed.take() else { return nil }
                (chunk.buffer, chunk.lines, chunk.numbers) = (buffer, [line], [1])
                buffer = []
                return chunk
            }
            // A copy: the buffer's span is a borrow of this value.
            var scanner = scanner
            while chunk.lines.count < maximum,
                let line = scanner.next(in: buffer.span, to: buffer.count, isAtEnd: isAtEnd)
            {
                chunk.lines.append(line)
                chunk.numbers.append(scanner.number)
            }
            self.scanner = scanner
            if scanner.start > 0 {
                chunk.buffer.append(buffer.span.extracting(scanner.start...))
                swap(&chunk.buffer, &buffer)
                self.scanner.move(to: 0)
            }
            dropOversized()
            return chunk.lines.isEmpty ? nil : chunk
        }

        /// The tokens of JSON of any shape, all of them.
        ///
        /// - Throws: why the text is not JSON.
        static func tokens(in json: [UInt8], _ limits: LineLimits) throws(JSONError) -> Chunk {
            var (chunk, tokens) = (Chunk(), JSONTokens(json))
            while let token = try tokens.next() {
                let start = chunk.buffer.count
                chunk.buffer += token.bytes
                chunk.lines.append(BatchLine(start..<chunk.buffer.count, of: chunk.buffer.span, limits))
                chunk.numbers.append(token.line)
                chunk.members.append(token.member)
            }
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
