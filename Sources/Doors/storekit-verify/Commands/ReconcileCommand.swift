#if SQLite && ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import Platform
    import PurchaseDatabase
    import Reconciliation
    import SignedPayloads
    import Synchronization
    import WireFormats
    import Essentials

    /// `storekit-verify reconcile --database FILE`: compares the App Store's answers with a database of webhooks.
    struct ReconcileCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reconcile",
            abstract: "Ask the App Store about purchases, and keep payloads that a database lacks.",
            discussion: """
                Asks about customers with a purchase whose newest payload is old. For each transaction that differs, \
                it writes one JSON object with the differences and their cause. Then it keeps the App Store's \
                payloads in the database, unless --dry-run is given. A service may run at the same time.

                Of each Apple Account, one request gets the statuses of all subscriptions. If the account has \
                one-time purchases, its whole history is read, with twenty transactions in each answer: it has \
                refunds, reversals, revocations and missing purchases, finished consumables too. Otherwise the \
                history of refunded and revoked transactions is read, which is one request as a rule. A refund that \
                it lacks is one more request, and so are the seats of a subscription that this app's server gives.

                Not asked: accounts of which the database has nothing; one-time purchases, and paid periods before \
                the latest, of accounts of which it has subscriptions alone; app transactions; external purchases.

                Exit status: 0 nothing differs, 1 something differs or was refused, 64 usage, 69 the App Store can't \
                be asked, or refuses the key, 74 the database or output can't be written.
                """)

        @Option(help: ArgumentHelp("The database.", valueName: "file"), transform: parseText)
        var database: String

        @OptionGroup var server: ServerOptions

        @Option(
            name: .customLong("silent-for"),
            help: ArgumentHelp(
                "Ask about purchases whose newest payload is older than this (36h, 7d); default: all.",
                valueName: "span"))
        var silence: String?

        @Flag(name: .customLong("dry-run"), help: "Change nothing in the database.")
        var isDry = false

        @Option(help: ArgumentHelp("Ask about this many customers at a time.", valueName: "number"))
        var jobs = 8

        func validate() throws {
            guard silence.map({ CalendarTime.seconds(span: $0) != nil }) ?? true else {
                throw ValidationError("--silent-for is a number of days or hours, such as 7d or 36h.")
            }
            guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256.") }
            guard server.environments.count == 1 else {
                throw ValidationError("A run is about one environment: give one --environment.")
            }
        }

        func run() throws {
            // The same verifier for the answers and for the file: otherwise the file could refuse a reported payload.
            let revocation = server.policy.setup.makeRevocationChecker()
            defer { revocation?.close() }
            let verifier = try server.makeVerifier(revocation)
            let client = try server.makeClient(verifier)
            let store = try SQLiteTransactionStore.openExisting(database, verifier)
            // Kept payloads are on the disk already, so a failure here loses nothing.
            defer { try? store.close() }
            // After the database is open: a signal before this simply ends the process.
            let interruption = try Interruption.start()
            let reconciliation = Reconciliation(store, client, applies: !isDry)
            let now = Date()
            let since = silence.flatMap { CalendarTime.seconds(span: $0) }.map { now - Double($0) } ?? now
            let jobs = jobs
            // A run whose reports cannot be written goes on: the payloads that it keeps in the database count.
            let unwritten = Unwritten()
            let result = try waiting(interruption.request) {
                do throws(Reconciliation.Failure) {
                    return Result<_, Reconciliation.Failure>.success(
                        try await reconciliation.run(silentSince: since, at: now, jobs: jobs) { report in
                            unwritten.keep { () throws(ExitCode) in try Self.write(report) }
                        })
                } catch {
                    return .failure(error)
                }
            }
            interruption.endProcess()
            if let status = unwritten.status { throw status }
            try Self.end(result)
        }

        /// Findings go to standard output, for programs; refusals to standard error, for people.
        private static func write(_ report: Reconciliation.Report) throws(ExitCode) {
            switch report {
            case .finding(let finding): try StandardOutput.write(finding.object.json + "\n")
            case .refusal(let id, let message): StandardError.say("\(id): \(message)")
            }
        }

        /// The summary and the exit status. A failure has no summary: the run has not seen all customers.
        private static func end(_ result: Result<Reconciliation.Counts, Reconciliation.Failure>) throws {
            switch result {
            case .success(let counts):
                StandardError.say(
                    "\(counts.compared) purchases, \(counts.differing) differ, \(counts.refused) refused")
                if counts.differing + counts.refused > 0 { throw ExitCode.unverified }
            case .failure(.store(let error)):
                StandardError.say("\(error)")
                throw ExitCode.unwritableOutput
            case .failure(.server(let error)):
                StandardError.say("\(error)")
                throw ExitCode.unavailable
            }
        }

        /// The first report that could not be written.
        private final class Unwritten: Sendable {
            private let first = Mutex<ExitCode?>(nil)

            var status: ExitCode? { first.withLock(\.self) }

            /// Writes a report, unless an earlier one failed.
            func keep(_ write: () throws(ExitCode) -> Void) {
                first.withLock { first in
                    guard first == nil else { return }
                    do throws(ExitCode) { try write() } catch { first = error }
                }
            }
        }
    }
#endif
