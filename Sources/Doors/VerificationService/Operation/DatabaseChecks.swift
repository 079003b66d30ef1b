#if Service
    internal import Logging
    internal import PurchaseDatabase

    /// Checks whether the databases can keep and read payloads at the moment, for load balancers, and for each handler that is
    /// about to change a database.
    ///
    /// A check writes some pages, because a full disk shows in no other way. So requests that come together, and within a
    /// second as a rule, share one: its answer is not older than a load balancer's own pause.
    actor DatabaseChecks {
        private typealias Failures = [ObjectIdentifier: SQLiteStoreError]

        private let apps: ServedApps
        private let logger: Logger
        private var last: (instant: ContinuousClock.Instant, check: Task<Failures, Never>)?
        /// Whether the last check has ended.
        private var hasEnded = false
        /// The failures that the log has already.
        private var logged: Set<String> = []

        /// How old a check may be that requests share.
        private let age: Duration

        init(_ apps: ServedApps, age: Duration, _ logger: Logger) {
            (self.apps, self.age, self.logger) = (apps, age, logger)
        }

        func areReady() async -> Bool { await failures().isEmpty }

        /// - Throws: a `Problem` with the status 503 if the database cannot keep payloads. The App Store repeats its notifications.
        func require(_ database: AppDatabase) async throws(Problem) {
            let store = ObjectIdentifier(database.store)
            // What has failed may be mended by now.
            guard await failures()[store] != nil, let failure = await failures(isAgain: true)[store] else {
                return
            }
            throw Problem(failure, logger)
        }

        /// - Parameter isAgain: whether a check that has ended is too old.
        private func failures(isAgain: Bool = false) async -> Failures {
            if isAgain, hasEnded { last = nil }
            let found = await check().value
            hasEnded = true
            let reasons = Set(found.values.map(\.description))
            // Once for each failure: load balancers ask every few seconds.
            for reason in reasons.subtracting(logged).sorted() {
                logger.error("a database is not ready", metadata: ["reason": .string(reason)])
            }
            if reasons.isEmpty, !logged.isEmpty { logger.notice("the databases are ready again") }
            logged = reasons
            return found
        }

        private func check() -> Task<Failures, Never> {
            if let last, ContinuousClock.now - last.instant < age { return last.check }
            let check = Task { [stores = apps.databases.map(\.database.store)] in
                var failures: Failures = [:]
                for store in stores {
                    do throws(SQLiteStoreError) {
                        try await store.checkReadiness()
                    } catch {
                        failures[ObjectIdentifier(store)] = error
                    }
                }
                return failures
            }
            (last, hasEnded) = ((ContinuousClock.now, check), false)
            return check
        }
    }
#endif
