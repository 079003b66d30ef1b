import ArgumentParser
import CommandSupport
import Essentials
import Platform

#if ServerAPI
    import AppStoreServerAPI
    import RequestSigning
    import SignedPayloads
    import StoreKitVerify
    import WireFormats

    /// `storekit-verify fetch KIND [ID ...]`: the App Store's payloads, one a line.
    struct FetchCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fetch",
            abstract: "Ask the App Store for signed payloads.",
            discussion: """
                Writes one verified payload a line, as verify and ingest read them. The kinds take identifiers of \
                transactions (order takes an order's), as arguments or one a line on standard input:

                  history, refunds   all transactions of a customer
                  statuses           the last transaction of each subscription
                  transaction, order, app-transaction
                  notifications      of all customers, without identifiers

                A store from nothing:

                  storekit-verify fetch notifications --since 180d --key Key_2X9R4HXF34.p8 \\
                    --key-id 2X9R4HXF34 --issuer-id 57246542-96fe-1a63-e053-0824d011072a \\
                    --bundle-id com.example.shop --state fetch.state \\
                  | storekit-verify ingest --database shop.db --state fetch.state

                With --state on both, an interrupted fetch goes on without a gap: payloads that ingest has not kept \
                are fetched again. To write into a file, append with >>: fetch first cuts the file behind the last \
                whole page. After a complete fetch, the same state gets the notifications since then; for other \
                kinds, it gets only new identifiers. fetch keeps Apple's limits. --environment is Production unless \
                given; with two, the second is asked about identifiers that the first does not know.

                Exit status: 0 all was fetched and verified, 1 something was refused, 64 usage, 66 a file can't be \
                read, 69 the App Store can't be asked, or refuses the key, 71 the system has no thread or memory, \
                74 output or state can't be written.
                """)

        @Argument(help: "The kind of payloads.")
        var kind: FetchKind

        @Argument(
            help: ArgumentHelp("Identifiers (default, or -: one a line of standard input).", valueName: "id"))
        var ids: [String] = []

        @OptionGroup var server: ServerOptions

        @Option(
            help: ArgumentHelp(
                "From this time on: a date, or a span such as 180d or 12h before now.", valueName: "time"),
            transform: parseTime)
        var since: Date?

        @Option(help: ArgumentHelp("Before this time.", valueName: "time"), transform: parseTime)
        var until: Date?

        @Option(help: ArgumentHelp("Notifications of this type only.", valueName: "type"))
        var type: String?

        @Option(help: ArgumentHelp("Notifications of this subtype of the type.", valueName: "subtype"))
        var subtype: String?

        @Option(
            name: .customLong("transaction-id"),
            help: ArgumentHelp("Notifications about this customer only.", valueName: "id"))
        var transactionID: String?

        @Flag(
            name: .customLong("only-failures"),
            help: "Only notifications that did not reach the app's server.")
        var onlyFailures = false

        @Option(help: ArgumentHelp("Keep in FILE how far the fetch has come.", valueName: "file"))
        var state: FileName?

        @Option(help: ArgumentHelp("Fetch this many parts at a time.", valueName: "number"))
        var jobs = 8

        @Flag(help: "Write a summary to standard error at the end.")
        var summary = false

        @Flag(inversion: .prefixedNo, help: "Show progress on standard error (default: on a terminal).")
        var progress: Bool?

        func validate() throws {
            guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256.") }
            let isAboutNotifications = kind == .notifications
            guard isAboutNotifications || kind == .history || since == nil && until == nil else {
                throw ValidationError("--since and --until are for history and notifications.")
            }
            let filters = [type, subtype, transactionID].contains { $0 != nil } || onlyFailures
            guard isAboutNotifications || !filters else {
                throw ValidationError(
                    "--type, --subtype, --transaction-id and --only-failures are for notifications.")
            }
            guard isAboutNotifications else { return }
            guard ids.isEmpty else {
                throw ValidationError(
                    "Notifications take no identifiers; --transaction-id names one customer.")
            }
            guard since != nil else {
                throw ValidationError("--since says from when on; Apple has 180 days: --since 180d.")
            }
            if let since, let until, since >= until {
                throw ValidationError("--since must be before --until.")
            }
        }
    }

    extension FetchCommand {
        func run() throws {
            let revocation = server.policy.setup.makeRevocationChecker()
            defer { revocation?.close() }
            let verifier = try server.makeVerifier(revocation)
            let client = try server.makeClient(verifier)
            let ids = try kind == .notifications ? [] : identifiers()
            var state = try openState()
            let parts = try self.parts(ids, &state)
            let showsProgress = progress ?? FileDescriptor.isTerminal(FileDescriptor.standardError)
            let output = FetchOutput(verifier, state.take(), Progress(isShown: showsProgress))
            let run = FetchRun(client: client, output: output, options: server)
            // After the state is open: a signal before this simply ends the process.
            let interruption = try Interruption.start()
            let jobs = jobs
            let outcome = try waiting(interruption.request) { await run.fetch(parts, jobs: jobs) }
            output.end()
            let counts = output.counts
            if summary {
                StandardError.say(
                    "\(counts.payloads) payloads in \(counts.pages) pages, \(counts.refused + outcome.refused) refused"
                )
            }
            interruption.endProcess()
            try end(outcome, counts)
        }

        /// The exit status, after a message.
        private func end(_ outcome: FetchRun.Outcome, _ counts: FetchOutput.Counts) throws {
            let status: ExitCode = counts.refused + outcome.refused > 0 ? .unverified : .success
            switch outcome.failure {
            case nil: break
            case .output(let error): throw StandardOutput.status(after: error, otherwise: status)
            case .state(let failure):
                StandardError.say("--state \(state?.text ?? ""): \(failure.message)")
                throw ExitCode.unwritableOutput
            case .server(let error):
                StandardError.say("\(error)")
                if state != nil { StandardError.say("the same command goes on from here") }
                throw ExitCode.unavailable
            case .stopped: throw ExitCode.unavailable
            }
            guard status == .success else { throw status }
        }

        /// Opens the state, if one is given. It names the fetch, and is refused for any other. Times are not part of
        /// the name, because spans such as 180d mean another time in each run.
        private func openState() throws -> FetchState? {
            guard let state else { return nil }
            let names = server.environments.map(\.rawValue).joined(separator: ",")
            let filter = [type, subtype, transactionID, onlyFailures ? "only failures" : nil]
            let identity =
                ([kind.rawValue, server.policy.bundleIdentifiers[0], server.server, names] + filter)
                .map { $0 ?? "-" }.joined(separator: " ")
            do throws(FetchLog.Failure) {
                return try FetchState.open(state, of: identity)
            } catch {
                StandardError.say("--state \(state.text): \(error.message)")
                throw error.isSystem ? ExitCode.unwritableOutput : ExitCode.usage
            }
        }

        /// The parts that are left to fetch, also those that were begun.
        private func parts(_ ids: [String], _ state: inout FetchState?) throws -> [FetchPart] {
            var parts: [FetchPart]
            if kind == .notifications {
                let span = try span(&state)
                parts = span.isEmpty ? [] : FetchPart.notifications(span, notificationFilter, kept: kept)
            } else {
                var filter = HistoryFilter()
                (filter.startDate, filter.endDate) = (since, until)
                parts = ids.map { FetchPart.of($0, kind, filter) }
            }
            parts.removeAll { part in
                guard let page = state?.pages[part.name] else { return false }
                return page.next == nil
            }
            if parts.isEmpty { StandardError.say("nothing is left to fetch") }
            return parts
        }

        /// The span of time to fetch: the span that the state has begun, or the time since then. Without a state, it is the
        /// one of the options. An older start is moved to where the App Store's history begins.
        private func span(_ state: inout FetchState?) throws -> Range<Int> {
            let now = Int(Date().timeIntervalSince1970 * 1000)
            // A notification of this minute may not be in the history yet.
            let latest = now - 60_000
            var end = until.map { Int($0.timeIntervalSince1970 * 1000) } ?? latest
            // With a later end, the state would say that notifications were fetched before they were sent.
            if state != nil { end = min(end, latest) }
            var start = Int((since ?? Date()).timeIntervalSince1970 * 1000)
            if let begun = state?.span {
                guard isComplete(begun, state?.pages ?? [:]) else { return begun }
                start = begun.upperBound
            }
            if start < now - kept {
                // Two minutes more or less are not worth a word: all that there is was asked for.
                if start < now - kept - 120_000 {
                    let days = (kept + 60_000) / 86_400_000
                    StandardError.say(
                        "the App Store keeps notifications for \(days) days: older ones cannot be fetched")
                }
                start = now - kept
            }
            let span = min(start, end)..<end
            guard !span.isEmpty, state != nil else { return span }
            do throws(FetchLog.Failure) {
                try state?.add(span)
            } catch {
                StandardError.say("--state: \(error.message)")
                throw ExitCode.unwritableOutput
            }
            return span
        }

        /// Whether the last page of each part of a span was written.
        private func isComplete(_ span: Range<Int>, _ pages: [String: FetchLog.Page]) -> Bool {
            FetchPart.notifications(span, notificationFilter, kept: kept).allSatisfy { part in
                pages[part.name].map { $0.next == nil } ?? false
            }
        }

        /// How long the App Store keeps notifications, in milliseconds.
        private var kept: Int { FetchPart.kept(in: server.environments[0]) }

        private var notificationFilter: NotificationFilter {
            var filter = NotificationFilter(from: Date(), to: Date())
            filter.notificationType = type.map { .init(rawValue: $0) }
            filter.subtype = subtype.map { .init(rawValue: $0) }
            filter.transactionID = transactionID
            filter.onlyFailures = onlyFailures
            return filter
        }

        /// The identifiers of the arguments, or of standard input, each once.
        private func identifiers() throws -> [String] {
            var known: Set<String> = []
            guard ids.isEmpty || ids == ["-"] else { return ids.filter { known.insert($0).inserted } }
            // 64 MiB: some three million identifiers.
            let text = try FileName.standardInput.textContent(maximumBytes: 64 << 20, hint: "")
            return text.split(whereSeparator: \.isWhitespace).map(String.init)
                .filter { known.insert($0).inserted }
        }
    }

    /// A time: a date of ISO 8601, or a span before now, such as `180d` or `12h`.
    private func parseTime(_ text: String) throws -> Date {
        if let seconds = CalendarTime.seconds(span: text) { return Date() - Double(seconds) }
        return try parseDate(text)
    }
#endif
