import CommandSupport

/// A line on standard error that shows the progress of a run. It is overwritten, and removed at the end.
///
/// It has no thread: the one that writes verdicts updates it.
struct Progress {
    /// Ten times a second, so that the terminal costs nothing.
    private static let interval = Duration.milliseconds(100)

    private let isShown: Bool
    /// The file's name for people.
    private let file: String
    private let totalBytes: Int?
    private var updated = ContinuousClock.now
    private var isVisible = false

    /// - Parameter totalBytes: the length of a regular file; `nil` for a pipe, whose share is not shown.
    init(isShown: Bool, file: String, totalBytes: Int?) {
        self.isShown = isShown
        self.file = file
        self.totalBytes = totalBytes
    }

    /// Shows the counts, unless they were shown a moment ago.
    mutating func update(bytes: Int, lines: Int) {
        guard isShown, updated.duration(to: .now) >= Self.interval else { return }
        updated = .now
        isVisible = true
        let share = totalBytes.map { $0 > 0 ? " (\(min(100, bytes * 100 / $0)) %)" : "" } ?? ""
        StandardError.write("\r\u{1b}[K\(file): \(lines) lines, \(bytes / 1_000_000) MB\(share)")
    }

    /// Removes the line, so that other text can be written.
    mutating func clear() {
        guard isVisible else { return }
        isVisible = false
        StandardError.write("\r\u{1b}[K")
    }
}
