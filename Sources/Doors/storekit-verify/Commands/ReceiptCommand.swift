import ArgumentParser
import CommandSupport
import Essentials
public import PayloadOutput
import Platform
import SignedPayloads

/// `storekit-verify receipt [FILE ...]`: a verdict for every app receipt.
struct ReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Verify app receipts, one a file.",
        discussion: """
            A file holds the receipt of Bundle.main.appStoreReceiptURL, as it is or in base64. For a file with \
            one base64 receipt a line, use verify.

            --receipt-json answers with status 0, 21002 (malformed, too large or without a date), 21003 (not \
            authentic, or of another app or device), 21005 (no answer about revocation), 21007 (of the \
            sandbox, and only production is accepted) or 21008 (the reverse). With several files, each \
            object names its file in the member file.

            Exit status: 0 every receipt verified, 1 at least one was not, 64 usage, 66 a file can't be \
            read, 71 the system has no thread, descriptor or memory, 74 output can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp(
            """
            Accept receipts made for the Mac with this network address only, in place of --device-id: six \
            bytes in hexadecimal, such as 3c:07:54:0a:1b:2c.
            """,
            valueName: "address"))
    var macAddress: MACAddress?

    @Option(help: "The form of the output (default: ndjson).")
    var output: ReceiptOutput?

    @Flag(
        name: .customLong("receipt-json"),
        help: "Write the answer of Apple's verifyReceipt endpoint, as far as a receipt has its values.")
    var receiptJSON = false

    @Option(
        help: ArgumentHelp("The request date of --receipt-json (ISO 8601; default: now).", valueName: "date"),
        transform: parseDate)
    var at: Date?

    @Flag(
        name: .customLong("transaction-ids"),
        help: "Write the transaction identifiers of the purchases, one object a purchase.")
    var transactionIDs = false

    @Argument(help: ArgumentHelp("The files to read (default, or -: standard input).", valueName: "file"))
    var files: [FileName] = []

    func validate() throws {
        if macAddress != nil, policy.deviceIdentifier != nil {
            throw ValidationError("--mac-address and --device-id are two ways to name one device; give one.")
        }
        let forms = [output != nil, receiptJSON, transactionIDs].count { $0 }
        if forms > 1 {
            throw ValidationError("--output, --receipt-json and --transaction-ids exclude each other.")
        }
        if at != nil, !receiptJSON { throw ValidationError("--at is the request date of --receipt-json.") }
    }

    func run() throws {
        let revocation = policy.setup.makeRevocationChecker()
        defer { revocation?.close() }
        let verifier = try policy.setup.makeReceiptVerifier(revocation, deviceIdentifier: macAddress?.bytes)
        let files = files.isEmpty ? [.standardInput] : files
        var run = ReceiptRun(
            verifier: verifier, writer: ReceiptWriter(form: form), namesFiles: files.count > 1)
        let interruption = try Interruption.start()
        let status = run.verify(files, interruption.request)
        interruption.endProcess()
        guard status == .success else { throw status }
    }

    private var form: ReceiptWriter.Form {
        // The answer has a request date, but no verdict depends on it.
        if receiptJSON { return .response(requestDate: at ?? Date()) }
        return transactionIDs ? .transactionIDs : .verdict(output ?? .ndjson)
    }
}

extension ReceiptOutput: ExpressibleByArgument {}

/// One run over all files, in their order.
///
/// Receipts are verified one by one: a file holds one, and its signature is RSA, which no batch speeds up.
struct ReceiptRun {
    let verifier: ReceiptVerifier
    let writer: ReceiptWriter
    /// Whether each object names its file.
    let namesFiles: Bool
    private(set) var outcome = RunOutcome()

    /// Verifies all files, until a stop is requested. A file that cannot be read does not affect the others.
    mutating func verify(_ files: [FileName], _ stopRequest: StopRequest) -> ExitCode {
        do throws(SystemError) {
            for file in files where !stopRequest.isMade {
                try verify(file, stopRequest)
            }
        } catch {
            return outcome.status(after: error)
        }
        return outcome.status
    }

    /// Verifies a file. Throws if output cannot be written.
    private mutating func verify(_ file: FileName, _ stopRequest: StopRequest) throws(SystemError) {
        let limit = verifier.policy.maximumTokenBytes
        let read: ReceiptFile?
        do throws(SystemError) {
            // A line break at the end does not count towards the limit. The verifier decides whether there is
            // one.
            let room = limit.addingReportingOverflow(2)
            read = try ReceiptFile.read(
                file, maximumBytes: room.overflow ? limit : room.partialValue, stopRequest)
        } catch {
            StandardError.say(unreadable: file, error)
            outcome.hasUnreadable = true
            return
        }
        switch read {
        case nil: break
        case .tooLarge(let bytes):
            try fail(.tooLarge(bytes: bytes, limit: limit), content: nil, file)
        case .content(let content):
            let receipt: VerifiedReceipt
            do throws(PayloadError) {
                receipt = try verifier.verify(file: content)
            } catch {
                return try fail(error, content: content, file)
            }
            try write(writer.text(for: receipt, content: content, file: namesFiles ? file.text : nil))
        }
    }

    /// - Parameter content: the file's content; `nil` if it was not kept.
    private mutating func fail(
        _ error: PayloadError, content: [UInt8]?, _ file: FileName
    ) throws(SystemError) {
        outcome.hasFailures = true
        if writer.leavesOutFailures {
            StandardError.say("\(file.inputName): \(error)")
        }
        try write(writer.text(for: error, content: content, file: namesFiles ? file.text : nil))
    }

    private func write(_ text: [UInt8]) throws(SystemError) {
        try FileDescriptor(borrowing: FileDescriptor.standardOutput).write(text)
    }
}
