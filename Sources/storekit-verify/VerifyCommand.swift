import ArgumentParser
import SignedPayloads

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `storekit-verify [verify] [options] [FILE ...]`: a verdict for every line.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify one signed payload a line (the default).",
        discussion: """
            A line is a compact JWS, or a JSON object whose signedPayload, signedTransactionInfo, \
            signedTransaction, signedRenewalInfo or signedAppTransactionInfo is one.

            Exit status: 0 every line verified, 1 at least one was not, 64 usage, 66 a file can't be read, \
            74 output can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(help: ArgumentHelp("Verify on this many cores (default: all).", valueName: "number"))
    var jobs: Int?

    @Option(help: "What to write.")
    var output = OutputFormat.ndjson

    @Flag(help: "Write a summary to standard error at the end.")
    var summary = false

    @Flag(
        inversion: .prefixedNo, help: "Show progress on standard error (default: on a terminal, for files).")
    var progress: Bool?

    @Argument(help: ArgumentHelp("The files to read; none, or -, is standard input.", valueName: "file"))
    var files: [String] = []

    /// More than this many jobs are taken for this many: no machine has the cores for more.
    private static let maximumJobs = 1024

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }

    func run() throws {
        let verifier = try policy.makeVerifier()
        var run = VerificationRun(
            verifier: verifier,
            jobs: min(jobs ?? ProcessInfo.processInfo.activeProcessorCount, Self.maximumJobs), format: output,
            showsProgress: progress
                ?? (FileDescriptor.isTerminal(FileDescriptor.standardError) && !files.isEmpty
                    && !files.contains("-")))
        let status = run.verify(files.isEmpty ? ["-"] : files)
        if summary { StandardError.say(run.tally.summary) }
        run.endIfInterrupted()
        guard status == .success else { throw status }
    }
}

extension OutputFormat: ExpressibleByArgument {}
