import ArgumentParser
import Foundation
import WireFormats

/// Standard output and standard error.
enum Output {
    /// Writes results. A reader that has closed the pipe ends the command quietly.
    ///
    /// - Throws: the exit status 74 (`EX_IOERR`), after a message, if they cannot be written.
    static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            guard errno != EPIPE else { throw ExitCode.success }
            say("standard output: it cannot be written")
            throw ExitCode.unwritableOutput
        }
    }

    /// Writes a file.
    ///
    /// - Throws: the exit status 74 (`EX_IOERR`), after a message, if it cannot be written.
    static func write(_ text: String, toFile path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            say("\(path): it cannot be written")
            throw ExitCode.unwritableOutput
        }
    }

    /// Writes a diagnostic of one line.
    static func say(_ message: String) {
        let line = "storekit-test: \(HiddenCharacters.escaped(in: message))\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}

extension ExitCode {
    /// A notification was not accepted.
    static let refused = ExitCode(1)
    /// A file says something that cannot be simulated (`EX_DATAERR`).
    static let badData = ExitCode(65)
    /// A file could not be read (`EX_NOINPUT`).
    static let unreadableInput = ExitCode(66)
    /// The port cannot be had (`EX_UNAVAILABLE`).
    static let unavailable = ExitCode(69)
    /// Something could not be written (`EX_IOERR`).
    static let unwritableOutput = ExitCode(74)
}
