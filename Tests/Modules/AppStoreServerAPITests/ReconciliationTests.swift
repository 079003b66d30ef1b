#if SQLite && ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import PurchaseDatabase
    import Reconciliation
    import SignedPayloads
    import StoreKitTestSession
    import StoreKitVerify
    import Testing

    /// The reports of a comparison with the App Store about answers to another question.
    @Suite struct ReconciliationTests {
        /// Runs a test with a database in a folder of its own.
        private static func withStore(
            _ scene: ClientScene, _ body: (SQLiteTransactionStore) async throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "reconciliation-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "kept.db").path
            let store = try SQLiteTransactionStore(path: file, verifier: scene.store.verifier)
            try await body(store)
            try store.close()
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
    }
#endif
