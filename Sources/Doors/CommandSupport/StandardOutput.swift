package import ArgumentParser
package import Platform
internal import WireFormats

/// Standard output: results, never diagnostics.
package enum StandardOutput {
    /// `PIPE_BUF` of Linux, in bytes.
    private static let maximumPiece = 4_096

    /// Writes whole lines.
    ///
    /// A pipe gets them in pieces of whole lines, each of 4,096 bytes at most. Such a piece is written
    /// completely or not at all (POSIX, `PIPE_BUF`). So no line is cut if the process is ended while its
    /// reader stalls, unless the line is longer.
    package static func write(lines: [UInt8]) throws(SystemError) {
        let output = FileDescriptor(borrowing: FileDescriptor.standardOutput)
        guard output.isPipe else { return try output.write(lines) }
        var start = 0
        while let end = pieceEnd(of: lines, from: start) {
            try output.write(lines, start..<end)
            start = end
        }
    }

    /// The end of the longest piece of whole lines; of a line alone that is longer than a piece may be.
    private static func pieceEnd(of lines: [UInt8], from start: Int) -> Int? {
        var end: Int?
        while case let last = end ?? start, last < lines.count {
            let newline = ByteScanning.firstIndex(of: UInt8(ascii: "\n"), in: lines.span, from: last)
            let next = newline.map { $0 + 1 } ?? lines.count
            guard end == nil || next - start <= maximumPiece else { break }
            end = next
        }
        return end
    }

    /// Writes the whole output of a command that writes little. A reader that has closed the pipe is not a
    /// failure.
    package static func write(_ text: String) throws(ExitCode) {
        do throws(SystemError) {
            WriteSignals.ignore()
            try FileDescriptor(borrowing: FileDescriptor.standardOutput).write(Array(text.utf8))
        } catch {
            let status = status(after: error, otherwise: .success)
            guard status == .success else { throw status }
        }
    }

    /// Writes a text for each element, some at a time: together they may take much memory.
    package static func write<Element>(lines: [Element], _ text: (Element) -> String) throws(ExitCode) {
        var waiting = ""
        for element in lines {
            waiting += text(element)
            guard waiting.utf8.count >= 1 << 16 else { continue }
            try write(waiting)
            waiting = ""
        }
        if !waiting.isEmpty { try write(waiting) }
    }

    /// The exit status if standard output could not be written, which is reported.
    ///
    /// - Parameter status: the status if the reader has closed the pipe. That is its right, so it ends a command
    ///   early and quietly, with the status of the work until then.
    package static func status(after error: SystemError, otherwise status: ExitCode) -> ExitCode {
        if error == .brokenPipe { return status }
        StandardError.say("standard output: \(error)")
        return .unwritableOutput
    }
}
