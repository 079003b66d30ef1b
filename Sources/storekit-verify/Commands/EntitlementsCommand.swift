import ArgumentParser
import SignedPayloads
import StoreKitVerify
import VerificationReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `storekit-verify entitlements [FILE ...]`: what a customer owns, according to signed payloads.
struct EntitlementsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitlements",
        abstract: "List what customers own, by signed transactions, renewal information and notifications.",
        discussion: """
            Reads lines as verify does, in any order, of all kinds but receipts. Unverified lines are left \
            out and reported on standard error. Writes one entitlement a line, by StoreKit's rules for \
            Transaction.currentEntitlements: laid out on a terminal, as NDJSON in a pipe. Each says whose it \
            is, in which app and environment: purchases are one customer's if they share an account token or \
            a download. Memory grows with the transactions.

            With --database, reads a database that ingest made. One customer's purchases are found in it \
            without reading the others.

            Exit status: 0 every line was verified, 1 at least one was not, 64 usage, 66 a file can't be \
            read, 74 output can't be written.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("Read this database, and no lines.", valueName: "file"), transform: parseText)
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            Whose purchases to look at: an appAccountToken (a UUID), or app-transaction:ID, or \
            original-transaction:ID. Give several names of one customer one by one (default: all customers).
            """, valueName: "customer"),
        transform: Customer.Name.init(argument:))
    var customer: [Customer.Name] = []

    @Option(
        help: ArgumentHelp("At this instant (ISO 8601; default: now).", valueName: "date"),
        transform: parseDate)
    var at: Date?

    @Option(
        name: [.customLong("format"), .customLong("output")],
        help: "What to write (default: text on a terminal, ndjson elsewhere; json is ndjson).")
    var output: EntitlementOutput?

    @Flag(help: "Do not name the lines that are not verified; the exit status still tells.")
    var quiet = false

    @Flag(help: "Write a summary to standard error at the end.")
    var summary = false

    @Argument(help: ArgumentHelp("The files to read; none, or -, is standard input.", valueName: "file"))
    var files: [FileName] = []

    func validate() throws {
        guard database == nil || files.isEmpty else {
            throw ValidationError("With --database, no files are read. Put them in it with ingest.")
        }
    }

    func run() throws {
        let revocation = policy.makeRevocationChecker()
        defer { revocation?.close() }
        let verifier = try policy.makeVerifier(revocation)
        // Entitlements depend on an instant: without `--at`, the clock gives it.
        let instant = at ?? Date()
        var reading = PurchaseReading(verifier, namesFailures: !quiet)
        let status = try database.map { try reading.read(database: $0, customer) } ?? reading.read(files)
        let isTerminal = FileDescriptor.isTerminal(FileDescriptor.standardOutput)
        let entitlements = Entitlement.all(
            in: reading.history, of: customer.isEmpty ? nil : Customer(customer), at: instant)
        switch output ?? (isTerminal ? .text : .ndjson) {
        case .json, .ndjson: try StandardOutput.write(entitlements.map { $0.json + "\n" }.joined())
        case .text:
            let style = TerminalStyle(
                isColored: isTerminal, environment: ProcessInfo.processInfo.environment)
            try StandardOutput.write(EntitlementText(style: style).text(for: entitlements, at: instant))
        }
        if let note = reading.engineNote { StandardError.say("note: \(note)") }
        if summary { StandardError.say(reading.tally.summary) }
        guard status == .success else { throw status }
    }
}

/// How entitlements are written.
enum EntitlementOutput: String, CaseIterable, ExpressibleByArgument {
    /// Laid out for people.
    case text
    /// One JSON object a line.
    case ndjson
    /// The same.
    case json
}

extension Customer.Name {
    /// Reads a name from an argument.
    init(argument: String) throws {
        guard let argument = RawArgument.text(of: argument) else {
            throw ValidationError("'\(argument)' is not UTF-8.")
        }
        guard let name = Self(argument) else {
            throw ValidationError(
                "'\(argument)' is not a UUID, nor app-transaction:ID, nor original-transaction:ID.")
        }
        self = name
    }
}
