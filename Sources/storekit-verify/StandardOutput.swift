import ArgumentParser

/// Standard output for commands that write little: results, never diagnostics.
enum StandardOutput {
    /// Writes text as it is. A reader that went away is no failure.
    static func write(_ text: String) throws(ExitCode) {
        do throws(SystemError) {
            ignoreWriteSignals()
            try FileDescriptor(borrowing: FileDescriptor.standardOutput).write(Array(text.utf8))
        } catch {
            guard error != .brokenPipe else { return }
            StandardError.say("standard output: \(error)")
            throw .unwritableOutput
        }
    }
}
