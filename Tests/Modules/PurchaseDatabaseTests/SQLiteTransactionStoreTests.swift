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

    /// Checks what a store in a file keeps, and gives back.
    @Suite struct SQLiteTransactionStoreTests {
        private let folder: DatabaseFolder
        private let token = UUID()

        init() throws { folder = try DatabaseFolder() }

        private var own: [String: String] { ["appAccountToken": "\"\(token.uuidString.lowercased())\""] }
        private var customer: Customer { .appAccountToken(token) }

        private func level(
            _ id: Int, original: Int? = nil, signed: Int = 1, _ others: [String: String]? = nil
        ) throws -> VerificationResult<Transaction> {
            try Signed.transaction(
                Signed.transactionPayload(
                    id: id, original: original, product: "level", type: "Non-Consumable", signed: signed,
                    others ?? own))
        }

        private func ids(_ store: SQLiteTransactionStore, _ customer: Customer) async throws -> [UInt64] {
            try await store.currentEntitlements(of: customer, at: Signed.instant(20)).map(\.id)
        }

        // MARK: Keeping

        @Test func `what was applied is there when the file is opened again, with its tokens`() async throws {
            let bought = try level(1)
            let info = try Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 2, own))
            let store = try folder.open()
            try await store.apply(bought)
            try await store.apply(info)
            try await store.finish(bought.payloadValue)
            try store.close()

            let again = try folder.open(isReadOnly: true)
            let history = try await again.history(of: customer)
            let chain = try #require(history.purchases.first)
            #expect(chain.transactions.map(\.signedContent.jwsRepresentation) == [bought.jwsRepresentation])
            #expect(chain.renewalInfo?.signedContent.jwsRepresentation == info.jwsRepresentation)
            #expect(history.unfinished.isEmpty)
            #expect(try await ids(again, customer) == [1])
            #expect(try await ids(again, .appAccountToken(UUID())).isEmpty)
            #expect(try await ids(again, .originalTransactionID(1)) == [1])
        }

        @Test func `a notification is applied as a whole, and remembered`() async throws {
            let (id, other) = (UUID(), UUID())
            let data = try [
                "bundleId": #""com.example.garden""#, "environment": #""Production""#,
                "signedTransactionInfo":
                    "\"\(Signed.token(Signed.transactionPayload(id: 7, expires: 30, own)))\"",
                "signedRenewalInfo":
                    "\"\(Signed.token(Signed.renewalPayload(original: 7, signed: 1, own)))\"",
            ]
            let payload = Signed.object([
                "notificationType": #""DID_RENEW""#, "notificationUUID": "\"\(id.uuidString)\"",
                "version": #""2.0""#, "signedDate": "\(Signed.day(1))", "data": Signed.object(data),
            ])
            let notification = try Signed.verifier().notification(Signed.token(payload))
            let store = try folder.open()
            #expect(try await !store.hasApplied(id))
            for _ in 0..<5 { try await store.apply(notification) }
            #expect(try await store.hasApplied(id))
            #expect(try await !store.hasApplied(other))
            #expect(
                try await store.statuses(of: customer, at: Signed.instant(20)).map(\.state) == [.subscribed])
            #expect(try folder.count("payload") == 2)
        }

        @Test func `app transactions belong to the customers of their download`() async throws {
            let app = """
                {"receiptType":"Production","bundleId":"com.example.garden","applicationVersion":"3",\
                "originalApplicationVersion":"1.0","originalPurchaseDate":\(Signed.day(0)),\
                "receiptCreationDate":\(Signed.day(2)),"deviceVerification":"AAAA",\
                "deviceVerificationNonce":"\(UUID().uuidString.lowercased())","appTransactionId":"704"}
                """
            let store = try folder.open()
            try await store.apply(Signed.verifier().appTransaction(Signed.token(app)))
            try await store.apply(level(1, own.merging(["appTransactionId": #""704""#]) { $1 }))
            for name in [customer, .appTransactionID("704")] {
                let found = try await store.history(of: name).appTransactions
                #expect(found.map(\.originalAppVersion) == ["1.0"])
            }
            #expect(try await store.history(of: .appTransactionID("705")).appTransactions.isEmpty)
            #expect(try await store.history(of: .everyone).appTransactions.count == 1)
        }

        @Test func `repetitions and new signings do not make the file grow`() async throws {
            let store = try folder.open()
            for signed in 1...20 { try await store.apply(level(1, signed: signed)) }
            for signed in 1...20 { try await store.apply(level(1, signed: signed)) }
            #expect(try folder.count("payload") == 1)
            #expect(try folder.count("header") == 1)
            let kept = try await store.history(of: customer).all()
            #expect(kept.map(\.signedDate) == [Signed.instant(20) + 1])
        }

        @Test func `a name is kept that the latest signing does not give`() async throws {
            let store = try folder.open()
            try await store.apply(level(1, signed: 9, [:]))
            try await store.apply(level(1, signed: 5, own))
            try await store.apply(level(1, signed: 3, own))
            #expect(try folder.count("payload") == 2)
            #expect(try await ids(store, customer) == [1])
        }

        @Test func `histories are those of the store in memory, in every order of arrival`() async throws {
            var random = SplitMix64(seed: 116)
            let pool = try ContradictingPayloads(&random)
            for _ in 0..<200 {
                let folder = try DatabaseFolder()
                let store = try folder.open()
                let steps = (0..<Int.random(in: 2...12, using: &random)).map { _ in
                    Int.random(in: 0..<pool.count, using: &random)
                }
                let expected = try pool.history(steps)
                for step in steps.shuffled(using: &random) { try await pool.apply(step, to: store) }
                let read = try await store.history(of: .everyone)
                for day in [5, 20, 35, 50] {
                    let instant = Signed.instant(day)
                    let isSame =
                        expected.entitlements(at: instant) == read.entitlements(at: instant)
                        && expected.statuses(at: instant) == read.statuses(at: instant)
                    try #require(isSame, "\(steps)")
                }
                let areListsSame = expected.all() == read.all() && expected.unfinished == read.unfinished
                try #require(areListsSame, "\(steps)")
                #expect(Set(expected.purchases.map(\.customers)) == Set(read.purchases.map(\.customers)))
            }
        }

        @Test func `an import says of each payload whether it is new`() async throws {
            let outcomes = try await imported(mixedTokens(), into: folder.open())
            #expect(outcomes == ["new", "invalidSignature", "noPurchase(realtimeRequest)"])
            let again = try await imported(mixedTokens(), into: folder.open())
            #expect(again == ["known", "invalidSignature", "noPurchase(realtimeRequest)"])
        }

        @Test func `the file gets one of two that are the same, and delivered ones count as finished`()
            async throws
        {
            let outcomes = try await imported(repeatedTokens(), into: folder.open(), delivered: true)
            #expect(outcomes == ["new", "new", "known"])
            let rows = try (folder.count("payload"), folder.count("finished"))
            #expect(rows == (2, 2))
            let history = try await folder.open().history(of: customer)
            #expect(history.unfinished.isEmpty)
        }

        /// A transaction, one that was changed, and a payload about no purchase.
        private func mixedTokens() throws -> [String] {
            let request = Signed.object([
                "originalTransactionId": #""1""#, "appAppleId": "1", "productId": #""level""#,
                "userLocale": #""de""#, "requestIdentifier": "\"\(UUID())\"", "environment": #""Production""#,
                "signedDate": "\(Signed.day(1))",
            ])
            return [
                #"{"signedTransactionInfo":"\#(try level(1).jwsRepresentation)"}"#,
                try Signed.tampered(Signed.transactionPayload(id: 3)), try Signed.token(request),
            ]
        }

        /// A transaction, and another one twice.
        private func repeatedTokens() throws -> [String] {
            try [1, 2, 2].map { try level($0).jwsRepresentation }
        }

        @inline(never)
        private func imported(
            _ tokens: [String], into store: SQLiteTransactionStore, delivered: Bool = false
        ) async throws -> [String] {
            let outcomes = try await store.importPayloads(tokens, delivered: delivered)
            return outcomes.map(Self.name(of:))
        }

        private static func name(of outcome: Result<ImportOutcome, PayloadError>)
            -> String
        {
            switch outcome {
            case .success(.new): "new"
            case .success(.known): "known"
            case .success(.noPurchase(let kind)): "noPurchase(\(kind.rawValue))"
            case .failure(let error): error.code.rawValue
            }
        }

        // MARK: Asking

        @Test func `one customer's purchases are found by the indexes`() async throws {
            let store = try folder.open()
            try await store.apply(level(1))
            let plans = try folder.inspect { db in
                try [
                    "SELECT subject FROM customer WHERE name = 'x'",
                    "SELECT * FROM payload WHERE subject = 1",
                    "SELECT 1 FROM payload WHERE subject = 1 AND kind = 1 AND item = 1 AND json = ''",
                    "SELECT 1 FROM finished WHERE subject = 1 AND item = 1 AND app = 1",
                    "SELECT 1 FROM notification WHERE uuid = 'x'",
                ].flatMap {
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \($0)").map { $0["detail"] as String }
                }
            }
            #expect(plans.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plans)")
        }

        @Test func `listeners get what is news, when it is in the file`() async throws {
            let store = try folder.open()
            var transactions = store.transactions(of: customer).makeAsyncIterator()
            var changes = store.changes(of: customer).makeAsyncIterator()
            try await store.apply(level(1))
            try await store.apply(level(1, signed: 4))
            try await store.apply(level(8, [:]))
            try await store.applyDelivered(level(3))
            try await store.apply(level(2))
            #expect(await transactions.next()?.id == 1)
            #expect(await transactions.next()?.id == 2)
            for original: UInt64 in [1, 3, 2] {
                #expect(await changes.next()?.id.originalTransactionID == original)
            }
        }

        @Test func `readers see whole writes while one writes`() async throws {
            let store = try folder.open()
            let tokens = try (1...200).map { try level($0, original: 1).jwsRepresentation }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for start in stride(from: 0, to: tokens.count, by: 10) {
                        _ = try await store.importPayloads(Array(tokens[start..<start + 10]))
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<20 {
                            let count = try await store.history(of: .everyone).unfinished.count
                            #expect(count % 10 == 0)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.history(of: .everyone).unfinished.count == 200)
        }
    }

    extension ContradictingPayloads {
        /// Takes one step with a store.
        func apply(_ step: Int, to store: some TransactionStore) async throws {
            switch step {
            case ..<transactions.count: try await store.apply(transactions[step])
            case ..<(transactions.count + renewals.count):
                try await store.apply(renewals[step - transactions.count])
            default:
                try await store.finish(transactions[step - transactions.count - renewals.count].payloadValue)
            }
        }
    }
#endif
