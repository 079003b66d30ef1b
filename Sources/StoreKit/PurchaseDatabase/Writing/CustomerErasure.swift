#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify
    internal import WireFormats

    /// Takes a customer's payloads out of the file, in a transaction.
    ///
    /// The customer's purchases go whole. Which these are, the ledger says: the file also has names that later payloads have
    /// replaced. Of a purchase that is another customer's now, the payloads go that give one of these names. Damaged payloads
    /// must go too: of a purchase that cannot be read, the columns say whose it is.
    struct CustomerErasure: Sendable {
        /// The subjects that are taken out: original transactions, and downloads that no other purchase names.
        let subjects: [DatabaseValue]
        /// The purchases among them, by their original transactions.
        let purchases: [UInt64]
        /// The purchases that had one of the customer's names, and are another customer's now.
        let keptPurchases: [UInt64]
        /// The texts that must not stand in the file afterwards.
        private(set) var traces = FileTraces()
        /// The names of these purchases under which there are others, which stay.
        private(set) var otherNames: [String] = []
        /// The names that are the customer's alone, as the file has them.
        private let ownNames: Set<String>
        /// The number of payloads that are taken out.
        private(set) var payloads = 0
        /// The payloads that are taken out of the purchases that stay.
        private var formerPayloads: [(id: Int64, purchase: UInt64)] = []

        private static let names = MemberNames([
            "transactionId", "originalTransactionId", "webOrderLineItemId", "appAccountToken",
            "appTransactionId", "previousOriginalTransactionId",
        ])

        /// Finds the payloads of a customer.
        init(of customer: Customer, by verifier: StoreKitVerifier, _ db: Database) throws {
            let customers = CustomerRows(db)
            let named = try customers.purchases(of: customer)
            let (owned, others) = try Self.owned(named, by: customer, verifier, db)
            purchases = owned.sorted()
            keptPurchases = named.filter(others.contains)
            let own = customer.names.map(\.description)
            let names = try customers.names(of: purchases)
            let shared = Set(
                try customers.shared(names.filter { !own.contains($0) }, besides: purchases)
                    + customers.shared(own, besides: named))
            otherNames = shared.sorted()
            ownNames = Set(names + own).subtracting(shared)
            let downloads = ownNames.compactMap {
                if case .appTransactionID(let download) = Customer.Name($0) { download } else { nil }
            }
            subjects =
                purchases.map { Int64(bitPattern: $0).databaseValue }
                + downloads.sorted().map(\.databaseValue)
            // What such a purchase moved to names it, and is another customer's.
            let moved = try purchases.filter { original in
                let name = Customer.Name.originalTransactionID(original).description
                return try customers.purchases(named: name, atMost: .max).contains {
                    !purchases.contains(UInt64(bitPattern: $0))
                }
            }
            try collectTraces(except: shared, Set(moved.map { String($0) }), db)
            for purchase in keptPurchases { try collectFormerPayloads(of: purchase, db) }
            // A member of another customer's subscription may have no payload that gives them.
            for case let name? in ownNames.map(Customer.Name.init) {
                if case .originalTransactionID = name { continue }
                traces.add(name.description.utf8)
            }
        }

        /// The purchases that a customer owns, and those that others do.
        ///
        /// What a purchase moved from and to is looked at too: the whole history has one customer. A purchase that cannot be read
        /// counts as the customer's if one of the names leads to it. Nothing is verified here: a file must forget under any
        /// roots, and verification takes no name from a payload.
        private static func owned(
            _ named: [UInt64], by customer: Customer, _ verifier: StoreKitVerifier, _ db: Database
        ) throws -> (owned: Set<UInt64>, others: Set<UInt64>) {
            var (history, owned, others): (PurchaseHistory, Set<UInt64>, Set<UInt64>) = (.init(), [], [])
            var (read, unread): (Set<UInt64>, [UInt64]) = ([], named)
            while !unread.isEmpty {
                for original in unread where try !add(purchase: original, to: &history, verifier, db) {
                    history.remove(purchase: original)
                    owned.formUnion(named.contains(original) ? [original] : [])
                }
                read.formUnion(unread)
                let next = try CustomerRows(db).purchases(
                    of: Customer(unread.map(Customer.Name.originalTransactionID)))
                unread = Set(unread.flatMap(history.formerOriginals) + next).subtracting(read).sorted()
            }
            let chains = Dictionary(grouping: history.purchases) { $0.id.originalTransactionID }
            for (original, chains) in chains {
                if chains.allSatisfy({ isOthers($0, than: customer) }) {
                    others.insert(original)
                } else {
                    owned.insert(original)
                }
            }
            return (owned.union(Set(named).subtracting(others)), others)
        }

        /// - Returns: false if a payload cannot be read.
        private static func add(
            purchase original: UInt64, to history: inout PurchaseHistory, _ verifier: StoreKitVerifier,
            _ db: Database
        ) throws -> Bool {
            let payloads = try PayloadRows(db).signed(about: Int64(bitPattern: original).databaseValue)
            while let payload = try payloads.next() {
                guard let kind = payload.valueKind else { continue }
                let json = Array(payload.json.utf8)
                guard let value = PurchaseValue(json: json, kind: kind, by: verifier) else { return false }
                history.add(value)
            }
            return true
        }

        /// Whether a purchase is another customer's, and stays without the payloads that name this one.
        ///
        /// A refund in these payloads may cover a copy that would stay. Then no customer has access, and the purchase goes
        /// whole: without the refund, the copy would give access again.
        private static func isOthers(_ chain: PurchaseChain, than customer: Customer) -> Bool {
            guard !customer.owns(Set(chain.customers)) else { return false }
            let isNamed = Dictionary(grouping: chain.transactions) { customer.owns(Set($0.customers)) }
            let (going, staying) = (isNamed[true] ?? [], isNamed[false] ?? [])
            return !staying.isEmpty
                && !going.contains { revoked in
                    revoked.revocationDate != nil
                        && staying.contains { PurchaseChain.areCopies($0, revoked) }
                }
        }

        /// Whether the body of a notification gives one of the customer's own names. One that cannot be read may do so.
        func isNamed(inBody body: Data) -> Bool {
            NotificationFacts.names(inUnverified: Array(body))?.contains {
                ownNames.contains($0.description)
            } ?? true
        }

        /// Notes the signature of a body, which no other body has, as the file keeps it.
        mutating func addSignature(ofStoredBody body: Data) { traces.add(body.suffix(48)) }

        /// Finds the payloads of another customer's purchase that give one of the names.
        private mutating func collectFormerPayloads(of purchase: UInt64, _ db: Database) throws {
            let texts = try PayloadRows(db).signed(about: Int64(bitPattern: purchase).databaseValue)
            while let payload = try texts.next() {
                guard let fields = try? PayloadFields(Array(payload.json.utf8), names: Self.names) else {
                    continue
                }
                // A notification has its names in the payloads inside it.
                let names =
                    payload.valueKind == nil
                    ? NotificationFacts.names(inUnverifiedPayload: payload.json) : Customer.names(in: fields)
                guard names.contains(where: { ownNames.contains($0.description) }) else { continue }
                formerPayloads.append((payload.id, purchase))
                payloads += 1
                traces.add(payload.signature)
                addNames(in: fields) { [ownNames] in ownNames.contains($0) }
            }
        }

        /// Notes the identifiers and signatures of the payloads that are taken out.
        ///
        /// - Parameters:
        ///   - names: the names that others have, too.
        ///   - originals: the original transactions that others' payloads name.
        private mutating func collectTraces(
            except names: Set<String>, _ originals: Set<String>, _ db: Database
        ) throws {
            for subject in subjects {
                let texts = try PayloadRows(db).signed(about: subject)
                while let payload = try texts.next() {
                    payloads += 1
                    traces.add(payload.signature)
                    guard let fields = try? PayloadFields(Array(payload.json.utf8), names: Self.names) else {
                        continue
                    }
                    for member in ["transactionId", "originalTransactionId", "webOrderLineItemId"] {
                        guard let text = fields.string(member), !originals.contains(text) else { continue }
                        traces.add(text.utf8)
                    }
                    addNames(in: fields) { !names.contains($0) }
                }
            }
        }

        /// Notes the names that a payload gives, in each form that they may stand in.
        ///
        /// - Parameter isGone: whether no other row has the name, as the file has it.
        private mutating func addNames(in fields: PayloadFields, where isGone: (String) -> Bool) {
            if let token = fields.string("appAccountToken"), isGone(token.lowercased()) {
                for form in [token, token.lowercased(), token.uppercased()] { traces.add(form.utf8) }
            }
            if let download = fields.string("appTransactionId"),
                isGone(Customer.Name.appTransactionID(download).description)
            {
                traces.add(download.utf8)
            }
        }

        /// Takes out the payloads, the rows about them, and the claims of seats. SQLite overwrites their bytes
        /// with zeros.
        mutating func erase(_ db: Database) throws {
            for claim in try SeatClaimRows(db).erase(purchases: purchases, names: ownNames) {
                traces.add(claim.utf8)
            }
            for subject in subjects { try PurchaseRows(db).delete(subject) }
            let changes = try PayloadChanges(db)
            for payload in formerPayloads { try changes.remove(payload.id) }
            try PurchaseRows(db).add(
                Dictionary(formerPayloads.map { (.purchase($0.purchase), -1) }, uniquingKeysWith: +))
            for purchase in keptPurchases { try CustomerRows(db).delete(ownNames, of: purchase) }
        }
    }
#endif
