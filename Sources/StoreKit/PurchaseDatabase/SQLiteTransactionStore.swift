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
    public final class SQLiteTransactionStore: TransactionStore {
        package let file: PayloadFile
        package let batch: BatchVerifier
        /// Verifies what the file has.
        package let accepted: AcceptedVerifier
        /// The writes of inboxes and forwarders, which share commits.
        package let commits: CommitQueue
        /// Wakes forwarders when there is something to deliver.
        package let deliveries = Wakeups()
        /// The listeners of what is applied through this instance.
        public let listeners = StoreListeners()

        /// Opens a store, or makes one.
        ///
        /// - Parameters:
        ///   - path: the file. SQLite makes files of the same name with `-wal` and `-shm` beside it.
        ///   - verifier: verifies what is applied and what is read. A store that is opened with other anchors, or with a
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
        ///   - isImport: whether what is written need not be on the disk until the store is closed. A crash of the
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

        /// The verifier of what is applied and what is read.
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
        /// - Returns: whether it is new: of several calls at once, also of several processes, one is told so.
        /// - Throws: as for a transaction.
        @discardableResult
        public func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool {
            let notification = try notification.payloadValue
            return try await keep(Self.purchases(in: notification), SeenNotification(notification))
        }

        /// What a verified notification says about purchases.
        ///
        /// - Throws: the reason why a payload inside it is unverified, or has no value.
        static func purchases(
            in notification: ServerNotification
        ) throws(PayloadError) -> [PurchaseValue] {
            let (transaction, renewalInfo) = try notification.purchases()
            return [
                transaction.map(PurchaseValue.transaction), renewalInfo.map(PurchaseValue.renewalInfo),
                AnnouncedGrace(notification).map(PurchaseValue.announcedGrace),
            ].compactMap(\.self)
        }

        /// Whether a notification was applied, in this process or another. To do something once for each, ask what
        /// `apply(_:)` returns: another request may bring the same notification between two calls.
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
            try await file.read { db in
                let find = try db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM payload WHERE subject = ?)")
                return try Bool.fetchOne(find, arguments: [Int64(bitPattern: originalTransactionID)]) ?? false
            }
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
            try await file.write { db in
                try SeatClaimRows(db).end(seatClaimIDs, at: SeatClaimRows.milliseconds(date))
            }
        }

        /// Keeps values that this store's verifier lets pass, and tells the listeners.
        ///
        /// - Returns: whether the notification is new.
        @discardableResult
        private func keep(
            _ values: [PurchaseValue], _ notification: SeenNotification? = nil
        ) async throws -> Bool {
            let purchases = try values.map { KeptPurchase(value: $0, payload: try StoredPayload($0)) }
            try await check(purchases)
            return try await file.write { [self] db in try write(purchases, notification, db) }
        }

        /// Verifies values again with this store's verifier: another verifier may have let them pass.
        func check(_ purchases: [KeptPurchase]) async throws(PayloadError) {
            for purchase in purchases { _ = try await batch.verify(purchase.payload.token.token) }
        }

        /// A verified value, and its payload as the file keeps it.
        struct KeptPurchase: Sendable {
            let value: PurchaseValue
            let payload: StoredPayload
        }

        /// Writes verified values, and has the listeners told as soon as they are on the disk.
        ///
        /// - Returns: whether the notification is new.
        @discardableResult
        func write(
            _ purchases: [KeptPurchase], _ notification: SeenNotification?, _ db: Database
        ) throws -> Bool {
            var writing = try PayloadWriting(db, accepted)
            let isNew = try notification.map { try writing.note($0) } ?? true
            for purchase in purchases {
                guard !listeners.isEmpty, case .purchase(let original) = purchase.payload.subject else {
                    _ = try writing.keep([purchase.payload])
                    continue
                }
                var history = try Self.history(of: original, db, accepted)
                guard try writing.keep([purchase.payload]) == [true], history.add(purchase.value) else {
                    continue
                }
                let chains = try Self.history(of: original, db, accepted).purchases
                var transaction: Transaction?
                if case .transaction(let value) = purchase.value { transaction = value }
                // In the order of the writes, and not before they are on the disk.
                db.afterNextTransaction { [listeners, transaction] _ in
                    listeners.announce(transaction) { chains }
                }
            }
            return isNew
        }

        /// All that the file has about one purchase.
        private static func history(
            of original: UInt64, _ db: Database, _ accepted: AcceptedVerifier
        ) throws -> PurchaseHistory {
            var reading = PayloadReading(db, accepted, refuse: refuse)
            try reading.add(purchase: original)
            return reading.history
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

        /// The customer's purchases and those under the names that these give, in one state of the file. They are not all the
        /// customer's: two persons may share a download.
        ///
        /// - Throws: as `history(of:)`.
        package func widerHistory(of customer: Customer) async throws(SQLiteStoreError) -> PurchaseHistory {
            try await file.read { [accepted] db in
                var reading = PayloadReading(db, accepted, refuse: Self.refuse)
                return try reading.readWider(customer)
            }
        }

        /// As `widerHistory(of:)`, read on the caller's thread and without the values' tokens. A purchase of which a
        /// payload is missing or not verified is left out whole: the rest could say that a refunded product is owned.
        ///
        /// - Parameter refuse: is called with such a purchase or download, and what is wrong with it.
        package func widerHistoryNow(
            of customer: Customer, refuse: (_ subject: String, StoredFault) -> Void
        ) throws(SQLiteStoreError) -> PurchaseHistory {
            try file.readNow { db in
                try withoutActuallyEscaping(refuse) { refuse in
                    var reading = PayloadReading(db, accepted, givesTokens: false, refuse: refuse)
                    return try reading.readWider(customer)
                }
            }
        }

        /// Fails at what is missing or not verified, so that there is no answer from the rest.
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
