/// Standard output, written in large pieces of whole lines.
struct BufferedOutput {
    /// What is collected before it is written, as long as it is not due for another reason.
    private static let bytes = 1 << 16
    /// How long a verdict may wait for others: well within the 50 ms that are promised.
    private static let delay = Duration.milliseconds(15)

    private var buffer: [UInt8] = []
    private var flushed = ContinuousClock.now

    /// Adds whole lines.
    mutating func append(_ lines: [UInt8]) {
        if buffer.isEmpty { buffer = lines } else { buffer.append(contentsOf: lines) }
    }

    /// Writes what there is, if it is much or old.
    mutating func flushIfDue(before prepare: () -> Void) throws(SystemError) {
        guard buffer.count >= Self.bytes || flushed.duration(to: .now) >= Self.delay else { return }
        try flush(before: prepare)
    }

    /// Writes to a pipe in whole lines of no more than 4,096 bytes together, which go through or do not
    /// (POSIX, `PIPE_BUF`): whoever ends the process while its reader stalls cuts no line then, unless it is
    /// longer.
    private func write(_ output: borrowing FileDescriptor) throws(SystemError) {
        guard output.isPipe else { return try output.write(buffer) }
        var start = 0
        while start < buffer.count {
            var end = min(start + 4_096, buffer.count)
            if end < buffer.count {
                let newline = UInt8(ascii: "\n")
                end =
                    buffer[start..<end].lastIndex(of: newline).map { $0 + 1 }
                    ?? buffer[end...].firstIndex(of: newline).map { $0 + 1 } ?? buffer.count
            }
            try output.write(Array(buffer[start..<end]))
            start = end
        }
    }

    /// Writes what there is.
    mutating func flush(before prepare: () -> Void) throws(SystemError) {
        guard !buffer.isEmpty else { return }
        prepare()
        try write(FileDescriptor(borrowing: FileDescriptor.standardOutput))
        buffer = []
        flushed = .now
    }
}
