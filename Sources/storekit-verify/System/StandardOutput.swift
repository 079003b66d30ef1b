import ArgumentParser

/// Standard output: results, never diagnostics.
enum StandardOutput {
    /// Writes whole lines.
    ///
    /// To a pipe they go in whole lines of no more than 4,096 bytes together, which go through or do not (POSIX,
    /// `PIPE_BUF`): whoever ends the process while its reader stalls cuts no line then, unless it is longer.
    static func write(lines: [UInt8]) throws(SystemError) {
        let output = FileDescriptor(borrowing: FileDescriptor.standardOutput)
        guard output.isPipe else { return try output.write(lines) }
        let newline = UInt8(ascii: "\n")
        var start = 0
        while start < lines.count {
            var end = min(start + 4_096, lines.count)
            if end < lines.count {
                end =
                    lines[start..<end].lastIndex(of: newline).map { $0 + 1 }
                    ?? lines[end...].firstIndex(of: newline).map { $0 + 1 } ?? lines.count
            }
            try output.write(lines, start..<end)
            start = end
        }
    }

    /// Writes what a command that writes little has to say, as it is. A reader that went away is no failure.
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
