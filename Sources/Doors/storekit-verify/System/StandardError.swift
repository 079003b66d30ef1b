import Platform
import VerificationReports
import WireFormats

/// Standard error: diagnostics, never results.
///
/// Every message is one line. It begins with the command's name and has no full stop.
enum StandardError {
    /// Writes a message with hidden characters escaped.
    static func say(_ message: String) { write("storekit-verify: \(visible(message))\n") }

    /// Says why an input cannot be read. Giving a token in place of a file's name is an easy mistake.
    static func say(unreadable file: FileName, _ error: SystemError) {
        let input = file.text
        let name = file == .standardInput ? "standard input" : input.abbreviated(to: 200)
        let looksLikeToken = input.hasPrefix("ey") && input.utf8.count { $0 == UInt8(ascii: ".") } == 2
        let hint =
            looksLikeToken
            ? " (a token? inspect takes one, verify reads a pipe)"
            : input.looksLikeReceipt ? " (a receipt? inspect takes one, verify and receipt read a pipe)" : ""
        say("\(name): \(error)\(hint)")
    }

    /// Writes text as it is. A failure to write it is ignored.
    static func write(_ text: String) {
        try? FileDescriptor(borrowing: FileDescriptor.standardError).write(Array(text.utf8))
    }
}
