import ArgumentParser

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
