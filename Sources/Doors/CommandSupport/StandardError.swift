package import ArgumentParser
package import Platform
internal import Synchronization
internal import WireFormats

/// Standard error: diagnostics, never results.
///
/// Every message is one line. It begins with the command's name and has no full stop.
package enum StandardError {
    /// The command's name. Only `CommandEntry` sets it, before anything is said.
    static let commandName = Mutex("")

    /// Keeps messages in place of writing them, while a body runs.
    private final class Messages: Sendable {
        let texts = Mutex<[String]>([])
    }

    @TaskLocal private static var kept: Messages?

    /// Runs a body whose messages belong into a log, which has a form of its own.
    ///
    /// - Returns: the body's result or error, and its messages.
    package static func keepingMessages<Success>(
        _ body: () throws -> Success
    ) -> (result: Result<Success, any Error>, messages: [String]) {
        let messages = Messages()
        let result = $kept.withValue(messages) { Result { try body() } }
        return (result, messages.texts.withLock(\.self))
    }

    /// Writes a message with hidden characters escaped.
    package static func say(_ message: String) {
        if let kept { return kept.texts.withLock { $0.append(message) } }
        write("\(commandName.withLock(\.self)): \(HiddenCharacters.escaped(in: message))\n")
    }

    /// Says why an input cannot be read.
    ///
    /// - Parameter hint: the advice, in brackets and after a space; empty for no advice.
    package static func say(unreadable file: FileName, _ error: SystemError, hint: String) {
        say("\(file.inputName.abbreviated(to: 200)): \(error)\(hint)")
    }

    /// Runs a body, and says why it fails.
    ///
    /// - Parameters:
    ///   - place: what stands before the error in the message.
    ///   - status: the exit status after a failure.
    package static func sayingWhy<Value: ~Copyable, Failure>(
        _ place: String = "", status: ExitCode, _ body: () throws(Failure) -> Value
    ) throws(ExitCode) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            say("\(place)\(error)")
            throw status
        }
    }

    /// Writes text as it is. A failure to write it is ignored.
    package static func write(_ text: String) {
        try? FileDescriptor(borrowing: FileDescriptor.standardError).write(Array(text.utf8))
    }
}
