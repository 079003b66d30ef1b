#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// Checks what identifiers lead to.
    @Suite struct IdentifierSearchTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        /// A subscription with a renewal, and another purchase of the same download.
        private func filled() async throws -> SQLiteTransactionStore {
            let store = try folder.open()
            for (id, original, order) in [(1001, 1001, "501"), (1002, 1001, "502"), (2001, 2001, "503")] {
                try await store.apply(
                    Signed.transaction(
                        Signed.transactionPayload(
                            id: id, original: original, expires: 30, signed: id % 10,
                            ["webOrderLineItemId": "\"\(order)\"", "appTransactionId": #""704""#])))
            }
            return store
        }

        private func found(_ digits: String, _ store: SQLiteTransactionStore) async throws -> [String] {
            try await store.search(digits).matches.map { match in
                let members = match.members.map(\.rawValue).joined(separator: " ")
                return "\(match.purchase.id.originalTransactionID) \(match.transaction?.id ?? 0) \(members)"
            }
        }

        @Test func `each member of a payload leads to its purchase`() async throws {
            let store = try await filled()
            #expect(try await found("1001", store) == ["1001 1001 originalTransactionId transactionId"])
            #expect(try await found("1002", store) == ["1001 1002 transactionId"])
            #expect(try await found("502", store) == ["1001 1002 webOrderLineItemId"])
            #expect(
                try await found("704", store).sorted() == [
                    "1001 1002 appTransactionId", "2001 2001 appTransactionId",
                ])
        }

        @Test(arguments: ["3", "50", "0", "01001", "99999999999999999999", ""])
        func `a part of an identifier, or another one, finds nothing`(digits: String) async throws {
            let store = try await filled()
            #expect(try await found(digits, store) == [])
        }

        @Test func `a search without an index ends, and says so`() async throws {
            let store = try await filled()
            let partial = try await store.search("501", maximum: 1)
            #expect(partial.matches.isEmpty && partial.isPartial && partial.searchedPayloads == 1)
            let whole = try await store.search("501", maximum: 3)
            #expect(whole.matches.count == 1 && !whole.isPartial && whole.searchedPayloads == 3)
            #expect(try await store.search("1001").searchedPayloads == nil)
        }

        @Test func `a claim of the file is no match`() async throws {
            let store = try await filled()
            try folder.inspect { db in
                try db.execute(sql: "INSERT INTO customer VALUES ('app-transaction:888', 2001)")
            }
            #expect(try await found("888", store) == [])
            try folder.inspect { db in
                try db.execute(sql: "UPDATE payload SET item = 3003 WHERE subject = 2001")
            }
            #expect(try await found("3003", store) == [])
            try folder.inspect { db in
                try db.execute(
                    sql: "UPDATE payload SET json = replace(json, '503', '603') WHERE subject = 2001")
            }
            let error = await #expect(throws: SQLiteStoreError.self) { _ = try await store.search("603") }
            #expect(error?.code == .unverified)
        }

        @Test func `an app transaction alone is a download`() async throws {
            let app = """
                {"receiptType":"Production","bundleId":"com.example.garden","applicationVersion":"3",\
                "originalApplicationVersion":"1.0","originalPurchaseDate":\(Signed.day(0)),\
                "receiptCreationDate":\(Signed.day(2)),"deviceVerification":"AAAA",\
                "deviceVerificationNonce":"\(UUID().uuidString.lowercased())","appTransactionId":"905"}
                """
            let store = try folder.open()
            try await store.apply(Signed.verifier().appTransaction(Signed.token(app)))
            let search = try await store.search("905")
            #expect(search.isDownload && search.matches.isEmpty)
        }
    }
#endif
