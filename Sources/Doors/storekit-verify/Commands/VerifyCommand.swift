public import ArgumentParser
import CommandSupport
import Essentials
public import PayloadOutput
import Platform
public import SignedPayloads

/// `storekit-verify [verify] [options] [FILE ...]`: a verdict for every line.
///
/// The default subcommand, for pipes. Its manners are those of a filter, and `Interruption` ends it
/// cleanly.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify one signed payload a line (the default).",
        discussion: """
            A line is a compact JWS, or a JSON object whose signedPayload, signedTransactionInfo, \
            signedTransaction, signedRenewalInfo or signedAppTransactionInfo is one, or an app receipt in \
            base64.

            Exit status: 0 every line verified, 1 at least one was not, 64 usage, 66 a file can't be read, \
            70 an audit found a difference, 71 the system has no thread, descriptor or memory, 74 output \
            can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(help: ArgumentHelp("Verify on this many cores (default: all).", valueName: "number"))
    var jobs: Int?

    @Option(help: "The form of the output.")
    var output = OutputFormat.ndjson

    @Option(help: "How to write rows (default: ndjson).")
    var format: RowFormat?

    @Option(
        help: "The engine for signatures of frequent keys: auto takes the fastest; verdicts are the same.")
    var engine = BatchVerifier.Engine.auto

    @Flag(help: "Decide every line a second time with libcrypto alone, and fail on any difference.")
    var audit = false

    @Flag(help: "Write a summary to standard error at the end.")
    var summary = false

    @Flag(
        inversion: .prefixedNo, help: "Show progress on standard error (default: on a terminal, for files).")
    var progress: Bool?

    @Flag(help: "Name the file in every verdict, also where it is the only one.")
    var withFilename = false

    @OptionGroup var json: JSONOptions

    @Argument(help: ArgumentHelp("The files to read (default, or -: standard input).", valueName: "file"))
    var files: [FileName] = []

    /// The maximum number of jobs; a higher number is lowered to it. Each job takes memory of its own.
    private static let maximumJobs = 64

    func validate() throws {
        try Self.validate(jobs: jobs)
        if format == .csv, output != .rows { throw ValidationError("--format csv is for --output rows.") }
    }

    /// No upper limit is an error, so that one command line fits machines of all sizes.
    static func validate(jobs: Int?) throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }

    /// The number of jobs for the option's value.
    static func number(ofJobs jobs: Int?) -> Int {
        min(jobs ?? ProcessInfo.processInfo.activeProcessorCount, maximumJobs)
    }

    /// Whether to show progress, for the option's value.
    ///
    /// Not for a pipe: its length is unknown, and its writer may use the same terminal.
    static func showsProgress(_ progress: Bool?, _ files: [FileName]) -> Bool {
        progress
            ?? (FileDescriptor.isTerminal(FileDescriptor.standardError) && !files.isEmpty
                && !files.contains(.standardInput))
    }

    func run() throws {
        let revocation = policy.setup.makeRevocationChecker()
        defer { revocation?.close() }
        let verifier = try policy.setup.makeVerifier(revocation)
        var run = VerificationRun(
            verifier: verifier, receipts: try policy.setup.makeReceiptVerifier(revocation), engine: engine,
            auditor: audit ? try Auditor(policy, revocation) : nil, jobs: Self.number(ofJobs: jobs),
            format: output, rowFormat: format ?? .ndjson, showsProgress: Self.showsProgress(progress, files),
            namesFiles: withFilename, takesJSONApart: json.anyJSON)
        let interruption = try Interruption.start()
        let status = run.verify(files, interruption.request)
        if let note = run.engineNote { StandardError.say("note: \(note)") }
        if summary { StandardError.say(run.tally.summary) }
        interruption.endProcess()
        guard status == .success else { throw status }
    }
}

extension OutputFormat: ExpressibleByArgument {}

extension RowFormat: ExpressibleByArgument {}

extension BatchVerifier.Engine: ExpressibleByArgument {}
