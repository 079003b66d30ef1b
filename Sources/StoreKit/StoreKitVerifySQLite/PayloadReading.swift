#if SQLite
    internal import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify

    /// Reads payloads back, through a verifier: what the file says is a claim.
    ///
    /// No value reaches a caller without a fresh verdict, so that a change of the file shows as a refusal.
    struct PayloadReading {
        private let db: Database
        private let batch: BatchVerifier
        private let verifier: StoreKitVerifier
        /// Whether values get their tokens. Without them, a million values take a fifth of the memory.
        private let givesTokens: Bool
        /// What to do about a payload that is not verified, of the subject that the file names.
        private let refuse: (_ subject: String, PayloadError) throws -> Void
        private(set) var history = PurchaseHistory()

        /// How many payloads are verified together.
        ///
        /// Enough for the batch's arithmetic, and a few megabytes at most.
        private static let maximumPayloads = 512

        init(
            _ db: Database, _ batch: BatchVerifier, givesTokens: Bool = true,
            refuse: @escaping (_ subject: String, PayloadError) throws -> Void
        ) {
            self.db = db
            self.batch = batch
            self.givesTokens = givesTokens
            self.refuse = refuse
            verifier = StoreKitVerifier(batch.payloads)
        }

        /// A payload, as the file has it.
        private struct Claim {
            /// Any value, to be shown.
            let subject: DatabaseValue
            let token: String
        }

        private static let selection = """
            SELECT payload.subject, header.text, payload.json, payload.signature
            FROM payload JOIN header ON header.id = payload.header
            """

        /// The purchases of a customer, under any of the customer's names.
        ///
        /// - Complexity: linear in the customer's payloads; of `.everyone`, in the file's.
        mutating func read(_ customer: Customer) throws -> PurchaseHistory {
            guard customer != .everyone else {
                try add(db.cachedStatement(sql: Self.selection), [])
                try addFinished(nil)
                return history
            }
            for original in try purchases(of: customer) {
                try add(purchase: original)
            }
            let owned = history.purchases(of: customer)
            // A customer's app transactions are those of the downloads that the purchases name.
            var downloads = Set(owned.purchases.compactMap(\.appTransactionID))
            for case .appTransactionID(let download) in customer.names { downloads.insert(download) }
            for download in downloads.sorted() { try add(subject: download.databaseValue) }
            return history.purchases(of: customer)
        }

        /// Reads all payloads of one purchase.
        mutating func add(purchase original: UInt64) throws {
            let subject = Int64(bitPattern: original).databaseValue
            try add(subject: subject)
            try addFinished(subject)
        }

        private mutating func add(subject: DatabaseValue) throws {
            try add(db.cachedStatement(sql: Self.selection + " WHERE payload.subject = ?"), [subject])
        }

        /// The original transactions that a customer's names lead to.
        private func purchases(of customer: Customer) throws -> [UInt64] {
            var originals: Set<UInt64> = []
            let find = try db.cachedStatement(sql: "SELECT subject FROM customer WHERE name = ?")
            for name in customer.names {
                if case .originalTransactionID(let original) = name {
                    originals.insert(original)
                } else {
                    let found = try Int64.fetchAll(find, arguments: [name.description])
                    originals.formUnion(found.map { UInt64(bitPattern: $0) })
                }
            }
            return originals.sorted()
        }

        private mutating func add(_ statement: Statement, _ arguments: StatementArguments) throws {
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            var claims: [Claim] = []
            while let row = try rows.next() {
                let parts = TokenParts(
                    header: try row.decode(String.self, atIndex: 1),
                    json: try row.decode(String.self, atIndex: 2),
                    signature: try row.decode(Data.self, atIndex: 3))
                claims.append(Claim(subject: row[0], token: parts.token))
                if claims.count == Self.maximumPayloads {
                    try add(claims)
                    claims.removeAll(keepingCapacity: true)
                }
            }
            try add(claims)
        }

        private mutating func add(_ claims: [Claim]) throws {
            for (claim, verdict) in zip(claims, batch.verify(claims.map(\.token))) {
                var (values, failure): ([PurchaseValue], PayloadError?) = ([], nil)
                do throws(PayloadError) {
                    values = try PurchaseValue.all(
                        in: verdict.get(), by: verifier, keepsTokens: givesTokens)
                } catch {
                    failure = error
                }
                if let failure { try refuse("\(claim.subject)", failure) }
                for value in values { history.add(value) }
            }
        }

        /// Adds what was finished: of one purchase, or of all (`nil`).
        ///
        /// Rows about finished transactions have no signature: a changed file can only repeat or hide a delivery by them.
        private mutating func addFinished(_ subject: DatabaseValue?) throws {
            let find = try db.cachedStatement(
                sql: """
                    SELECT finished.subject, finished.item, app.bundleID, app.environment
                    FROM finished JOIN app ON app.id = finished.app
                    """ + (subject == nil ? "" : " WHERE finished.subject = ?"))
            let rows = try Row.fetchCursor(find, arguments: subject.map { [$0] } ?? [])
            while let row = try rows.next() {
                history.finish(
                    UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)),
                    of: PurchaseChain.ID(
                        originalTransactionID: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0)),
                        environment: AppStore.Environment(rawValue: try row.decode(String.self, atIndex: 3)),
                        appBundleID: try row.decode(String.self, atIndex: 2)))
            }
        }
    }
#endif
