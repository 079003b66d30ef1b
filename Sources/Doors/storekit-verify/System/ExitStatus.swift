import ArgumentParser
import Platform

extension ExitCode {
    /// At least one payload was not verified.
    static let unverified = ExitCode(1)
    /// The command's arguments are not valid (`EX_USAGE`).
    static let usage = ExitCode(64)
    /// A file could not be read (`EX_NOINPUT`).
    static let unreadableInput = ExitCode(66)
    /// Output could not be written (`EX_IOERR`).
    static let unwritableOutput = ExitCode(74)
    /// The system has no descriptor, thread or memory to give (`EX_OSERR` of sysexits.h).
    static let noResources = ExitCode(71)
    /// The audit came to a different verdict (`EX_SOFTWARE` of sysexits.h).
    static let auditFailed = ExitCode(70)
}

/// What a run over several inputs has met, and the exit status that follows.
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
        // A reader that closes the pipe early is not a failure.
        if error == .brokenPipe { return hasFailures ? .unverified : .success }
        StandardError.say("standard output: \(error)")
        return .unwritableOutput
    }

    /// Opens one input after the other, until a stop is requested. One that cannot be read is reported, and does not
    /// affect the others.
    ///
    /// - Parameter body: reads the input. It returns why it could not be read to its end; `nil` if it could.
    /// - Throws: what `body` throws.
    mutating func forEach<Failure>(
        of files: [FileName], _ stopRequest: StopRequest,
        _ body: (inout RunOutcome, consuming FileDescriptor, FileName) throws(Failure) -> SystemError?
    ) throws(Failure) {
        for file in files.isEmpty ? [.standardInput] : files where !stopRequest.isMade {
            guard let input = open(file) else { continue }
            if let error = try body(&self, input, file) { report(unreadable: file, error) }
        }
    }

    private mutating func open(_ file: FileName) -> FileDescriptor? {
        if file == .standardInput { return FileDescriptor(borrowing: FileDescriptor.standardInput) }
        do throws(SystemError) {
            return try FileDescriptor.open(file)
        } catch {
            report(unreadable: file, error)
            return nil
        }
    }

    private mutating func report(unreadable file: FileName, _ error: SystemError) {
        StandardError.say(unreadable: file, error)
        hasUnreadable = true
    }
}
