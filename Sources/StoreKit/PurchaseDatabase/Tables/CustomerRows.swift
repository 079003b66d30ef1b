#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify
    internal import WireFormats

    /// The table `customer`: the names that payloads give to a purchase's customer.
    ///
    /// The rows find purchases, and decide nothing: readers heed the names that were signed. The file also has
    /// names that later payloads have replaced.
    struct CustomerRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// A customer's name, and a purchase that it leads to.
        struct Name: Hashable {
            let name: String
            let purchase: UInt64
        }

        // MARK: - Writing

        /// Adds names, in the order of the index, so that each of its pages is changed once.
        func add(_ names: Set<Name>) throws {
            let insert = try db.cachedStatement(
                sql: "INSERT INTO customer VALUES (?, ?) ON CONFLICT DO NOTHING")
            for name in names.sorted(by: { ($0.name, $0.purchase) < ($1.name, $1.purchase) }) {
                insert.setUncheckedArguments([name.name, Int64(bitPattern: name.purchase)])
                try insert.execute()
            }
        }

        /// Adds the former original transactions that payloads of an older file name.
        func addFormerOriginals() throws {
            let member = Customer.formerOriginal
            let rows = try Row.fetchCursor(
                db, sql: "SELECT subject, json FROM payload WHERE kind = ? AND instr(json, ?) > 0",
                arguments: [StoredPayload.Kind.transaction.rawValue, member])
            var names: Set<Name> = []
            while let row = try rows.next() {
                let json = Array(try row.decode(String.self, atIndex: 1).utf8)
                guard let fields = try? PayloadFields(json, names: Self.members) else { continue }
                let purchase = UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0))
                for case .originalTransactionID(let former) in Customer.names(in: fields) {
                    let name = Customer.Name.originalTransactionID(former).description
                    names.insert(Name(name: name, purchase: purchase))
                }
            }
            try add(names)
        }

        private static let members = MemberNames(Customer.nameMembers)

        /// Takes out names of a purchase that stays.
        func delete(_ names: Set<String>, of purchase: UInt64) throws {
            let delete = try db.cachedStatement(sql: "DELETE FROM customer WHERE name = ? AND subject = ?")
            for name in names { try delete.execute(arguments: [name, Int64(bitPattern: purchase)]) }
        }

        // MARK: - Reading

        /// The original transactions that a customer's names lead to.
        func purchases(of customer: Customer) throws -> [UInt64] {
            var originals: Set<UInt64> = []
            for name in customer.names {
                if case .originalTransactionID(let original) = name { originals.insert(original) }
                let found = try purchases(named: name.description, atMost: .max)
                originals.formUnion(found.map { UInt64(bitPattern: $0) })
            }
            return originals.sorted()
        }

        /// The purchases with a name, the one with the highest original transaction first.
        func purchases(named name: String, atMost limit: Int64) throws -> [Int64] {
            let find = try db.cachedStatement(
                sql: "SELECT subject FROM customer WHERE name = ? ORDER BY subject DESC LIMIT ?")
            return try Int64.fetchAll(find, arguments: [name, limit])
        }

        /// The names of purchases.
        func names(of purchases: [UInt64]) throws -> [String] {
            let find = try db.cachedStatement(
                sql: "SELECT DISTINCT name FROM customer WHERE subject IN \(Dialect.list)")
            return try String.fetchAll(find, arguments: [try Self.list(purchases)])
        }

        /// Those of some names under which there are purchases besides these.
        func shared(_ names: [String], besides purchases: [UInt64]) throws -> [String] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT DISTINCT name FROM customer WHERE name IN \(Dialect.list)
                    AND subject NOT IN \(Dialect.list)
                    """)
            return try String.fetchAll(find, arguments: [try Self.list(names), try Self.list(purchases)])
        }

        /// All names with their purchases, in the order of the names. A member of a subscription's seats leads to the
        /// purchaser's purchase.
        func everyone() throws -> some Cursor<Name> {
            try Row.fetchCursor(
                db,
                sql: """
                    SELECT name, subject FROM customer
                    UNION ALL
                    SELECT member.name, claim.subject FROM member JOIN claim ON claim.id = member.claim
                    WHERE claim.subject IS NOT NULL
                    ORDER BY name
                    """
            ).map { row in
                Name(
                    name: try row.decode(String.self, atIndex: 0),
                    purchase: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)))
            }
        }

        // MARK: - Arguments

        /// Values for `Dialect.list`.
        private static func list(_ purchases: [UInt64]) throws -> String {
            try list(purchases.map { Int64(bitPattern: $0) })
        }

        private static func list(_ values: [some Encodable]) throws -> String {
            String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
        }
    }
#endif
