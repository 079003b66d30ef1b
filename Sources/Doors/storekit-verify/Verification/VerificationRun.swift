import ArgumentParser
import CommandSupport
import PayloadOutput
import Platform
import SignedPayloads

/// One run over all inputs. Each core reads lines, verifies them and passes on the verdicts, which are
/// written in the order of the lines.
///
/// The job that verifies lines also reads them: their bytes are then in its core's cache, and a job needs
/// only one core.
struct VerificationRun {
    let format: OutputFormat
    let rowFormat: RowFormat
    let showsProgress: Bool
    /// Whether verdicts name their file even if there is only one.
    let namesFiles: Bool
    let takesJSONApart: Bool
    private(set) var tally = Tally()
    private let policy: VerificationPolicy
    private let context: BatchContext
    /// Made once for all inputs: each keeps its caches and buffers from file to file.
    private let jobs: [VerificationJob]

    /// The note about the engine after the run, if there is one.
    var engineNote: String? { context.engineNote }

    init(
        verifier: SignedPayloadVerifier, receipts: ReceiptVerifier, engine: BatchVerifier.Engine,
        auditor: Auditor?, jobs: Int, format: OutputFormat, rowFormat: RowFormat, showsProgress: Bool,
        namesFiles: Bool, takesJSONApart: Bool
    ) {
        policy = verifier.policy
        context = BatchContext(verifier, receipts: receipts, engine: engine)
        let context = context
        self.jobs = (0..<jobs).map { _ in VerificationJob(context, auditor: auditor) }
        self.format = format
        self.rowFormat = rowFormat
        self.showsProgress = showsProgress
        self.namesFiles = namesFiles
        self.takesJSONApart = takesJSONApart
    }

    /// Verifies all inputs, until a stop is requested. A file that cannot be read does not affect the others.
    mutating func verify(_ files: [FileName], _ stopRequest: StopRequest) -> ExitCode {
        var outcome = RunOutcome()
        do throws(SystemError) {
            try StandardOutput.write(lines: LineWriter.header(format, rows: rowFormat))
            try outcome.forEach(of: files, stopRequest) { outcome, input, name throws(SystemError) in
                try verify(input, named: name, label(of: name, among: files), stopRequest, &outcome)
            }
        } catch {
            return outcome.status(after: error)
        }
        return outcome.status
    }

    /// The name that verdicts give. Rows always name a file, and never standard input.
    private func label(of name: FileName, among files: [FileName]) -> FileName? {
        if format == .rows { return name == .standardInput ? nil : name }
        return name.label(among: files, always: namesFiles)
    }

    /// Verifies one input.
    ///
    /// - Returns: why the input could not be read to its end; `nil` if it could.
    /// - Throws: why output could not be written.
    private mutating func verify(
        _ file: consuming FileDescriptor, named name: FileName, _ label: FileName?,
        _ stopRequest: StopRequest,
        _ outcome: inout RunOutcome
    ) throws(SystemError) -> InputError? {
        let writer = LineWriter(format, rows: rowFormat, file: label?.text)
        let totalBytes = file.regularFileBytes
        file.enlargePipe(to: 1 << 20)
        FileDescriptor(borrowing: FileDescriptor.standardOutput).enlargePipe(to: 1 << 18)
        let input = InputQueue(
            LineReader(file, policy.lineLimits, takesJSONApart: takesJSONApart), stopRequest)
        // Two chunks for each job: one is being written while the other is being verified.
        let output = OrderedOutput(
            Progress(isShown: showsProgress), of: name.visible, totalBytes: totalBytes,
            chunks: jobs.count * 2, stopRequest)
        let jobs = jobs
        // All threads return before the process may end. libcrypto cleans up at its end, which must not
        // happen while a thread is inside it.
        Threads.run(jobs.count) { jobs[$0].run(input, writer, output, callAnother: $1) }

        let (read, written) = (input.outcome, output.outcome)
        tally.add(written.tally)
        tally.empty += read.emptyLines
        outcome.hasFailures = tally.failed > 0
        if written.isDisputed { outcome.isDisputed = true }
        if let failure = written.failure { throw failure }
        return read.failure
    }
}
