import CommandSupport

/// A line on standard error that shows the progress of a run. It is overwritten, and removed at the end.
///
/// It has no thread: the one that writes the output updates it.
struct Progress {
    /// Ten times a second, so that the terminal costs nothing.
    private static let interval = Duration.milliseconds(100)

    let isShown: Bool
    private(set) var updated = ContinuousClock.now
    private(set) var isVisible = false

    /// Shows a text, unless one was shown a moment ago.
    mutating func update(_ text: () -> String) {
        guard isShown, updated.duration(to: .now) >= Self.interval else { return }
        updated = .now
        isVisible = true
        StandardError.write("\r\u{1b}[K\(text())")
    }

    /// Removes the line, so that other text can be written.
    mutating func clear() {
        guard isVisible else { return }
        isVisible = false
        StandardError.write("\r\u{1b}[K")
    }
}
