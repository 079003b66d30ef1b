#if Service
    internal import NIOCore
    internal import SignedPayloads
    internal import WireFormats

    /// Puts the parts of a body together to lines. A line that is too long is counted, not held in memory.
    struct LineAssembler {
        /// Whole lines, to be verified together.
        struct Chunk: Sendable {
            var buffer: [UInt8] = []
            /// The lines that are not empty, and the number of each, from 1.
            var lines: [BatchLine] = []
            var numbers: [Int] = []

            /// The place of a line's bytes; an empty one if they were not kept.
            func place(of line: Int) -> Range<Int> {
                switch lines[line] {
                case .content(let range): range
                case .oversized: 0..<0
                }
            }
        }

        private let limits: LineLimits
        /// What is not handed on yet.
        private var buffer: [UInt8] = []
        /// The number of lines that were handed on, or skipped.
        private var number = 0
        /// The line that is being skipped: its bytes so far, its limit, and whether the last byte was a carriage return.
        private var skipped: (bytes: Int, limit: Int, endsInReturn: Bool)?
        /// Lines that were skipped to their end, and not handed on yet.
        private var oversized: [(line: BatchLine, number: Int)] = []
        private var isAtEnd = false

        init(_ limits: LineLimits) { self.limits = limits }

        /// The bytes that wait.
        var count: Int { buffer.count }

        /// Whether nothing waits.
        var isEmpty: Bool { buffer.isEmpty && oversized.isEmpty }

        mutating func append(_ part: ByteBuffer) {
            guard skipped != nil else { return buffer += part.readableBytesView }
            skip(Array(buffer: part))
        }

        /// No part follows.
        mutating func finish() {
            isAtEnd = true
            if skipped != nil { endSkipped() }
        }

        /// Takes whole lines, at most this many; `nil` if there is none.
        mutating func take(atMost maximum: Int) -> Chunk? {
            var chunk = Chunk()
            // A line that was skipped stands before all that is in the buffer.
            for (line, number) in oversized {
                chunk.lines.append(line)
                chunk.numbers.append(number)
            }
            oversized.removeAll()
            var scanner = LineScanner(after: number)
            while chunk.lines.count < maximum {
                var next = scanner
                guard let range = next.next(in: buffer.span, before: buffer.count) else {
                    scanner = next
                    break
                }
                // Without its end, a line is one only at the end of the body.
                guard next.start <= buffer.count || isAtEnd else { break }
                scanner = next
                chunk.lines.append(BatchLine(range, of: buffer.span, limits))
                chunk.numbers.append(scanner.number)
            }
            number = scanner.number
            keepRest(from: min(scanner.start, buffer.count), in: &chunk)
            return chunk.lines.isEmpty ? nil : chunk
        }

        private mutating func keepRest(from start: Int, in chunk: inout Chunk) {
            var rest: [UInt8] = []
            rest.append(buffer.span.extracting(start...))
            swap(&rest, &buffer)
            chunk.buffer = rest
            let limit = limits.maximumBytes(of: buffer.span)
            // The last byte may be the carriage return of the line's end, which is not counted.
            guard buffer.count - 1 > limit,
                ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: buffer.span, from: 0) == nil
            else { return }
            skipped = (buffer.count, limit, buffer.last == UInt8(ascii: "\r"))
            buffer = []
        }

        private mutating func skip(_ bytes: [UInt8]) {
            let end = ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: bytes.span, from: 0)
            let line = bytes[..<(end ?? bytes.count)]
            skipped?.bytes += line.count
            if let last = line.last { skipped?.endsInReturn = last == UInt8(ascii: "\r") }
            guard let end else { return }
            endSkipped()
            buffer = Array(bytes[(end + 1)...])
        }

        private mutating func endSkipped() {
            guard let line = skipped else { return }
            number += 1
            let bytes = line.bytes - (line.endsInReturn ? 1 : 0)
            oversized.append((.oversized(bytes: bytes, limit: line.limit), number))
            skipped = nil
        }
    }
#endif
