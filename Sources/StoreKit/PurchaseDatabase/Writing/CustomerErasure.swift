#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify
    internal import WireFormats

    /// Takes a customer's payloads out of the file, in a transaction.
    ///
    /// The columns say which payloads are the customer's. They are not verified: damaged ones must go too.
    struct CustomerErasure: Sendable {
        /// The subjects that are taken out: original transactions, and downloads that no other purchase names.
        let subjects: [DatabaseValue]
        /// The purchases among them, by their original transactions.
        let purchases: [UInt64]
        /// The texts that must not stand in the file afterwards.
        private(set) var traces = FileTraces()
        /// The names of these purchases under which there are others, which stay.
        private(set) var otherNames: [String] = []
        /// The names that are the customer's alone, as the file has them.
        private let ownNames: Set<String>
        /// The number of payloads.
        private(set) var payloads = 0

        private static let names = MemberNames([
            "transactionId", "originalTransactionId", "webOrderLineItemId", "appAccountToken",
            "appTransactionId",
        ])

        /// Finds the payloads of a customer.
        init(of customer: Customer, _ db: Database) throws {
            purchases = try CustomerRows(db).purchases(of: customer)
            let names = try CustomerRows(db).names(of: purchases)
            let shared = try CustomerRows(db).shared(names, besides: purchases)
            otherNames = shared.sorted()
            ownNames = Set(names + customer.names.map(\.description)).subtracting(shared)
            let downloads = ownNames.compactMap {
                if case .appTransactionID(let download) = Customer.Name($0) { download } else { nil }
            }
            subjects =
                purchases.map { Int64(bitPattern: $0).databaseValue }
                + downloads.sorted().map(\.databaseValue)
            try collectTraces(except: Set(shared), db)
            // A member of another customer's subscription may have no payload that gives them.
            for case let name? in ownNames.map(Customer.Name.init) {
                if case .originalTransactionID = name { continue }
                traces.add(name.description.utf8)
            }
        }

        /// Notes the identifiers and signatures of the payloads that are taken out.
        private mutating func collectTraces(except names: Set<String>, _ db: Database) throws {
            for subject in subjects {
                let texts = try PayloadRows(db).signedTexts(about: subject)
                while let (json, signature) = try texts.next() {
                    payloads += 1
                    traces.add(signature)
                    guard let fields = try? PayloadFields(Array(json.utf8), names: Self.names) else {
                        continue
                    }
                    for member in ["transactionId", "originalTransactionId", "webOrderLineItemId"] {
                        if let text = fields.string(member) { traces.add(text.utf8) }
                    }
                    if let token = fields.string("appAccountToken"), !names.contains(token.lowercased()) {
                        for form in [token, token.lowercased(), token.uppercased()] { traces.add(form.utf8) }
                    }
                    if let download = fields.string("appTransactionId"),
                        !names.contains(Customer.Name.appTransactionID(download).description)
                    {
                        traces.add(download.utf8)
                    }
                }
            }
        }

        /// Notes another text that must not stand in the file.
        mutating func addTrace(_ text: some Sequence<UInt8>) { traces.add(text) }

        /// Takes out the payloads, the rows about them, and the claims of seats. SQLite overwrites their bytes
        /// with zeros.
        mutating func erase(_ db: Database) throws {
            for claim in try SeatClaimRows(db).erase(purchases: purchases, names: ownNames) {
                traces.add(claim.utf8)
            }
            for subject in subjects { try PurchaseRows(db).delete(subject) }
        }
    }
#endif
