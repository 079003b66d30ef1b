import ArgumentParser
import OperatingSystem

/// Standard output: results, never diagnostics.
enum StandardOutput {
    /// Writes whole lines.
    ///
    /// A pipe gets them in pieces of whole lines, each of 4,096 bytes at most. Such a piece is written
    /// completely or not at all (POSIX, `PIPE_BUF`). So no line is cut if the process is ended while its
    /// reader stalls, unless the line is longer.
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

    /// Writes the whole output of a command that writes little. A reader that has closed the pipe is not a
    /// failure.
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
