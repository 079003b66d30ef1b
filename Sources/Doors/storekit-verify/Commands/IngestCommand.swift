import ArgumentParser
import CommandSupport
import Platform

/// `storekit-verify ingest --database FILE [FILE ...]`: signed payloads into a database.
///
/// The command exists in every build, so that a build without the database can name the missing trait.
struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Verify signed payloads, and keep them in a database.",
        discussion: """
            Reads lines as verify does, of all kinds but receipts, and puts the verified transactions, renewal \
            information, app transactions and notifications into a SQLite file, which entitlements reads. Lines \
            may come again, and in any order. Unverified lines are not kept: they are named on standard error, or \
            in a file. With exit status 0 or 1, everything else is on the disk.

            Exit status: 0 every line was verified, 1 at least one was not, 64 usage, 66 a file can't be read, \
            71 the system has no thread, descriptor or memory, 74 the database or a file can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("The database; it is made if it does not exist.", valueName: "file"),
        transform: parseText)
    var database: String

    @Option(
        help: ArgumentHelp(
            "Write the verdicts on lines that are not verified to FILE, as verify does.", valueName: "file"))
    var refused: FileName?

    @Option(
        help: ArgumentHelp(
            "Note in the --state of the fetch that writes into standard input which payloads are kept.",
            valueName: "file"))
    var state: FileName?

    @Flag(help: "The transactions were delivered to the customers already: no listener gets them.")
    var delivered = false

    @Option(help: ArgumentHelp("Verify on this many cores (default: all).", valueName: "number"))
    var jobs: Int?

    @Flag(help: "Do not list unverified lines; the exit status still reports them.")
    var quiet = false

    @Flag(help: "Write a summary to standard error at the end.")
    var summary = false

    @Flag(
        inversion: .prefixedNo, help: "Show progress on standard error (default: on a terminal, for files).")
    var progress: Bool?

    @OptionGroup var json: JSONOptions

    @Argument(help: ArgumentHelp("The files to read (default, or -: standard input).", valueName: "file"))
    var files: [FileName] = []

    func validate() throws {
        try VerifyCommand.validate(jobs: jobs)
        guard state == nil || files.allSatisfy({ $0 == .standardInput }) && !json.anyJSON else {
            throw ValidationError("--state is for the lines of a fetch in standard input.")
        }
    }
}
