#if SQLite
    internal import Foundation
    internal import GRDB
    package import SignedPayloads
    internal import StoreKitVerify

    /// What is wrong with what the file has about a purchase or a download. Nothing of it is believed then: what is
    /// missing may be a refund.
    package enum StoredFault: Error, Sendable, CustomStringConvertible {
        /// A payload is not verified.
        case unverified(PayloadError)
        /// A payload is about something else than the file says.
        case misplaced
        /// The file has not as many payloads as were written.
        case incomplete(found: Int, written: Int)

        /// The fault, in a clause.
        package var description: String {
            switch self {
            case .unverified(let error): "a payload of it is not verified: \(error.message)"
            case .misplaced:
                "a payload of it is about something else: the file is damaged, restore it from a copy"
            case .incomplete(let found, let written):
                "\(found) of its \(written) payloads are there: the file is damaged, restore it from a copy"
            }
        }
    }

    /// Reads payloads back, through a verifier: what the file says is a claim.
    ///
    /// No value reaches a caller without a fresh verdict, and none of a purchase of which anything is missing or
    /// unverified: the rest could say that a refunded product is owned.
    struct PayloadReading {
        private let db: Database
        private let accepted: AcceptedVerifier
        private let verifier: StoreKitVerifier
        /// Whether values get their tokens. Without them, a million values take a fifth of the memory.
        private let givesTokens: Bool
        /// What to do about a purchase or download with a fault. If it does not throw, it is left out.
        private let refuse: (_ subject: String, StoredFault) throws -> Void
        /// What was read of each subject, and which of them have a fault.
        private var found: [DatabaseValue: Int] = [:]
        private var faulty: Set<DatabaseValue> = []
        /// Of which of them that was said already.
        private var reported: Set<DatabaseValue> = []
        private(set) var history = PurchaseHistory()

        /// How many payloads are verified together.
        ///
        /// Enough for the batch's arithmetic, and a few megabytes at most.
        private static let maximumPayloads = 512

        init(
            _ db: Database, _ accepted: AcceptedVerifier, givesTokens: Bool = true,
            refuse: @escaping (_ subject: String, StoredFault) throws -> Void
        ) {
            self.db = db
            self.accepted = accepted
            self.givesTokens = givesTokens
            self.refuse = refuse
            verifier = StoreKitVerifier(accepted.payloads)
        }

        /// A payload, as the file has it.
        private struct Claim {
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
                let written = try Row.fetchCursor(db, sql: "SELECT subject, payloads FROM purchase")
                var expected: [DatabaseValue: Int] = [:]
                while let row = try written.next() {
                    expected[row[0]] = try row.decode(Int.self, atIndex: 1)
                }
                for subject in Set(found.keys).union(expected.keys) {
                    try check(subject, written: expected[subject])
                }
                try addFinished(nil)
                try addSeats(of: .everyone)
                return history
            }
            for original in try Self.purchases(of: customer, db) {
                try add(purchase: original)
            }
            let owned = history.purchases(of: customer)
            // A customer's app transactions are those of the downloads that the purchases name.
            var downloads = Set(owned.purchases.compactMap(\.appTransactionID))
            for case .appTransactionID(let download) in customer.names { downloads.insert(download) }
            for download in downloads.sorted() { try add(subject: download.databaseValue) }
            try addSeats(of: customer)
            return history.purchases(of: customer)
        }

        /// Adds the seats of others' purchases that a customer was given. The purchases are read like the customer's own, and
        /// do not belong to the customer.
        private mutating func addSeats(of customer: Customer) throws {
            for claim in try SeatClaimRows(db).of(customer) {
                var purchases = history
                if customer != .everyone {
                    var reading = PayloadReading(db, accepted, givesTokens: givesTokens, refuse: refuse)
                    reading.reported = faulty.union(reported)
                    try reading.add(purchase: claim.purchase.originalTransactionID)
                    faulty.formUnion(reading.faulty)
                    purchases = reading.history
                }
                let purchase = purchases.purchases.first { $0.id == claim.purchase }
                if let purchase { history.add(ClaimedSeat(claim, of: purchase)) }
            }
        }

        /// Reads a customer's purchases, and those under the names that these give, for `PurchaseHistory.otherNames(of:in:)`.
        mutating func readWider(_ customer: Customer) throws -> PurchaseHistory {
            let history = try read(customer)
            let names = history.names(besides: customer)
            guard customer != .everyone, !names.isEmpty else { return history }
            var wider = PayloadReading(db, accepted, givesTokens: givesTokens, refuse: refuse)
            wider.reported = faulty
            return try wider.read(Customer(names.union(customer.names)))
        }

        /// Reads all payloads of some purchases or downloads, and who has their seats. They are verified together.
        mutating func read(_ subjects: [DatabaseValue]) throws -> PurchaseHistory {
            let find = try db.cachedStatement(sql: Self.selection + " WHERE payload.subject = ?")
            var claims: [Claim] = []
            for subject in subjects { try append(find, [subject], to: &claims) }
            try add(claims)
            for subject in subjects {
                try checkNumber(of: subject)
                try addFinished(subject)
            }
            for purchase in history.purchases {
                let original = Int64(bitPattern: purchase.id.originalTransactionID)
                for claim in try SeatClaimRows(db).of(purchase: original) where claim.purchase == purchase.id
                {
                    history.add(ClaimedSeat(claim, of: purchase))
                }
            }
            return history
        }

        /// Reads all payloads of one purchase.
        mutating func add(purchase original: UInt64) throws {
            let subject = Int64(bitPattern: original).databaseValue
            try add(subject: subject)
            try addFinished(subject)
        }

        private mutating func add(subject: DatabaseValue) throws {
            try add(db.cachedStatement(sql: Self.selection + " WHERE payload.subject = ?"), [subject])
            try checkNumber(of: subject)
        }

        private mutating func checkNumber(of subject: DatabaseValue) throws {
            let written = try db.cachedStatement(sql: "SELECT payloads FROM purchase WHERE subject = ?")
            try check(subject, written: Int.fetchOne(written, arguments: [subject]))
        }

        /// Leaves out a subject of which not all payloads were found: an index that is damaged hides rows.
        private mutating func check(_ subject: DatabaseValue, written: Int?) throws {
            let (found, written) = (found[subject] ?? 0, written ?? 0)
            if found != written { try leaveOut(subject, .incomplete(found: found, written: written)) }
        }

        private mutating func leaveOut(_ subject: DatabaseValue, _ fault: StoredFault) throws {
            guard faulty.insert(subject).inserted else { return }
            if !reported.contains(subject) { try refuse("\(subject)", fault) }
            if let original = Int64.fromDatabaseValue(subject) {
                history.remove(purchase: UInt64(bitPattern: original))
            } else if let download = String.fromDatabaseValue(subject) {
                history.remove(download: download)
            }
        }

        /// The original transactions that a customer's names lead to.
        static func purchases(of customer: Customer, _ db: Database) throws -> [UInt64] {
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
            var claims: [Claim] = []
            try append(statement, arguments, to: &claims)
            try add(claims)
        }

        /// Adds what a statement finds to claims, and verifies these when there are many.
        private mutating func append(
            _ statement: Statement, _ arguments: StatementArguments, to claims: inout [Claim]
        ) throws {
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                claims.append(Claim(subject: row[0], token: try TokenParts(row, from: 1).token))
                if claims.count == Self.maximumPayloads {
                    try add(claims)
                    claims.removeAll(keepingCapacity: true)
                }
            }
        }

        private mutating func add(_ claims: [Claim]) throws {
            for (claim, verdict) in zip(claims, accepted.verify(claims.map(\.token))) {
                found[claim.subject, default: 0] += 1
                var (values, fault): ([PurchaseValue], StoredFault?) = ([], nil)
                do throws(PayloadError) {
                    values = try PurchaseValue.all(
                        in: verdict.get(), by: verifier, keepsTokens: givesTokens)
                    if !values.allSatisfy({ $0.subject.databaseValue == claim.subject }) {
                        fault = .misplaced
                    }
                } catch {
                    fault = .unverified(error)
                }
                if let fault { try leaveOut(claim.subject, fault) }
                guard !faulty.contains(claim.subject) else { continue }
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
