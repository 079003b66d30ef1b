package import ArgumentParser

/// The exit statuses of both commands, and the reason for each. Their numbers are those of sysexits.h.
extension ExitCode {
    /// At least one payload was not verified, or a notification was not accepted.
    package static let unverified = ExitCode(1)
    /// The command's arguments are not valid, or a file that they name asks for something impossible (`EX_USAGE`).
    package static let usage = ExitCode(64)
    /// A file could not be read (`EX_NOINPUT`).
    package static let unreadableInput = ExitCode(66)
    /// The App Store could not be asked, or refuses the key (`EX_UNAVAILABLE`).
    package static let unavailable = ExitCode(69)
    /// The audit came to a different verdict (`EX_SOFTWARE`).
    package static let auditFailed = ExitCode(70)
    /// The system has no descriptor, thread, port or memory to give (`EX_OSERR`).
    package static let noResources = ExitCode(71)
    /// Output could not be written (`EX_IOERR`).
    package static let unwritableOutput = ExitCode(74)
}
