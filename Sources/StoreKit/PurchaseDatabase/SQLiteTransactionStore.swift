#if SQLite
    public import Foundation
    internal import GRDB
    public import SignedPayloads
    public import StoreKitVerify

    /// A store that lasts: a SQLite file with the signed payloads as they came.
    ///
    /// - The file's rows are claims. The store keeps only payloads that its verifier lets pass, and verifies them
    ///   again each time they are read. A payload that was changed is an error, and so is one of other anchors.
    /// - Applying is idempotent and free of order. The file keeps the latest signing of each transaction, and does not
    ///   grow with repetitions.
    /// - When a call returns, its payloads are on the disk. A crash at any point loses nothing of earlier calls.
    /// - Many tasks and processes may read while one writes; writers wait for each other.
    ///
    /// Reading a customer's purchases takes time in proportion to their number, whatever the size of the file.
    /// Listeners get payloads that are applied through this instance, and none that other processes apply.
    public final class SQLiteTransactionStore: TransactionStore {
        package let file: PayloadFile
        let batch: BatchVerifier
        /// Verifies the payloads of the file.
        let accepted: AcceptedVerifier
        /// The writes of inboxes and forwarders, which share commits.
        let commits: CommitQueue
        /// Wakes forwarders when there is something to deliver.
        let deliveries = Wakeups()
        /// The listeners of payloads that are applied through this instance.
        public let listeners = StoreListeners()

        /// Opens a store, or makes one.
        ///
        /// - Parameters:
        ///   - path: the file. SQLite makes files of the same name with `-wal` and `-shm` beside it.
        ///   - verifier: verifies payloads that are applied or read. A store that is opened with other anchors, or with a
        ///     policy that refuses some of its payloads, fails at reading these.
        ///   - isReadOnly: whether nothing will be written. The file must exist then.
        ///   - patience: how long a call waits for another process that is writing, before it throws
        ///     `SQLiteStoreError.Code.busy`. A large import commits several times a second.
        /// - Throws: `SQLiteStoreError` if the file cannot be opened, is damaged or of another program, or was made by
        ///   a newer version.
        public convenience init(
            path: String, verifier: SignedPayloadVerifier, isReadOnly: Bool = false,
            patience: Duration = .seconds(5)
        ) throws(SQLiteStoreError) {
            try self.init(
                path: path, verifier: verifier, isReadOnly: isReadOnly, isImport: false,
                patience: patience / .seconds(1))
        }

        /// - Parameters:
        ///   - isImport: whether payloads need not be on the disk until the store is closed. A crash of the
        ///     process loses nothing even so.
        ///   - maximumPages: the size at which the file is full, for tests.
        ///   - patience: how long to wait for another process that is writing, in seconds; `nil` for the time that an
        ///     import waits.
        package init(
            path: String, verifier: SignedPayloadVerifier, isReadOnly: Bool = false, isImport: Bool,
            maximumPages: Int = 0, patience: Double? = nil
        ) throws(SQLiteStoreError) {
            file = try PayloadFile(
                path: path, isReadOnly: isReadOnly, isImport: isImport, maximumPages: maximumPages,
                patience: patience)
            // Reads are short, and come from many tasks: each takes one core.
            batch = BatchVerifier(verifier, jobs: 1)
            accepted = AcceptedVerifier(batch)
            commits = CommitQueue(file)
        }

        /// The verifier of payloads that are applied or read.
        public var verifier: SignedPayloadVerifier { batch.payloads }

        /// Whether payloads can be kept and read at the moment: the file is there under its name, whole and writable.
        /// It writes a few bytes, because a full disk shows in no other way.
        ///
        /// - Throws: `SQLiteStoreError` that says why not.
        public func checkReadiness() async throws(SQLiteStoreError) { try await file.checkReadiness() }

        /// Closes the file. Calls that come later fail.
        ///
        /// - Throws: `SQLiteStoreError` if the system cannot write the rest of the data.
        public func close() throws(SQLiteStoreError) { try file.close() }

        // MARK: - Applying

        /// Applies a transaction.
        ///
        /// - Throws: the reason why the value is unverified, for the caller or for this store's verifier;
        ///   `SQLiteStoreError` if the file does not keep it.
        public func apply(_ transaction: VerificationResult<Transaction>) async throws {
            try await keep(ReadyPayload(.transaction(try transaction.payloadValue), .transaction))
        }

        /// Applies renewal information.
        ///
        /// - Throws: as for a transaction.
        public func apply(
            _ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
        ) async throws {
            try await keep(ReadyPayload(.renewalInfo(try renewalInfo.payloadValue), .renewalInfo))
        }

        /// Applies an app transaction.
        ///
        /// - Throws: as for a transaction.
        public func apply(_ appTransaction: VerificationResult<AppTransaction>) async throws {
            try await keep(ReadyPayload(.appTransaction(try appTransaction.payloadValue), .appTransaction))
        }

        /// Applies a notification's transaction and renewal information, if it has any, and remembers its
        /// `notificationUUID`: all of it, or nothing.
        ///
        /// - Returns: whether it is new: of several calls at once, also of several processes, one is told so.
        /// - Throws: as for a transaction.
        @discardableResult
        public func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool {
            try await keep(ReadyPayload(notification.payloadValue))
        }

        /// Whether a notification was applied, in this process or another. To do something once for each, use the
        /// result of `apply(_:)`: another request may bring the same notification between two calls.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func hasApplied(_ notificationUUID: UUID) async throws -> Bool {
            let key = SeenNotification.key(notificationUUID)
            return try await file.read { db in try NotificationRows(db).has(key) }
        }

        /// Records that the app has finished a transaction.
        ///
        /// - Throws: `SQLiteStoreError` if the file does not keep that.
        public func finish(_ transaction: Transaction) async throws {
            try await file.write { [accepted] db in
                var writing = try PayloadWriting(db, accepted)
                try writing.finish(
                    transaction.id, of: transaction.originalID,
                    StoredPayload.App(
                        bundleID: transaction.appBundleID, environment: transaction.environment.rawValue))
            }
        }

        /// Records that your server gave a seat of a subscription to a member.
        ///
        /// - Throws: `SQLiteStoreError` if the file does not keep that.
        public func claim(_ claim: SeatClaim) async throws {
            try await file.write { [accepted] db in
                var writing = try PayloadWriting(db, accepted)
                try writing.add(claim)
            }
        }

        /// A claim, as the file has it; `nil` if there is none, also if only its end is known.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        package func seatClaim(_ id: UUID) async throws(SQLiteStoreError) -> SeatClaim? {
            try await file.read { db in try SeatClaimRows(db).claim(id) }
        }

        /// Whether the file has a payload of a purchase, verified or not.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        package func hasPurchase(_ originalTransactionID: UInt64) async throws(SQLiteStoreError) -> Bool {
            let subject = StoredPayload.Subject.purchase(originalTransactionID)
            return try await file.read { db in try PayloadRows(db).has(subject.databaseValue) }
        }

        /// The claims of a subscription's seats, those that have ended too.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        package func seatClaims(of originalTransactionID: UInt64) async throws(SQLiteStoreError)
            -> [SeatClaim]
        {
            try await file.read { db in
                try SeatClaimRows(db).of(purchase: Int64(bitPattern: originalTransactionID))
            }
        }

        /// Records the end of claims. Unknown ones are remembered: their record may come later.
        ///
        /// - Throws: as for `claim(_:)`.
        public func unclaim(_ seatClaimIDs: [UUID], at date: Date) async throws {
            try await file.write { db in try SeatClaimRows(db).end(seatClaimIDs, at: date.milliseconds) }
        }

        /// Keeps a payload that this store's verifier lets pass, and tells the listeners.
        ///
        /// - Returns: whether the notification is new.
        @discardableResult
        private func keep(_ payload: ReadyPayload) async throws -> Bool {
            try await check(payload)
            return try await file.write { [self] db in try write(payload, db) }
        }

        /// Verifies the values again with this store's verifier: another verifier may have let them pass.
        func check(_ payload: ReadyPayload) async throws(PayloadError) {
            for stored in payload.stored { _ = try await batch.verify(stored.token.token) }
        }

        /// Writes a payload, and has the listeners told as soon as it is on the disk.
        ///
        /// - Returns: whether the notification is new.
        @discardableResult
        func write(_ payload: ReadyPayload, _ db: Database) throws -> Bool {
            var writing = try PayloadWriting(db, accepted)
            let isNew = try payload.notification.map { try writing.note($0) } ?? true
            var news: [(purchase: UInt64, transaction: Transaction?)] = []
            for (value, stored) in zip(payload.values, payload.stored) {
                guard !listeners.isEmpty, case .purchase(let original) = stored.key.subject else {
                    _ = try writing.keep([stored])
                    continue
                }
                var history = try Self.history(of: original, db, accepted)
                guard try writing.keep([stored]) == [true], history.add(value) else { continue }
                if case .transaction(let transaction) = value {
                    news.append((original, transaction))
                } else {
                    news.append((original, nil))
                }
            }
            for (purchase, transaction) in news {
                let chains = try Self.history(of: purchase, db, accepted).purchases
                // In the order of the writes, and not before they are on the disk.
                db.afterNextTransaction { [listeners] _ in listeners.announce(transaction) { chains } }
            }
            return isNew
        }

        /// All that the file has about one purchase.
        private static func history(
            of original: UInt64, _ db: Database, _ accepted: AcceptedVerifier
        ) throws -> PurchaseHistory {
            var reading = PayloadReading(db, accepted, refuse: refuse)
            try reading.add(purchase: original)
            return reading.selected
        }

        // MARK: - Asking

        /// The customer's purchases. The time is linear in their number; of `.everyone`, in the size of the file.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read, or a payload in it is missing or not verified.
        public func history(of customer: Customer) async throws -> PurchaseHistory {
            try await file.read { [accepted] db in
                var reading = PayloadReading(db, accepted, refuse: Self.refuse)
                return try reading.read(customer)
            }
        }

        /// The customer's purchases and those under the names that these give, in one state of the file. They are
        /// not all the customer's: two persons may share a download.
        ///
        /// - Throws: as `history(of:)`.
        package func widerHistory(of customer: Customer) async throws(SQLiteStoreError) -> PurchaseHistory {
            try await file.read { [accepted] db in
                var reading = PayloadReading(db, accepted, refuse: Self.refuse)
                return try reading.readWider(customer)
            }
        }

        /// As `widerHistory(of:)`, of all apps and environments, read on the caller's thread and without the values' tokens. A purchase of which a
        /// payload is missing or not verified is left out whole: the rest could say that a refunded product is owned.
        ///
        /// - Parameter refuse: is called with such a purchase or download, and its fault.
        package func widerHistoryNow(
            of customer: Customer, refuse: (_ subject: String, StoredFault) -> Void
        ) throws(SQLiteStoreError) -> PurchaseHistory {
            try file.readNow { db in
                try withoutActuallyEscaping(refuse) { refuse in
                    var reading = PayloadReading(
                        db, accepted, givesTokens: false, selects: false, refuse: refuse)
                    return try reading.readWider(customer)
                }
            }
        }

        /// Fails at a payload that is missing or not verified, so that there is no answer from the others.
        @Sendable static func refuse(_ subject: String, _ fault: StoredFault) throws {
            if case .unverified(let error) = fault {
                throw SQLiteStoreError(
                    .unverified, "a payload of \(subject) in the file is not verified: \(error.message)",
                    error)
            }
            throw SQLiteStoreError(.damaged, "\(subject): \(fault)")
        }
    }
#endif
