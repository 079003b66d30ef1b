#if Service
    internal import HTTPTypes
    internal import NIOPosix
    package import RequestSigning
    package import SignedPayloads
    internal import Synchronization

    /// An app that the service verifies for, with its own policy.
    ///
    /// Apps share memory for bodies, and the threads that only compute. They share no cache, no database, and no thread that
    /// waits for a responder: one that is slow delays its own app.
    package final class ServedApp: Sendable {
        /// The name that requests give; it is not the bundle identifier.
        package let name: String
        let batch: BatchVerifier
        let receipts: ReceiptVerifier
        /// `nil` if nothing is kept for the app.
        let database: AppDatabase?
        /// The app's shared secret of App Store Connect, which callers of `verifyReceipt` give as their password; `nil` if
        /// no password is compared.
        let sharedSecret: BearerTokens?
        /// The key that signs for the app; `nil` if the service does not sign.
        let signingKey: NamedKey?
        /// Which retention messages customers see; `nil` if the service answers no requests for them.
        let retentionRules: RetentionRules?

        private let waitingThreads: WaitingThreads?

        var payloads: SignedPayloadVerifier { batch.payloads }

        /// The threads on which the app's batches, receipts and inspections are verified: those that all apps share, or the
        /// app's own, if verification may wait for a responder.
        func threads(or shared: NIOThreadPool) -> NIOThreadPool {
            waitingThreads?.pool(like: shared) ?? shared
        }

        /// Ends the app's own threads, when the requests that use them have ended.
        func endThreads() async { await waitingThreads?.end() }

        /// Whether the service signs for the app.
        package var signs: Bool { signingKey != nil }

        /// - Parameters:
        ///   - name: the name that requests give.
        ///   - payloads: the verifier of signed payloads.
        ///   - receipts: the verifier of receipts.
        ///   - database: keeps notifications and purchases; `nil` for none.
        ///   - sharedSecret: the app's shared secret; `nil` if no password is compared.
        ///   - signingKey: signs for the app; `nil` if the service does not. Callers must need a token then.
        ///   - retentionRules: answer requests for retention messages; `nil` for none.
        package init(
            name: String, payloads: SignedPayloadVerifier, receipts: ReceiptVerifier,
            database: AppDatabase? = nil, sharedSecret: BearerTokens? = nil,
            signingKey: NamedKey? = nil, retentionRules: RetentionRules? = nil
        ) {
            self.name = name
            self.receipts = receipts
            self.database = database
            self.sharedSecret = sharedSecret
            self.signingKey = signingKey
            self.retentionRules = retentionRules
            // A warm signer stays in memory: each event loop and each thread of the batches keeps a pipeline.
            batch = BatchVerifier(payloads, receipts: receipts)
            let mayWait = payloads.revocation != nil || receipts.revocation != nil
            waitingThreads = mayWait ? WaitingThreads() : nil
        }
    }

    /// The apps by their names. A reload takes others in their place, and requests that are under way keep theirs.
    final class ServedApps: Sendable {
        private struct Table {
            let apps: [String: ServedApp]
            /// The app of a service with one; `nil` if there are several.
            let only: ServedApp?

            init(_ apps: [ServedApp]) {
                self.apps = Dictionary(apps.map { ($0.name, $0) }) { first, _ in first }
                only = apps.count == 1 ? apps.first : nil
            }

            /// Names are no secrets: a message lists them, also to callers without a token.
            var names: String { apps.keys.sorted().joined(separator: ", ") }
        }

        private let table: Mutex<Table>
        /// Gives an element at the beginning and after each reload, for the task that runs the apps' work.
        let changes: AsyncThrowingStream<Void, any Error>
        private let change: AsyncThrowingStream<Void, any Error>.Continuation

        init(_ apps: [ServedApp]) {
            table = Mutex(Table(apps))
            (changes, change) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            change.yield()
        }

        /// Takes other apps in place of these.
        func replace(by apps: [ServedApp]) {
            let new = Table(apps)
            table.withLock { $0 = new }
            change.yield()
        }

        /// Ends the service, because something that belongs to an app cannot go on.
        func fail(_ error: any Error) { change.finish(throwing: error) }

        /// The apps in the order of their names.
        var all: [ServedApp] { table.withLock(\.apps).values.sorted { $0.name < $1.name } }

        /// The apps' databases, with the apps' names.
        var databases: [(app: String, database: AppDatabase)] {
            all.compactMap { app in app.database.map { (app.name, $0) } }
        }

        /// The app that a request names. It need not, if there is only one.
        func app(for request: RouteRequest) throws(Problem) -> ServedApp {
            let table = table.withLock(\.self)
            guard let name = request.query("app") else {
                if let only = table.only { return only }
                throw Problem(
                    .badRequest,
                    "Several apps are served; name one with ?app=NAME: \(table.names)."
                )
            }
            guard let app = table.apps[name] else {
                throw Problem(
                    .badRequest, "Unknown app \"\(name.prefix(64))\"; served: \(table.names).")
            }
            return app
        }
    }
#endif
