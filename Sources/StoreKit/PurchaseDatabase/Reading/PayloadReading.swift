#if SQLite
    internal import Foundation
    internal import GRDB
    package import SignedPayloads
    internal import StoreKitVerify

    /// A fault in the payloads that the file has about a purchase or a download. Then none of them is believed: a
    /// refund may be missing.
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

    /// Reads payloads back, through a verifier: the file's rows are claims.
    ///
    /// Each value that reaches a caller has a fresh verdict. A purchase with a payload that is missing or
    /// unverified is left out whole: the others could say that a refunded product is owned.
    struct PayloadReading {
        private let db: Database
        private let accepted: AcceptedVerifier
        private let verifier: StoreKitVerifier
        /// Whether values get their tokens. Without them, a million values take a fifth of the memory.
        private let givesTokens: Bool
        /// Is called with a purchase or download that has a fault. If it does not throw, the subject is left out.
        private let refuse: (_ subject: String, StoredFault) throws -> Void
        /// How many payloads of each subject were read, and which subjects have a fault.
        private var found: [DatabaseValue: Int] = [:]
        private var faulty: Set<DatabaseValue> = []
        /// The subjects whose fault the caller knows already.
        private var reported: Set<DatabaseValue> = []
        /// The purchases that were read, of all apps and environments.
        private var history = PurchaseHistory()

        /// Whether the purchases are selected by the verifier's policy. If not, the caller does that.
        private let selects: Bool

        /// The purchases that were read, of the apps and environments that the verifier accepts.
        var selected: PurchaseHistory {
            selects ? history.selected(by: accepted.payloads.policy) : history
        }

        /// How many payloads are verified together.
        ///
        /// Enough for the batch's arithmetic, and a few megabytes at most.
        private static let maximumPayloads = 512

        init(
            _ db: Database, _ accepted: AcceptedVerifier, givesTokens: Bool = true, selects: Bool = true,
            refuse: @escaping (_ subject: String, StoredFault) throws -> Void
        ) {
            self.db = db
            self.accepted = accepted
            self.givesTokens = givesTokens
            self.selects = selects
            self.refuse = refuse
            verifier = StoreKitVerifier(accepted.payloads)
        }

        /// The purchases of a customer, under any of the customer's names.
        ///
        /// - Complexity: linear in the customer's payloads; of `.everyone`, in the file's.
        mutating func read(_ customer: Customer) throws -> PurchaseHistory {
            guard customer != .everyone else {
                try add(claims(about: nil))
                let written = try PurchaseRows(db).payloads()
                for subject in Set(found.keys).union(written.keys) {
                    try check(subject, written: written[subject])
                }
                try FinishedRows(db).add(nil, to: &history)
                try addSeats(of: .everyone)
                return selected
            }
            // What a purchase moved from and to says whose it is.
            var (read, unread): (Set<UInt64>, [UInt64]) = ([], try CustomerRows(db).purchases(of: customer))
            while !unread.isEmpty {
                for original in unread { try add(purchase: original) }
                read.formUnion(unread)
                let next = try CustomerRows(db).purchases(
                    of: Customer(unread.map(Customer.Name.originalTransactionID)))
                unread = Set(unread.flatMap(history.formerOriginals) + next).subtracting(read).sorted()
            }
            let owned = selected.purchases(of: customer)
            // A customer's app transactions are those of the downloads that the purchases name.
            var downloads = Set(owned.purchases.compactMap(\.appTransactionID))
            for case .appTransactionID(let download) in customer.names { downloads.insert(download) }
            for download in downloads.sorted() { try add(subject: download.databaseValue) }
            try addSeats(of: customer)
            return selected.purchases(of: customer)
        }

        /// Adds the seats of others' purchases that a customer was given. The purchases are read like the
        /// customer's own, and do not belong to the customer.
        private mutating func addSeats(of customer: Customer) throws {
            for claim in try SeatClaimRows(db).of(customer) {
                var purchases = history
                if customer != .everyone {
                    var reading = PayloadReading(
                        db, accepted, givesTokens: givesTokens, selects: selects, refuse: refuse)
                    reading.reported = faulty.union(reported)
                    try reading.add(purchase: claim.purchase.originalTransactionID)
                    faulty.formUnion(reading.faulty)
                    purchases = reading.selected
                }
                let purchase = purchases.purchases.first { $0.id == claim.purchase }
                if let purchase { history.add(ClaimedSeat(claim, of: purchase)) }
            }
        }

        /// Reads a customer's purchases, and those under the names that these give, for
        /// `PurchaseHistory.otherNames(of:in:)`.
        mutating func readWider(_ customer: Customer) throws -> PurchaseHistory {
            let history = try read(customer)
            let names = history.names(besides: customer)
            guard customer != .everyone, !names.isEmpty else { return history }
            var wider = PayloadReading(
                db, accepted, givesTokens: givesTokens, selects: selects, refuse: refuse)
            wider.reported = faulty
            return try wider.read(Customer(names.union(customer.names)))
        }

        /// Reads all payloads of some purchases or downloads, and who has their seats. They are verified together.
        mutating func read(_ subjects: [DatabaseValue]) throws -> PurchaseHistory {
            var claims: [PayloadRows.Claim] = []
            for subject in subjects { try append(subject, to: &claims) }
            try add(claims)
            for subject in subjects {
                try checkNumber(of: subject)
                try FinishedRows(db).add(subject, to: &history)
            }
            for purchase in selected.purchases {
                let original = Int64(bitPattern: purchase.id.originalTransactionID)
                for claim in try SeatClaimRows(db).of(purchase: original) where claim.purchase == purchase.id
                {
                    history.add(ClaimedSeat(claim, of: purchase))
                }
            }
            return selected
        }

        /// Reads all payloads of one purchase.
        mutating func add(purchase original: UInt64) throws {
            let subject = Int64(bitPattern: original).databaseValue
            try add(subject: subject)
            try FinishedRows(db).add(subject, to: &history)
        }

        private mutating func add(subject: DatabaseValue) throws {
            try add(claims(about: subject))
            try checkNumber(of: subject)
        }

        private mutating func checkNumber(of subject: DatabaseValue) throws {
            try check(subject, written: PurchaseRows(db).payloads(of: subject))
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

        /// The last payloads about a subject, or of the file (`nil`): those that were not added yet.
        private mutating func claims(about subject: DatabaseValue?) throws -> [PayloadRows.Claim] {
            var claims: [PayloadRows.Claim] = []
            try append(subject, to: &claims)
            return claims
        }

        /// Adds the payloads about a subject, or of the file (`nil`), to claims, and verifies these when there are
        /// many.
        private mutating func append(
            _ subject: DatabaseValue?, to claims: inout [PayloadRows.Claim]
        ) throws {
            let rows = try PayloadRows(db).claims(about: subject)
            while let claim = try rows.next() {
                claims.append(claim)
                if claims.count == Self.maximumPayloads {
                    try add(claims)
                    claims.removeAll(keepingCapacity: true)
                }
            }
        }

        private mutating func add(_ claims: [PayloadRows.Claim]) throws {
            for (claim, verdict) in zip(claims, accepted.verify(claims.map(\.token.token))) {
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
    }
#endif
