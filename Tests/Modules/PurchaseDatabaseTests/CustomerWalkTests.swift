#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import PurchaseDatabase
    import SeededRandom
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// Checks the list of a file's customers, part by part.
    @Suite struct CustomerWalkTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        private func purchase(
            _ id: Int, token: Int? = nil, download: Int? = nil, previous: Int? = nil, signed: Int = 1
        ) throws -> VerificationResult<Transaction> {
            var names: [String: String] = [:]
            if let token { names["appAccountToken"] = "\"\(Self.uuid(token).uuidString)\"" }
            if let download { names["appTransactionId"] = "\"\(download)\"" }
            if let previous { names["previousOriginalTransactionId"] = "\"\(previous)\"" }
            return try Signed.transaction(
                Signed.transactionPayload(
                    id: id, product: "level", type: "Non-Consumable", signed: signed, names))
        }

        private static func uuid(_ number: Int) -> UUID {
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number / 256), UInt8(number % 256)))
        }

        /// The groups of a whole list, each by its original transactions.
        private func list(
            _ store: SQLiteTransactionStore, payloads: Int,
            _ customers: (CustomerPart) -> [PurchaseHistory] = { $0.groups.map(\.history) },
            between: () async throws -> Void = {}
        ) async throws -> [[UInt64]] {
            var (groups, place): ([[UInt64]], CustomerPlace?) = ([], nil)
            repeat {
                let part = try await store.customers(after: place, payloads: payloads)
                #expect(part.faults.isEmpty)
                groups += customers(part).map { $0.purchases.map(\.id.originalTransactionID).sorted() }
                place = part.next
                try await between()
            } while place != nil
            return groups
        }

        @Test(arguments: [1, 2, 7, 10_000])
        func `each customer is listed once, whole, at the lowest purchase`(payloads: Int) async throws {
            let store = try folder.open()
            // 1, 4 and 6 through a token and a download; 2 and 5 by a download; 3 alone.
            try await store.apply(purchase(1, token: 1))
            try await store.apply(purchase(2, download: 9))
            try await store.apply(purchase(3))
            try await store.apply(purchase(4, token: 1, download: 8))
            try await store.apply(purchase(5, download: 9))
            try await store.apply(purchase(6, download: 8))
            #expect(try await list(store, payloads: payloads) == [[1, 4, 6], [2, 5], [3]])
        }

        @Test func `a purchase that moved has one customer with the other one, in older files too`()
            async throws
        {
            let store = try folder.open()
            try await store.apply(purchase(1, download: 7))
            try await store.apply(purchase(2, download: 8, previous: 1))
            try await store.apply(purchase(3, download: 9, previous: 2))
            try await store.apply(purchase(4, previous: 5))
            #expect(try await list(store, payloads: 1) == [[1, 2, 3], [4]])
            try store.close()
            try folder.inspect { db in
                try db.execute(
                    sql: """
                        DELETE FROM customer WHERE name LIKE 'original-transaction:%';
                        DELETE FROM grdb_migrations WHERE identifier = '6';
                        """)
            }
            let again = try folder.open()
            #expect(try await list(again, payloads: 10) == [[1, 2, 3], [4]])
            let owned = try await again.history(of: .originalTransactionID(1)).purchases
            #expect(owned.map(\.id.originalTransactionID).sorted() == [1, 2])
            // The customer who has it now has had it before.
            for (download, ids) in [("9", [1, 2, 3]), ("8", []), ("7", [])] as [(String, [UInt64])] {
                let owned = try await again.history(of: .appTransactionID(download)).purchases
                #expect(owned.map(\.id.originalTransactionID).sorted() == ids)
            }
        }

        /// What is read together may be several customers': a purchase that moved has another customer than before.
        @Test func `the customers are those of the history in memory, however the parts are cut`()
            async throws
        {
            var random = SplitMix64(seed: 35)
            for _ in 0..<20 {
                let folder = try DatabaseFolder()
                let store = try folder.open()
                for id in 1...Int.random(in: 1...40, using: &random) {
                    try await store.apply(
                        purchase(
                            id,
                            token: Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil,
                            download: Bool.random(using: &random)
                                ? Int.random(in: 1...9, using: &random) : nil,
                            // Maybe itself, a later one, or one that is not there.
                            previous: Int.random(in: 0..<4, using: &random) == 0
                                ? Int.random(in: 1...45, using: &random) : nil))
                }
                let expected = try await store.history(of: .everyone).groupedByAppAndCustomer()
                    .map { $0.purchases.map(\.id.originalTransactionID).sorted() }
                    .sorted { $0[0] < $1[0] }
                let payloads = Int.random(in: 1...20, using: &random)
                let found = try await list(store, payloads: payloads) { part in
                    part.groups.flatMap { $0.history.groupedByAppAndCustomer() }
                }
                #expect(found.sorted { $0[0] < $1[0] } == expected)
            }
        }

        @Test func `a name that a later payload has replaced leads nowhere`() async throws {
            let store = try folder.open()
            try await store.apply(purchase(1, token: 1, signed: 1))
            try await store.apply(purchase(1, token: 2, signed: 3))
            try await store.apply(purchase(2, token: 1))
            try await store.apply(purchase(3, token: 2))
            #expect(try await list(store, payloads: 1) == [[1, 3], [2]])
        }

        @Test func `purchases that come meanwhile move nothing that was listed`() async throws {
            let store = try folder.open()
            for id in [10, 20, 30] { try await store.apply(purchase(id, token: id)) }
            var next = 40
            let listed = try await list(store, payloads: 1) { part in
                part.groups.map(\.history)
            } between: {
                guard next < 70 else { return }
                try await store.apply(purchase(next, token: next))
                try await store.apply(purchase(next - 39, token: next))
                next += 10
            }
            #expect(listed.filter { $0[0] >= 10 }.prefix(3) == [[10], [20], [30]])
            #expect(Set(listed.flatMap(\.self)).count == listed.flatMap(\.self).count)
        }

        @Test func `a name that everybody has is no person's`() async throws {
            let store = try folder.open()
            for id in 1...8 { try await store.apply(purchase(id, token: 1, download: id % 3 + 1)) }
            // The token has eight purchases, and the downloads have up to three.
            let part = try await store.customers(after: nil, purchases: 3)
            let groups = part.groups.map { $0.history.purchases.map(\.id.originalTransactionID).sorted() }
            #expect(groups == [[1, 4, 7], [2, 5, 8], [3, 6]])
            // Two of the downloads have more purchases than two.
            #expect(try await store.customers(after: nil, purchases: 2).groups.count == 7)
            #expect(try await store.customers(after: nil, purchases: 8).groups.count == 1)
        }

        @Test func `a changed payload is a fault, and a lost name an error`() async throws {
            let store = try folder.open()
            for id in 1...3 { try await store.apply(purchase(id, token: 1, download: id)) }
            try folder.inspect { db in
                try db.execute(
                    sql: "UPDATE payload SET json = replace(json, 'level', 'devil') WHERE subject = 2")
            }
            let part = try await store.customers(after: nil)
            #expect(part.faults.map(\.subject) == ["2"])
            #expect(part.groups.map { $0.history.purchases.count } == [2])
            try folder.inspect { db in
                try db.execute(sql: "DELETE FROM customer WHERE subject = 1 AND name LIKE '%-%-%'")
            }
            let error = await #expect(throws: SQLiteStoreError.self) {
                _ = try await store.customers(after: nil)
            }
            #expect(error?.code == .damaged)
        }

        @Test func `a purchase without payloads is a fault`() async throws {
            let store = try folder.open()
            try await store.apply(purchase(1, token: 1))
            try await store.apply(purchase(2, token: 2))
            try folder.inspect { db in try db.execute(sql: "DELETE FROM payload WHERE subject = 1") }
            #expect(try await store.customers(after: nil).faults.map(\.subject) == ["1"])
            try folder.inspect { db in try db.execute(sql: "DELETE FROM purchase WHERE subject = 2") }
            #expect(try await store.customers(after: nil).faults.map(\.subject) == ["1", "2"])
        }

        @Test func `a place has one text`() throws {
            for text in ["0", "1", "18446744073709551615", "9223372036854775808"] {
                #expect(CustomerPlace(text)?.description == text)
            }
            for text in ["", "01", "+1", "-1", "x", "18446744073709551616", " 1"] {
                #expect(CustomerPlace(text) == nil)
            }
        }

        @Test func `the list goes on behind the last purchase there can be`() async throws {
            let store = try folder.open()
            let identifier = ["originalTransactionId": #""9223372036854775807""#]
            try await store.apply(
                Signed.transaction(Signed.transactionPayload(id: 5, type: "Non-Consumable", identifier)))
            #expect(try await list(store, payloads: 1) == [[9_223_372_036_854_775_807]])
        }
    }
#endif
