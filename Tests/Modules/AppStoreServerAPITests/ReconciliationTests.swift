#if SQLite && ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import PurchaseDatabase
    import Reconciliation
    import SignedPayloads
    import StoreKitTestSession
    import StoreKitVerify
    import Synchronization
    import Testing

    /// Comparisons of a file with the App Store: what they ask, find and refuse.
    @Suite struct ReconciliationTests {
        static let greenhouse = "com.example.garden.greenhouse"
        static let season = "com.example.garden.season"

        /// Runs a test with a database in a folder of its own.
        private static func withStore<Value>(
            _ scene: ClientScene, _ body: (SQLiteTransactionStore) async throws -> Value
        ) async throws -> Value {
            let folder = FileManager.default.temporaryDirectory.appending(path: "reconciliation-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "kept.db").path
            let store = try SQLiteTransactionStore(path: file, verifier: scene.store.verifier)
            let value = try await body(store)
            try store.close()
            return value
        }

        private static func body(_ scene: ClientScene, _ id: String) async throws -> Data {
            try await scene.client.response(to: .subscriptionStatuses(of: id)).body
        }

        /// A client of a server that gives the same answer to every question.
        private static func asking(_ body: Data, _ scene: ClientScene) async throws -> ClientScene {
            let text = String(decoding: body, as: UTF8.self)
            return try await ClientScene(anchors: [scene.store.authority.trustAnchor]) { _ in
                .answer(200, body: text)
            }
        }

        private static func tokens(in body: Data) throws -> [String] {
            try items(in: body).flatMap { item in
                [item["signedTransactionInfo"], item["signedRenewalInfo"]].compactMap { $0 as? String }
            }
        }

        private static func items(in body: Data) throws -> [[String: Any]] {
            let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            return (object["data"] as? [[String: Any]] ?? []).flatMap {
                $0["lastTransactions"] as? [[String: Any]] ?? []
            }
        }

        private static func answer(_ items: [[String: Any]]) throws -> Data {
            try JSONSerialization.data(
                withJSONObject: ["data": [["subscriptionGroupIdentifier": "1", "lastTransactions": items]]])
        }

        private static func run(
            _ store: SQLiteTransactionStore, _ scene: ClientScene, since: Date, at now: Date
        ) async throws -> (counts: Reconciliation.Counts, reports: [Reconciliation.Report]) {
            var reports: [Reconciliation.Report] = []
            let reconciliation = Reconciliation(store, scene.client, applies: true)
            let counts = try await reconciliation.run(silentSince: since, at: now, jobs: 1) {
                reports.append($0)
            }
            return (counts, reports)
        }

        @Test func `a subscription that was heard of lately is not unknown to the file`() async throws {
            let scene = try await ClientScene()
            let old = try scene.buy(ClientScene.monthly)
            let first = try await Self.body(scene, old)
            let silence = scene.store.now + 60
            try scene.store.advance(to: silence + 60)
            let second = try await Self.body(scene, try scene.buy(ClientScene.premium, "ben"))
            // As of one Apple Account with both, whose purchases have no name in common in the file.
            let both = try Self.answer(Self.items(in: first) + Self.items(in: second))
            let asked = try await Self.asking(both, scene)
            try await Self.withStore(scene) { store in
                _ = try await store.importPayloads(Self.tokens(in: first) + Self.tokens(in: second))
                let result = try await Self.run(store, asked, since: silence, at: silence)
                #expect(result.reports.isEmpty, "\(result.reports)")
                #expect(result.counts.compared == 1 && result.counts.differing == 0)
            }
        }

        @Test func `payloads of another subscription than the answer names are refused`() async throws {
            let scene = try await ClientScene()
            let body = try await Self.body(scene, try scene.buy(ClientScene.monthly))
            var items = try Self.items(in: body)
            items[0]["originalTransactionId"] = "1"
            let asked = try await Self.asking(Self.answer(items), scene)
            let now = scene.store.now
            try await Self.withStore(scene) { store in
                _ = try await store.importPayloads(Self.tokens(in: body))
                let result = try await Self.run(store, asked, since: now + 60, at: now)
                // One for the payloads, and one because the answer lacks the subscription of the question.
                #expect(result.counts.compared == 0 && result.counts.refused == 2)
                let messages = result.reports.map { "\($0)" }
                #expect(messages.contains { $0.contains("another subscription") }, "\(messages)")
            }
        }

        // MARK: - Histories

        /// The payloads of a customer at the moment, as the App Store's server has them.
        private static func payloads(_ scene: ClientScene, _ id: String) async throws -> [String] {
            var found = try await tokens(in: body(scene, id))
            for try await page in scene.client.transactionHistory(of: id) {
                found += page.transactions.map(\.jwsRepresentation)
            }
            return found
        }

        private struct Compared {
            let counts: Reconciliation.Counts
            let reasons: [ReconciliationFinding.Reason]
            let paths: [String]
        }

        /// Has a file keep the payloads of customers, has the App Store change them without a word, and compares.
        ///
        /// - Returns: the counts, the causes of the findings, and the requests. A second comparison must find nothing.
        private static func compare(
            _ scene: ClientScene, knowing tokens: [String], after events: String..., refusing: Int = 0
        ) async throws -> Compared {
            try scene.store.advance(to: scene.store.now + 60)
            for event in events { try scene.events(event) }
            let now = scene.store.now + 60
            return try await withStore(scene) { store in
                let outcomes = try await store.importPayloads(tokens)
                #expect(outcomes.allSatisfy { if case .success = $0 { true } else { false } })
                let before = scene.server.requests.count
                let first = try await run(store, scene, since: now, at: now)
                let requests = scene.server.requests[before...]
                let second = try await run(store, scene, since: now, at: now)
                let numbers = [second.counts.differing, second.counts.refused]
                #expect(numbers == [0, refusing], "\(second.reports)")
                return Compared(
                    counts: first.counts,
                    reasons: first.reports.compactMap { report in
                        if case .finding(let finding) = report { finding.reason } else { nil }
                    },
                    paths: requests.map { String($0.target.dropFirst("/inApps/".count)) })
            }
        }

        @Test(arguments: [ClientScene.seeds, greenhouse, season])
        func `a lost refund of a one-time purchase is found by one request`(product: String) async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(product)
            let known = try await Self.payloads(scene, id)
            let found = try await Self.compare(scene, knowing: known, after: "anna: refund \(product)")
            #expect(found.counts.compared == 1 && found.counts.differing == 1 && found.counts.refused == 0)
            #expect(found.reasons == [.missedRevocation(try #require(UInt64(id)), scene.store.now)])
            #expect(found.paths == ["v2/history/\(id)"])
        }

        @Test(arguments: [ClientScene.seeds, greenhouse, season])
        func `a lost reversal of a refund is found and kept`(product: String) async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(product)
            try scene.events("anna: refund \(product)")
            let (known, date) = (try await Self.payloads(scene, id), scene.store.now)
            let found = try await Self.compare(
                scene, knowing: known, after: "anna: reverse-refund \(product)")
            #expect(found.reasons == [.missedReversal(try #require(UInt64(id)), date)])
        }

        @Test func `refunds of earlier periods and their reversals are found`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.monthly)
            try scene.store.advance(to: scene.store.now + 40 * 86_400)
            let known = try await Self.payloads(scene, id)
            try #require(known.count > 3, "there is no earlier period")
            let first = try #require(UInt64(id))
            let lost = try await Self.compare(scene, knowing: known, after: "anna: refund first")
            let date = scene.store.now
            #expect(lost.reasons == [.missedRevocation(first, date)] && lost.counts.compared == 1)
            #expect(lost.paths == ["v1/subscriptions/\(id)", "v2/history/\(id)?revoked=true"])
            let refunded = try await Self.payloads(scene, id)
            let reversed = try await Self.compare(
                scene, knowing: refunded, after: "anna: reverse-refund first")
            #expect(reversed.reasons == [.missedReversal(first, date)])
            #expect(reversed.paths.last == "v1/transactions/\(id)" && reversed.paths.count == 3)
        }

        @Test func `a lost revocation of Family Sharing is found and kept`() async throws {
            let scene = try await ClientScene()
            _ = try scene.buy(Self.greenhouse)
            let shared = try #require(try scene.events("anna: share with=ben").last)
            let known = try await Self.payloads(scene, shared)
            let found = try await Self.compare(scene, knowing: known, after: "ben: leave-family")
            #expect(found.reasons == [.missedRevocation(try #require(UInt64(shared)), scene.store.now)])
        }

        @Test func `one answer has all purchases of an account, and one that the file lacks`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.monthly)
            for _ in 0..<30 { _ = try scene.buy(ClientScene.seeds) }
            let known = try await Self.payloads(scene, id)
            let found = try await Self.compare(scene, knowing: known, after: "anna: buy \(Self.greenhouse)")
            #expect(found.counts.compared == 32 && found.counts.differing == 1)
            #expect(found.reasons == [.unknownPurchase])
            // The statuses, and 32 transactions in pages of 20.
            #expect(found.paths.count == 3 && !found.paths.contains { $0.contains("revoked") })
        }

        /// Answers for one customer's history that end this customer's comparison.
        private static let spoiled: [Reaction] = [
            .answer(404, body: #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#),
            .answer(200, body: String(repeating: " ", count: 2 << 20)),
            .answer(200, body: #"{"signedTransactions":[]}"#),
            .answer(200, body: #"{"signedTransactions":["e30.e30.e30"]}"#),
            .answer(200, body: #"{"signedTransactions":[],"hasMore":true}"#),
        ]

        /// The customer whose answers are spoiled.
        private final class SpoiledCustomer: Sendable {
            let id = Mutex("")
        }

        @Test(arguments: spoiled.indices)
        func `a refusal about one customer does not stop the next`(index: Int) async throws {
            let customer = SpoiledCustomer()
            var options = AppStoreServerAPIClient.Options.unlimited
            options.maximumAnswerBytes = 1 << 20
            let scene = try await ClientScene(options: options) { request in
                let id = customer.id.withLock(\.self)
                return !id.isEmpty && request.target.hasSuffix(id) ? Self.spoiled[index] : nil
            }
            let (anna, ben) = (try scene.buy(ClientScene.seeds), try scene.buy(Self.greenhouse, "ben"))
            let known = try await Self.payloads(scene, anna) + Self.payloads(scene, ben)
            customer.id.withLock { $0 = anna }
            let found = try await Self.compare(
                scene, knowing: known, after: "anna: refund latest", "ben: refund latest", refusing: 1)
            #expect(found.counts.compared == 1 && found.counts.refused == 1)
            #expect(found.reasons == [.missedRevocation(try #require(UInt64(ben)), scene.store.now)])
        }

        @Test func `a history of another environment is refused`() async throws {
            let (scene, other) = (try await ClientScene(), try await ClientScene(environment: .production))
            let known = try await Self.payloads(scene, try scene.buy(ClientScene.seeds))
            let id = try other.buy(ClientScene.seeds)
            try other.events("anna: refund latest")
            let body = try await other.client.response(to: .transactionHistory(of: id)).body
            let asked = try await Self.asking(body, scene)
            let now = scene.store.now
            try await Self.withStore(scene) { store in
                _ = try await store.importPayloads(known)
                let result = try await Self.run(store, asked, since: now + 60, at: now)
                #expect(result.counts.compared == 0 && result.counts.refused == 1, "\(result.reports)")
            }
        }
    }
#endif
