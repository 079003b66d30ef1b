import ArgumentParser
import CommandSupport
import Platform
import SignedPayloads

/// The failures of a run over several inputs, and the exit status that follows.
///
/// All commands that read inputs have one, so that the same failures give the same status everywhere.
struct RunOutcome {
    var hasFailures = false
    var hasUnreadable = false
    var isDisputed = false

    /// An audit that failed counts more than an input that could not be read, and that more than a failure.
    var status: ExitCode {
        isDisputed
            ? .auditFailed : hasUnreadable ? .unreadableInput : hasFailures ? .unverified : .success
    }

    /// The status if standard output could not be written, which is reported.
    func status(after error: SystemError) -> ExitCode {
        StandardOutput.status(after: error, otherwise: hasFailures ? .unverified : .success)
    }

    /// Opens one input after the other, until a stop is requested. An unreadable input is reported, and does not
    /// affect the others.
    ///
    /// - Parameter body: reads the input. It returns why it could not be read to its end; `nil` if it could.
    /// - Throws: the error of `body`.
    mutating func forEach<Failure>(
        of files: [FileName], _ stopRequest: StopRequest,
        _ body: (inout RunOutcome, consuming FileDescriptor, FileName) throws(Failure) -> InputError?
    ) throws(Failure) {
        for file in files.isEmpty ? [.standardInput] : files where !stopRequest.isMade {
            guard let input = open(file) else { continue }
            if let error = try body(&self, input, file) { report(unreadable: file, error) }
        }
    }

    /// - Returns: `nil` after a message, if the system does not open the file.
    private mutating func open(_ file: FileName) -> FileDescriptor? {
        do throws(SystemError) {
            return try file.opened()
        } catch {
            report(unreadable: file, .system(error))
            return nil
        }
    }

    private mutating func report(unreadable file: FileName, _ error: InputError) {
        StandardError.say(unreadable: file, error)
        hasUnreadable = true
    }
}

extension StandardError {
    /// Says why an input cannot be read.
    static func say(unreadable file: FileName, _ error: SystemError) {
        say(unreadable: file, error, hint: file.hint)
    }
}

extension FileName {
    /// The content of the file, or of standard input for `-`.
    ///
    /// - Throws: the exit status, after a message, if it cannot be read.
    func content(maximumBytes: Int) throws(ExitCode) -> [UInt8] {
        try content(maximumBytes: maximumBytes, hint: hint)
    }

    /// The advice if it cannot be read: giving a token in place of a file's name is an easy mistake.
    fileprivate var hint: String {
        switch PastedInput.kind(ofArgument: bytes) {
        case .token?: " (a token? inspect takes one, verify reads a pipe)"
        case .receipt?: " (a receipt? inspect takes one, verify and receipt read a pipe)"
        case .object?, nil: ""
        }
    }
}
