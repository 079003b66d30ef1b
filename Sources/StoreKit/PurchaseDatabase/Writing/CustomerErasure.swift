#if SQLite
    internal import Foundation
    package import GRDB
    package import StoreKitVerify
    internal import WireFormats

    /// Takes a customer's payloads out of the file, in a transaction.
    ///
    /// The columns say what is the customer's, without a verdict on the payloads: what is damaged must go too.
    package struct CustomerErasure: Sendable {
        /// What is taken out: original transactions, and downloads that no other purchase names.
        package let subjects: [DatabaseValue]
        /// The purchases among them, by their original transactions.
        package let purchases: [UInt64]
        /// What must not stand in the file afterwards.
        package private(set) var traces = FileTraces()
        /// The names of these purchases under which there are others, which stay.
        package private(set) var otherNames: [String] = []
        /// The names that are the customer's alone, as the file has them.
        private let ownNames: Set<String>
        /// The number of payloads.
        package private(set) var payloads = 0

        private static let names = MemberNames([
            "transactionId", "originalTransactionId", "webOrderLineItemId", "appAccountToken",
            "appTransactionId",
        ])

        /// Finds what is a customer's.
        package init(of customer: Customer, _ db: Database) throws {
            purchases = try PayloadReading.purchases(of: customer, db)
            let own = try Self.list(purchases.map { Int64(bitPattern: $0) })
            let names = try String.fetchAll(
                db,
                sql: "SELECT DISTINCT name FROM customer WHERE subject IN (SELECT value FROM json_each(?))",
                arguments: [own])
            let shared = try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT name FROM customer WHERE name IN (SELECT value FROM json_each(?))
                    AND subject NOT IN (SELECT value FROM json_each(?))
                    """,
                arguments: [try Self.list(names), own])
            otherNames = shared.sorted()
            ownNames = Set(names + customer.names.map(\.description)).subtracting(shared)
            let downloads = ownNames.compactMap {
                if case .appTransactionID(let download) = Customer.Name($0) { download } else { nil }
            }
            subjects =
                purchases.map { Int64(bitPattern: $0).databaseValue }
                + downloads.sorted().map(\.databaseValue)
            try collectTraces(except: Set(shared), db)
            // A member of somebody else's subscription may have no payload that gives them.
            for case let name? in ownNames.map(Customer.Name.init) {
                if case .originalTransactionID = name { continue }
                traces.add(name.description.utf8)
            }
        }

        /// Values for SQLite's `json_each`.
        private static func list(_ values: [some Encodable]) throws -> String {
            String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
        }

        /// Notes the identifiers and signatures of what is taken out.
        private mutating func collectTraces(except names: Set<String>, _ db: Database) throws {
            let find = try db.cachedStatement(sql: "SELECT json, signature FROM payload WHERE subject = ?")
            for subject in subjects {
                let rows = try Row.fetchCursor(find, arguments: [subject])
                while let row = try rows.next() {
                    payloads += 1
                    traces.add(try row.decode(Data.self, atIndex: 1))
                    let json = try row.decode(String.self, atIndex: 0)
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

        /// Notes what must not stand in the file either.
        package mutating func addTrace(_ text: some Sequence<UInt8>) { traces.add(text) }

        /// Takes the payloads out, and what the tables say of them, and the claims of seats. SQLite overwrites their bytes
        /// with zeros.
        package mutating func erase(_ db: Database) throws {
            for claim in try SeatClaimRows(db).erase(purchases: purchases, names: ownNames) {
                traces.add(claim.utf8)
            }
            for subject in subjects {
                for table in ["payload", "purchase", "customer", "finished"] {
                    try db.cachedStatement(sql: "DELETE FROM \(table) WHERE subject = ?").execute(
                        arguments: [subject])
                }
            }
        }
    }
#endif
