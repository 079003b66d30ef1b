import AppReceipts
import ArgumentParser
import CommandSupport
import InspectionReports
import Platform
import SignedPayloads
import WireFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `storekit-verify inspect [TOKEN | FILE | -]`: one payload or app receipt, laid out for people.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Lay out one payload or app receipt for a person: chain, dates, content, every check.",
        discussion: """
            Unverified content is shown too, and labelled. An app receipt may be in base64 or as it is. Exit \
            status: 0 verified, 1 not verified, 64 usage, 66 a file can't be read, 74 output can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Flag(help: "Write one JSON object, for machines.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The line of a file with many, from 1, as verify counts them (default: the first that is not empty).",
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
        guard !isToken else { throw ValidationError("--line is for a file, or for standard input.") }
    }

    func run() throws {
        let revocation = policy.makeRevocationChecker()
        defer { revocation?.close() }
        let verifier = try policy.makeVerifier(revocation)
        let content = try line.map { try self.content(ofLine: $0, verifier.policy) } ?? self.content()
        let (text, isVerified) =
            ReceiptText.isLikely(file: content)
            ? try inspectReceipt(content, revocation) : inspectPayload(try line(of: content), verifier)
        try StandardOutput.write(text)
        guard isVerified else { throw ExitCode.unverified }
    }

    private func inspectPayload(
        _ line: [UInt8], _ verifier: SignedPayloadVerifier
    ) -> (text: String, isVerified: Bool) {
        let inspection = verifier.inspect(line: line.span)
        let text = json ? InspectionJSON.text(for: inspection) + "\n" : layout.text(for: inspection)
        return (text, (try? inspection.verdict.get()) != nil)
    }

    private func inspectReceipt(
        _ content: [UInt8], _ revocation: RevocationChecker?
    ) throws(ExitCode) -> (text: String, isVerified: Bool) {
        let inspection = try policy.makeReceiptVerifier(revocation)
            .inspect(file: firstReceipt(in: content))
        let text = json ? InspectionJSON.text(for: inspection) + "\n" : layout.text(for: inspection)
        return (text, (try? inspection.verdict.get()) != nil)
    }

    private var layout: InspectionText {
        InspectionText(
            style: TerminalStyle(
                isColored: FileDescriptor.isTerminal(FileDescriptor.standardOutput),
                environment: ProcessInfo.processInfo.environment))
    }

    /// The content of the argument, or of the file that it names.
    private func content() throws(ExitCode) -> [UInt8] {
        let limit = policy.maximumTokenBytes
        if isToken { return input.bytes }
        // Leaves room for an object around the largest token. Longer input is not one payload.
        return try input.content(maximumBytes: limit < 1 << 40 ? limit * 2 + (1 << 20) : .max)
    }

    /// A line of an archive of any size.
    private func content(ofLine number: Int, _ policy: VerificationPolicy) throws(ExitCode) -> [UInt8] {
        let failure: String
        do throws(SystemError) {
            let file =
                input == .standardInput
                ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try FileDescriptor.open(input)
            var reader = LineReader(file, policy.lineLimits)
            var chunk = LineReader.Chunk()
            var found: BatchLine?
            let stopRequest = try StopRequest()
            while reader.progress.lines < number, try reader.next(into: &chunk, atMost: 512, stopRequest) {
                found = chunk.numbers.firstIndex(of: number).map { chunk.lines[$0] }
            }
            switch found {
            case .content(let range)?: return Array(chunk.buffer[range])
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
        StandardError.say("\(name): line \(number) \(failure)")
        throw .usage
    }

    /// The input's name in messages.
    private var name: String { input == .standardInput ? "standard input" : input.text }

    /// The first line of the input that is not empty, or the whole input if it is one JSON object.
    private func line(of content: [UInt8]) throws(ExitCode) -> [UInt8] {
        // An object may have several lines, as stored webhook bodies often do.
        let object = Array(content.drop { $0 <= 0x20 })
        if object.first == UInt8(ascii: "{"), (try? JSONObject(object.span, wanted: MemberNames([]))) != nil {
            return object
        }
        let lines = lines(of: content)
        guard let first = lines.first else {
            StandardError.say("\(name): no payload to inspect")
            throw .usage
        }
        if lines.count > 1 { StandardError.say("the first of \(lines.count) lines is shown") }
        return Array(first)
    }

    /// The first receipt, if there are several, one a line. Otherwise the whole input, because the base64 of
    /// one receipt may have line breaks.
    private func firstReceipt(in content: [UInt8]) -> [UInt8] {
        guard content.starts(with: "MI".utf8) else { return content }
        let lines = lines(of: content)
        guard let first = lines.first, lines.count > 1, lines.allSatisfy({ $0.starts(with: "MI".utf8) })
        else { return content }
        StandardError.say("the first of \(lines.count) lines is shown")
        return Array(first)
    }

    /// The lines that are not empty.
    private func lines(of content: [UInt8]) -> [ArraySlice<UInt8>] {
        content.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }.filter { !$0.isEmpty }
    }

    /// Whether the argument is the payload itself, not the name of a file.
    private var isToken: Bool {
        let input = input.text
        if input.hasPrefix("{") || input.looksLikeReceipt { return true }
        return input.utf8.count { $0 == UInt8(ascii: ".") } == 2 && input.hasPrefix("eyJ")
    }
}

extension String {
    /// Whether it is the base64 of a receipt, not the name of a file. Few file names are this long and have
    /// no dot.
    var looksLikeReceipt: Bool {
        hasPrefix("MI") && utf8.count > 128
            && utf8.allSatisfy { byte in
                Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                    || "+/=".utf8.contains(byte)
            }
    }
}
