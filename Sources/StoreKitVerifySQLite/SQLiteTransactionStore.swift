#if SQLite
    public import Foundation
    internal import GRDB
    public import SignedPayloads
    public import StoreKitVerify

    /// A store that lasts: a SQLite file with the signed payloads as they came.
    ///
    /// - What the file says is a claim. The store keeps only what its verifier lets pass, and verifies it again each
    ///   time it is read. A payload that was changed is an error, and so is one of other anchors.
    /// - Applying is idempotent and free of order. The file keeps the latest signing of each transaction, and does not
    ///   grow with repetitions.
    /// - When a call returns, its payloads are on the disk. A crash at any point loses nothing of earlier calls.
    /// - Many tasks and processes may read while one writes; writers wait for each other.
    ///
    /// Reading a customer's purchases takes time in proportion to their number, whatever the size of the file.
    /// Listeners get what is applied through this instance, not what other processes apply.
    public final class SQLiteTransactionStore: AnnouncingTransactionStore {
        let file: PayloadFile
        let batch: BatchVerifier
        /// The listeners of what is applied through this instance.
        public let listeners = StoreListeners()

        /// Opens a store, or makes one.
        ///
        /// - Parameters:
        ///   - path: the file. SQLite makes files of the same name with `-wal` and `-shm` beside it.
        ///   - verifier: verifies what is applied and what is read. A store that is opened with other anchors, or with a
        ///     policy that refuses some of its payloads, fails at reading these.
        ///   - isReadOnly: whether nothing will be written. The file must exist then.
        /// - Throws: `SQLiteStoreError` if the file cannot be opened, is damaged or of another program, or was made by
        ///   a newer version.
        public convenience init(
            path: String, verifier: SignedPayloadVerifier, isReadOnly: Bool = false
        ) throws(SQLiteStoreError) {
            try self.init(path: path, verifier: verifier, isReadOnly: isReadOnly, isImport: false)
        }

        /// - Parameters:
        ///   - isImport: whether what is written need not be on the disk until the store is closed. A crash of the
        ///     process loses nothing even so.
        ///   - maximumPages: the size at which the file is full, for tests.
        package init(
            path: String, verifier: SignedPayloadVerifier, isReadOnly: Bool = false, isImport: Bool,
            maximumPages: Int = 0
        ) throws(SQLiteStoreError) {
            file = try PayloadFile(
                path: path, isReadOnly: isReadOnly, isImport: isImport, maximumPages: maximumPages)
            // Reads are short, and come from many tasks: each takes one core.
            batch = BatchVerifier(verifier, jobs: 1)
        }

        /// The verifier of what is applied and what is read.
        public var verifier: SignedPayloadVerifier { batch.verifier }

        /// Closes the file. Calls that come later fail.
        ///
        /// - Throws: `SQLiteStoreError` if the system cannot write what is left to write.
        public func close() throws(SQLiteStoreError) { try file.close() }

        // MARK: - Applying

        /// Applies a transaction.
        ///
        /// - Throws: the reason why the value is unverified, for the caller or for this store's verifier;
        ///   `SQLiteStoreError` if the file does not keep it.
        public func apply(_ transaction: VerificationResult<Transaction>) async throws {
            try await keep([.transaction(try transaction.payloadValue)])
        }

        /// Applies renewal information.
        ///
        /// - Throws: as for a transaction.
        public func apply(
            _ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
        ) async throws {
            try await keep([.renewalInfo(try renewalInfo.payloadValue)])
        }

        /// Applies an app transaction.
        ///
        /// - Throws: as for a transaction.
        public func apply(_ appTransaction: VerificationResult<AppTransaction>) async throws {
            try await keep([.appTransaction(try appTransaction.payloadValue)])
        }

        /// Applies a notification's transaction and renewal information, if it has any, and remembers its
        /// `notificationUUID`: all of it, or nothing.
        ///
        /// - Throws: as for a transaction.
        public func apply(_ notification: VerificationResult<ServerNotification>) async throws {
            let notification = try notification.payloadValue
            if let error = notification.data?.unreadablePayloads.first { throw error }
            var values: [PurchaseValue] = []
            if let result = notification.data?.transaction {
                values.append(.transaction(try result.payloadValue))
            }
            if let result = notification.data?.renewalInfo {
                values.append(.renewalInfo(try result.payloadValue))
            }
            try await keep(values, SeenNotification(notification))
        }

        /// Whether a notification was applied, in this process or another: the App Store repeats a notification until
        /// a server answers.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        public func hasApplied(_ notificationUUID: UUID) async throws -> Bool {
            let key = SeenNotification.key(notificationUUID)
            return try await file.read { db in try KnownPayloads(db).haveNotification(key) }
        }

        /// Records that the app has finished a transaction.
        ///
        /// - Throws: `SQLiteStoreError` if the file does not keep that.
        public func finish(_ transaction: Transaction) async throws {
            try await file.write { db in
                var writing = try PayloadWriting(db)
                try writing.finish(
                    transaction.id, of: transaction.originalID,
                    StoredPayload.App(
                        bundleID: transaction.appBundleID, environment: transaction.environment.rawValue))
            }
        }

        /// Keeps values that this store's verifier lets pass, and tells the listeners.
        private func keep(_ values: [PurchaseValue], _ notification: SeenNotification? = nil) async throws {
            let payloads = try values.map { try StoredPayload($0) }
            for payload in payloads { _ = try await batch.verify(payload.token.token) }
            try await file.write { [batch, listeners] db in
                var writing = try PayloadWriting(db)
                if let notification { try writing.note(notification) }
                for (value, payload) in zip(values, payloads) {
                    guard !listeners.isEmpty, case .purchase(let original) = payload.subject else {
                        _ = try writing.keep([payload])
                        continue
                    }
                    var history = try Self.history(of: original, db, batch)
                    guard try writing.keep([payload]) == [true], history.add(value) else { continue }
                    let purchases = try Self.history(of: original, db, batch).purchases
                    var transaction: Transaction?
                    if case .transaction(let value) = value { transaction = value }
                    // In the order of the writes, and not before they are on the disk.
                    db.afterNextTransaction { [transaction] _ in
                        listeners.announce(transaction) { purchases }
                    }
                }
            }
        }

        /// All that the file has about one purchase.
        private static func history(
            of original: UInt64, _ db: Database, _ batch: BatchVerifier
        ) throws -> PurchaseHistory {
            var reading = PayloadReading(db, batch, refuse: refuse)
            try reading.add(purchase: original)
            return reading.history
        }

        // MARK: - Asking

        /// The customer's purchases. The time is linear in their number; of `.everyone`, in the size of the file.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read, or a payload in it is not verified.
        public func history(of customer: Customer) async throws -> PurchaseHistory {
            try await file.read { [batch] db in
                var reading = PayloadReading(db, batch, refuse: Self.refuse)
                return try reading.read(customer)
            }
        }

        /// The same on the caller's thread, without the values' tokens. Payloads that are not verified are left out.
        ///
        /// - Parameter refuse: is called with what such a payload is about, and why it is not verified.
        package func historyNow(
            of customer: Customer, refuse: (_ subject: String, VerificationError) -> Void
        ) throws(SQLiteStoreError) -> PurchaseHistory {
            try file.readNow { db in
                try withoutActuallyEscaping(refuse) { refuse in
                    var reading = PayloadReading(db, batch, givesTokens: false, refuse: refuse)
                    return try reading.read(customer)
                }
            }
        }

        @Sendable private static func refuse(_ subject: String, _ error: VerificationError) throws {
            throw SQLiteStoreError(
                .unverified, "a payload of \(subject) in the file is not verified: \(error.message)", error)
        }
    }
#endif
