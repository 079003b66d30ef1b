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

    /// Writes what there is.
    mutating func flush(before prepare: () -> Void) throws(SystemError) {
        guard !buffer.isEmpty else { return }
        prepare()
        try FileDescriptor(borrowing: FileDescriptor.standardOutput).write(buffer)
        buffer = []
        flushed = .now
    }
}
