import ArgumentParser
import CommandSupport
import Essentials
import PayloadOutput
import Platform
import SignedPayloads
import StoreKitVerify

/// The options of commands that look at customers' purchases: which payloads to read, whose, and at which instant.
struct PurchaseOptions: ParsableArguments {
    /// What the commands with these options end with, for their help.
    static let exitStatuses = """
        Exit status: 0 every line was verified, 1 at least one was not, 64 usage, 66 a file can't be \
        read, 74 output can't be written.
        """

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("Read this database, and no lines.", valueName: "file"), transform: parseText)
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            The customer: an appAccountToken (a UUID), or app-transaction:ID, or \
            original-transaction:ID. Give several names of one customer one by one (default: all customers).
            """, valueName: "customer"),
        transform: Customer.Name.init(argument:))
    var customer: [Customer.Name] = []

    @Option(
        help: ArgumentHelp(
            "At this instant, by all payloads of today (ISO 8601; default: now).", valueName: "date"),
        transform: parseDate)
    var at: Date?

    @Option(
        help: ArgumentHelp(
            "At this instant, by the payloads that were signed by then, as a server would have answered.",
            valueName: "date"),
        transform: parseDate)
    var asOf: Date?

    @OptionGroup var json: JSONOptions

    @Flag(help: "Do not list unverified lines; the exit status still reports them.")
    var quiet = false

    @Flag(help: "Write a summary to standard error at the end.")
    var summary = false

    @Argument(help: ArgumentHelp("The files to read (default, or -: standard input).", valueName: "file"))
    var files: [FileName] = []

    /// A database has one policy and files may have another, so one run never mixes them.
    func validate() throws {
        guard database == nil || files.isEmpty else {
            throw ValidationError("With --database, no files are read. Put them in it with ingest.")
        }
        guard database == nil || !json.anyJSON else {
            throw ValidationError("With --database, no JSON is read: --any-json is for ingest.")
        }
        guard asked() != nil else {
            throw ValidationError(AskedInstant.message("--at", "--as-of"))
        }
    }

    /// Reads the payloads, and writes the purchases.
    ///
    /// - Parameters:
    ///   - byCustomer: whether all customers' purchases in a database may come in several calls, each with some customers.
    ///   - write: gets the purchases, of all customers without `--customer`; the lowest original transaction of those that
    ///     follow in a further call, `nil` in the last; and the instant.
    /// - Throws: the error of `write`, or the exit status if not every payload was read and verified.
    func run(
        byCustomer: Bool = false,
        _ write: (PurchaseHistory, _ next: UInt64?, _ instant: Date) throws -> Void
    ) throws {
        let revocation = policy.setup.makeRevocationChecker()
        defer { revocation?.close() }
        let verifier = try policy.setup.makeVerifier(revocation)
        // Entitlements depend on an instant: without an option, the clock gives it.
        guard let asked = asked() else { throw ExitCode.validationFailure }
        let instant = asked.date
        var reading = PurchaseReading(
            verifier, try policy.setup.makeReceiptVerifier(revocation), namesFailures: !quiet,
            takesJSONApart: json.anyJSON)
        let status: ExitCode
        if let database, byCustomer, named == nil {
            status = try reading.readCustomers(ofDatabase: database) {
                try write(asked.known($0), $1, instant)
            }
        } else {
            status = try database.map { try reading.read(database: $0, customer) } ?? reading.read(files)
        }
        // Written also after failures: verified payloads are right by themselves, and the status reports the others.
        let history = named.map { reading.history.purchases(of: $0) } ?? reading.history
        if database == nil || !byCustomer || named != nil { try write(asked.known(history), nil, instant) }
        if let named, !quiet {
            for name in history.otherNames(of: named, in: reading.history) {
                StandardError.say(
                    "note: there are more purchases under \(name); --customer \(name) adds them")
            }
        }
        if let note = reading.engineNote { StandardError.say("note: \(note)") }
        if summary { StandardError.say(reading.tally.summary) }
        guard status == .success else { throw status }
    }

    /// Reads the payloads, and writes a table of what is said about each customer's purchases.
    ///
    /// - Parameters:
    ///   - empty: a line of the table in which all is null.
    ///   - lines: the lines about the purchases of one customer at an instant, in order, and how many copies have none.
    func write(
        _ empty: TableLine, _ format: TableFormat,
        _ lines: @escaping (PurchaseHistory, _ instant: Date) -> (lines: [TableLine], copies: Int)
    ) throws {
        let form = format.form
        var (copies, hasBegun) = (0, false)
        func texts(_ history: PurchaseHistory, at instant: Date) -> [String] {
            let found = lines(history, instant)
            copies += found.copies
            return found.lines.map(form.text)
        }
        var order: CustomerOrder<String>?
        func write(_ texts: [String]) throws {
            if !hasBegun { try StandardOutput.write(form.header(empty)) }
            hasBegun = true
            try StandardOutput.write(lines: texts) { $0 }
        }
        defer {
            if summary, copies > 0 {
                StandardError.say(
                    "\(copies) \(copies == 1 ? "copy of a purchase" : "copies of purchases") left out")
            }
        }
        try run(byCustomer: true) { history, next, instant in
            // The names that were given are one customer's.
            guard named == nil else { return try write(texts(history, at: instant)) }
            order = order ?? CustomerOrder { texts($0, at: instant) }
            try write(order?.add(history, before: next) ?? [])
        }
    }

    /// Whether the question is about what happened at a date. Without an instant, it is about all.
    func isAsked(_ date: Date) -> Bool { (at ?? asOf).map { date <= $0 } ?? true }

    /// The instant of the options; `nil` if they name two.
    private func asked() -> AskedInstant? { AskedInstant(at: at, asOf: asOf, now: Date()) }

    /// The customer; `nil` for all.
    var named: Customer? { customer.isEmpty ? nil : Customer(customer) }
}

/// How a table is written.
enum TableFormat: String, CaseIterable, ExpressibleByArgument {
    /// One JSON object a line, with every column.
    case ndjson
    /// RFC 4180, with the names of the columns first.
    case csv

    fileprivate var form: TableForm { self == .csv ? .csv : .ndjson }
}

extension Customer.Name {
    /// Reads a name from an argument.
    ///
    /// - Throws: `ValidationError`, which ends the command with the status of a usage error.
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
