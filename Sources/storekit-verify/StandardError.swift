/// Standard error: diagnostics, never results.
///
/// Every message is one line, begins with the command's name and has no full stop.
enum StandardError {
    /// Writes a message.
    static func say(_ message: String) { write("storekit-verify: \(message)\n") }

    /// Writes text as it is. That nobody can read it is no reason to fail.
    static func write(_ text: String) {
        try? FileDescriptor(borrowing: FileDescriptor.standardError).write(Array(text.utf8))
    }
}
