#if Service
    internal import HTTPTypes
    package import SignedPayloads

    /// An app that the service verifies for, with its own policy.
    ///
    /// Apps share threads and memory for bodies. They share no cache and no database.
    package struct ServedApp: Sendable {
        /// The name that requests give; it is not the bundle identifier.
        package let name: String
        let batch: BatchVerifier
        let receipts: ReceiptVerifier
        /// `nil` if nothing is kept for the app.
        let database: AppDatabase?

        var payloads: SignedPayloadVerifier { batch.payloads }

        /// - Parameters:
        ///   - name: the name that requests give.
        ///   - payloads: the verifier of signed payloads.
        ///   - receipts: the verifier of receipts.
        ///   - database: keeps notifications and purchases; `nil` for none.
        package init(
            name: String, payloads: SignedPayloadVerifier, receipts: ReceiptVerifier,
            database: AppDatabase? = nil
        ) {
            self.name = name
            self.receipts = receipts
            self.database = database
            // A warm signer stays in memory: each event loop and each thread of the batches keeps a pipeline.
            batch = BatchVerifier(payloads, receipts: receipts)
        }
    }

    /// The apps by their names.
    struct ServedApps: Sendable {
        private let apps: [String: ServedApp]
        var databases: [AppDatabase] { apps.values.compactMap(\.database) }
        /// The apps in the order of their names.
        var all: [ServedApp] { apps.values.sorted { $0.name < $1.name } }
        /// The app of a service with one; `nil` if there are several.
        private let only: ServedApp?

        init(_ apps: [ServedApp]) {
            self.apps = Dictionary(apps.map { ($0.name, $0) }) { first, _ in first }
            only = apps.count == 1 ? apps.first : nil
        }

        /// The app that a request names. It need not, if there is only one.
        func app(for request: RouteRequest) throws(Problem) -> ServedApp {
            guard let name = request.query("app") else {
                if let only { return only }
                throw Problem(
                    .badRequest, "Several apps are served; say which one with ?app=NAME. There are: \(names)."
                )
            }
            guard let app = apps[name] else {
                throw Problem(.badRequest, "No app \"\(name.prefix(64))\" is served; there are: \(names).")
            }
            return app
        }

        /// Names are no secrets: a message lists them, also to callers without a token.
        private var names: String { apps.keys.sorted().joined(separator: ", ") }
    }
#endif
