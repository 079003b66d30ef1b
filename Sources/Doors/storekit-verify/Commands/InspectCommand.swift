import ArgumentParser
import CommandSupport
import Essentials
import InspectionReports
import Platform
import SignedPayloads
import WireFormats

/// `storekit-verify inspect [TOKEN | FILE | -]`: one payload or app receipt, laid out for people.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Lay out one payload or app receipt for a person: chain, dates, content, every check.",
        discussion: """
            Unverified content is shown too, and labelled. An app receipt may be in base64 or as it is. In a mail, \
            a log or JSON, inspect takes the first payload, and names the rest on standard error.

            Exit status: 0 verified, 1 not verified, 64 usage, 66 a file can't be read, 74 output can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Flag(help: "Write one JSON object, for machines.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The line of a file with many, from 1, as verify counts them (default: that of the first payload).",
            valueName: "number"))
    var line: Int?

    @Argument(
        help: ArgumentHelp(
            "A token or the base64 of a receipt, a file that holds one, or - for standard input.",
            valueName: "input"))
    var input = FileName.standardInput

    func validate() throws {
        guard let line else { return }
        guard line > 0 else { throw ValidationError("The lines count from 1.") }
        guard !isPayload else { throw ValidationError("--line is for a file, or for standard input.") }
    }

    func run() throws {
        let revocation = policy.setup.makeRevocationChecker()
        defer { revocation?.close() }
        let verifier = try policy.setup.makeVerifier(revocation)
        let content = try line.map { try self.content(ofLine: $0, verifier.policy) } ?? self.content()
        guard let pasted = PastedText(content) else {
            StandardError.say("\(input.inputName): no payload to inspect")
            throw ExitCode.usage
        }
        for note in pasted.notes { StandardError.say(note) }
        if pasted.payloadCount > 1 {
            StandardError.say("the first of \(pasted.payloadCount) payloads is shown")
        }
        let inspection = try PastedInspection(of: pasted.first, verifier) { () throws(ExitCode) in
            try policy.setup.makeReceiptVerifier(revocation)
        }
        try StandardOutput.write(json ? inspection.json(pasted.notes) : inspection.text(style))
        guard inspection.failure == nil else { throw ExitCode.unverified }
    }

    private var style: TerminalStyle {
        TerminalStyle(
            isColored: FileDescriptor.isTerminal(FileDescriptor.standardOutput),
            environment: ProcessInfo.processInfo.environment)
    }

    /// The content of the argument, or of the file that it names.
    private func content() throws(ExitCode) -> [UInt8] {
        let limit = policy.maximumTokenBytes
        if isPayload { return input.bytes }
        // Leaves room for an object around the largest token. Longer input is not one payload.
        return try input.content(maximumBytes: limit < 1 << 40 ? limit * 2 + (1 << 20) : .max)
    }

    /// A line of an archive of any size.
    private func content(ofLine number: Int, _ policy: VerificationPolicy) throws(ExitCode) -> [UInt8] {
        let failure: String
        do throws(InputError) {
            let file = try InputError.whenCalling { () throws(SystemError) in try input.opened() }
            var reader = LineReader(file, policy.lineLimits)
            var chunk = LineReader.Chunk()
            var found: BatchLine?
            let stopRequest = try InputError.whenCalling(StopRequest.init)
            while reader.progress.lines < number, try reader.next(into: &chunk, atMost: 512, stopRequest) {
                found = chunk.text.numbers.firstIndex(of: number).map { chunk.text.lines[$0] }
            }
            switch found {
            case .content(let range)?: return Array(chunk.text.buffer[range])
            case .oversized(let bytes, let limit)?:
                failure = "is \(bytes) bytes long, and the limit is \(limit)"
            case nil where reader.progress.lines < number:
                failure = "does not exist: the input has \(reader.progress.lines) lines"
            case nil: failure = "is empty"
            }
        } catch {
            StandardError.say(unreadable: input, error)
            throw .unreadableInput
        }
        StandardError.say("\(input.inputName): line \(number) \(failure)")
        throw .usage
    }

    /// Whether the argument is the payload itself, not the name of a file.
    private var isPayload: Bool { PastedInput.kind(ofArgument: input.bytes) != nil }
}
