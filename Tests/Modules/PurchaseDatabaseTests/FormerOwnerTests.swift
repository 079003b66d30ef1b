#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// A purchase that one customer had, and another has now, in a file.
    @Suite struct FormerOwnerTests {
        private let folder: DatabaseFolder
        private let store: SQLiteTransactionStore
        private let inbox: NotificationInbox

        init() throws {
            folder = try DatabaseFolder()
            store = try folder.open()
            inbox = NotificationInbox(store, forwardingTo: [])
        }

        private static let former = "bbbbbbbb-0000-4000-8000-00000000000b"
        private static let present = "aaaaaaaa-0000-4000-8000-00000000000a"

        private func customer(_ token: String) throws -> Customer {
            .appAccountToken(try #require(UUID(uuidString: token)))
        }

        /// A period of a subscription, which comes with a notification.
        private func receive(
            _ id: Int, of token: String, from start: Int, signed: Int? = nil, _ others: [String: String] = [:]
        ) async throws {
            let transaction = try Signed.token(
                Signed.transactionPayload(
                    id: id, original: 1, purchased: start, expires: start + 30, signed: signed,
                    ["appAccountToken": "\"\(token)\"", "appTransactionId": #""704""#].merging(others) { $1 })
            )
            let body = Body.wrapped(try Signed.token(Body.payload(UUID(), data: transaction)))
            guard case .accepted = try await inbox.receive(body, at: Signed.instant(start)) else {
                Issue.record("not accepted")
                return
            }
        }

        private func entitled(_ token: String, day: Int = 70) async throws -> [UInt64] {
            let history = try await store.history(of: customer(token))
            return history.currentEntitlements(at: Signed.instant(day)).map(\.id)
        }

        private func bytes() throws -> Data {
            let log = try? Data(contentsOf: URL(filePath: folder.path + "-wal"))
            return try Data(contentsOf: URL(filePath: folder.path)) + (log ?? Data())
        }

        @Test func `an old transaction that is signed again takes nothing from the owner`() async throws {
            try await receive(1, of: Self.former, from: 0)
            try await receive(2, of: Self.present, from: 60)
            try await receive(1, of: Self.former, from: 0, signed: 65)
            #expect(try await entitled(Self.present) == [2])
            #expect(try await entitled(Self.former).isEmpty)
            #expect(try await store.history(of: customer(Self.former)).purchases.isEmpty)
        }

        @Test func `a former owner is forgotten, and the present one keeps the purchase`() async throws {
            try await receive(1, of: Self.former, from: 0)
            try await receive(2, of: Self.present, from: 60)
            try await receive(1, of: Self.former, from: 0, signed: 65)
            let forgotten = try await store.forget(customer(Self.former))
            #expect(forgotten.purchases.isEmpty && forgotten.keptPurchases == [1])
            #expect(forgotten.payloads == 1 && forgotten.notifications == 2)
            #expect(forgotten.otherNames.isEmpty && forgotten.remains == 0 && forgotten.texts > 0)
            #expect(try bytes().range(of: Data(Self.former.utf8)) == nil)
            #expect(try await entitled(Self.present) == [2])
            // The file is whole: it has as many payloads as it says.
            #expect(try await store.history(of: .everyone).purchases.map(\.transactionCount) == [1])
            #expect(try await inbox.notifications(NotificationSelection()).items.count == 1)
            let again = try await store.forget(customer(Self.former))
            #expect(again.keptPurchases.isEmpty && again.purchases.isEmpty && again.payloads == 0)
            let rest = try await store.forget(customer(Self.present))
            #expect(rest.purchases == [1] && rest.remains == 0)
            #expect(try folder.count("payload") == 0)
        }

        @Test func `other purchases of a former owner go whole`() async throws {
            try await receive(1, of: Self.former, from: 0)
            try await receive(2, of: Self.present, from: 60)
            let own = Signed.transactionPayload(
                id: 9, product: "level", type: "Non-Consumable", ["appAccountToken": "\"\(Self.former)\""])
            try await store.apply(Signed.transaction(own))
            let forgotten = try await store.forget(customer(Self.former))
            #expect(forgotten.purchases == [9] && forgotten.keptPurchases == [1])
            #expect(forgotten.otherNames.isEmpty && forgotten.remains == 0)
            #expect(try await entitled(Self.present) == [2])
        }

        /// Without the refund, the copy would give access again.
        @Test func `a refund that covers a copy goes with the copy`() async throws {
            func level(_ id: Int, _ token: String, day: Int, _ others: [String: String] = [:]) throws
                -> VerificationResult<Transaction>
            {
                try Signed.transaction(
                    Signed.transactionPayload(
                        id: id, original: 1, product: "level", type: "Non-Consumable", purchased: day,
                        ["appAccountToken": "\"\(token)\""].merging(others) { $1 }))
            }
            try await store.apply(level(1, Self.former, day: 0, ["revocationDate": "\(Signed.day(5))"]))
            try await store.apply(level(2, Self.present, day: 10))
            #expect(try await entitled(Self.present).isEmpty)
            let forgotten = try await store.forget(customer(Self.former))
            #expect(forgotten.purchases == [1] && forgotten.keptPurchases.isEmpty && forgotten.remains == 0)
            #expect(try await entitled(Self.present).isEmpty)
        }

        /// The command has no roots to forget by.
        @Test func `a customer is forgotten under any roots`() async throws {
            try await receive(1, of: Self.former, from: 0)
            try await receive(2, of: Self.present, from: 60)
            let elsewhere = try SQLiteTransactionStore(path: folder.path, verifier: SignedPayloadVerifier())
            let forgotten = try await elsewhere.forget(customer(Self.former))
            #expect(forgotten.keptPurchases == [1] && forgotten.purchases.isEmpty && forgotten.remains == 0)
            #expect(try await entitled(Self.present) == [2])
        }

        @Test func `a damaged purchase of a former owner goes whole`() async throws {
            try await receive(1, of: Self.former, from: 0)
            try await receive(2, of: Self.present, from: 60)
            try folder.inspect { db in
                try db.execute(sql: "UPDATE payload SET json = '{' WHERE item = 2")
            }
            let forgotten = try await store.forget(customer(Self.former))
            #expect(forgotten.purchases == [1] && forgotten.keptPurchases.isEmpty)
            #expect(try folder.count("payload") == 0)
        }

        /// Payloads of before 2022 name no environment.
        @Test func `a purchase is of its environment, though old payloads name none`() async throws {
            try await receive(1, of: Self.present, from: 0, ["environment": #""""#])
            try await receive(2, of: Self.present, from: 60)
            for (environment, ids) in [(AppStore.Environment.production, [UInt64(2)]), (.sandbox, [])] {
                let verifier = try Signed.verifier { $0.environments = [environment] }
                let filtered = try SQLiteTransactionStore(path: folder.path, verifier: verifier.payloads)
                let history = try await filtered.history(of: customer(Self.present))
                #expect(history.currentEntitlements(at: Signed.instant(70)).map(\.id) == ids)
                #expect(history.purchases.map(\.transactionCount) == (ids.isEmpty ? [] : [2]))
            }
        }

        @Test func `a policy for other apps leaves purchases out, and nothing is damaged`() async throws {
            try await receive(1, of: Self.present, from: 0)
            let verifier = try Signed.verifier { $0.bundleIdentifiers = ["com.example.other"] }
            let filtered = try SQLiteTransactionStore(path: folder.path, verifier: verifier.payloads)
            #expect(try await filtered.history(of: .everyone).purchases.isEmpty)
        }
    }
#endif
