#if Service
    internal import Logging
    internal import PurchaseDatabase

    /// Whether every database can keep and read payloads at the moment.
    ///
    /// A check writes a few bytes, because a full disk shows in no other way. So requests that come together, and within a
    /// second, share one: its answer is not older than a load balancer's own pause.
    actor DatabaseChecks {
        private let apps: ServedApps
        private let logger: Logger
        private var last: (instant: ContinuousClock.Instant, check: Task<[String], Never>)?
        /// The failures that the log has already.
        private var failures: [String] = []

        private static let sharing = Duration.seconds(1)

        init(_ apps: ServedApps, _ logger: Logger) { (self.apps, self.logger) = (apps, logger) }

        func areReady() async -> Bool {
            let found = await check().value
            // Once for each failure: load balancers ask every few seconds.
            for failure in found where !failures.contains(failure) {
                logger.error("a database is not ready", metadata: ["reason": .string(failure)])
            }
            if found.isEmpty, !failures.isEmpty { logger.notice("the databases are ready again") }
            failures = found
            return found.isEmpty
        }

        private func check() -> Task<[String], Never> {
            if let last, ContinuousClock.now - last.instant < Self.sharing { return last.check }
            let check = Task { [stores = apps.databases.map(\.database.store)] in
                var failures: [String] = []
                for store in stores {
                    do throws(SQLiteStoreError) {
                        try await store.checkReadiness()
                    } catch {
                        failures.append(error.description)
                    }
                }
                return failures
            }
            last = (ContinuousClock.now, check)
            return check
        }
    }
#endif
