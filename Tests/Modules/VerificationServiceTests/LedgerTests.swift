#if Service
    import DatabaseFolders
    import Foundation
    import HTTPTypes
    import LedgerLives
    import Minting
    import PayloadOutput
    import PurchaseDatabase
    import PurchaseTimelines
    import RepositoryFiles
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitTestSession
    import StoreKitVerify
    import Testing
    import VerificationService
    import WireFormats

    /// What the service says of purchases is what a history in memory says of the same payloads. Other tests compare that history
    /// with what the App Store knows.
    @Suite struct LedgerTests {
        /// Payloads, and what a history in memory makes of them.
        private struct Archive {
            /// As the App Store posts them, or as apps send them.
            let lines: [(text: String, isNotification: Bool)]
            let apps: [LedgerLives.App]
            let instants: [String]
            let verifier: SignedPayloadVerifier
            let history: PurchaseHistory

            private init(
                _ lines: [(text: String, isNotification: Bool)], of apps: [LedgerLives.App],
                at instants: [String], _ anchor: TrustAnchor
            ) throws {
                (self.lines, self.apps, self.instants) = (lines, apps, instants)
                var policy = VerificationPolicy()
                policy.bundleIdentifiers = Set(apps.map(\.bundleID))
                verifier = try SignedPayloadVerifier(anchors: [anchor], policy: policy)
                let reader = StoreKitVerifier(verifier)
                var history = PurchaseHistory()
                for line in lines {
                    let payload = try verifier.verify(line: line.text)
                    for value in try PurchaseValue.all(in: payload, by: reader, keepsTokens: false) {
                        history.add(value)
                    }
                }
                self.history = history
            }

            static func randomLives() throws -> Archive {
                let lives = try LedgerLives(customers: TestScale.size(small: 10, usual: 12, large: 100))
                let lines = lives.outputs.map { output in
                    if case .notification = output { (output.json, true) } else { (output.json, false) }
                }
                return try Archive(
                    lines, of: LedgerLives.apps, at: LedgerLives.instants, lives.authority.trustAnchor)
            }

            static func rows() throws -> Archive {
                try Archive(
                    LedgerRows.tokens().map { ($0, false) }, of: [LedgerLives.apps[0]],
                    at: ["2026-01-21T12:00:00Z", "2026-02-04T12:00:00Z", "2027-03-01T12:00:00Z"],
                    TrustAnchor(der: try TestPKI.p256().root.der()))
            }

            /// The names that lead to purchases, without those of one purchase alone.
            var names: [Customer.Name] {
                Set(history.purchases.flatMap { $0.customers.dropFirst() }).ordered {
                    $0.description < $1.description
                }
            }
        }

        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        private func service(_ verifier: SignedPayloadVerifier) throws -> TestedService {
            let database = AppDatabase(
                try SQLiteTransactionStore(path: folder.path, verifier: verifier), forwardingTo: [])
            let app = ServedApp(
                name: "archive", payloads: verifier,
                receipts: try ReceiptVerifier(anchors: SignedReceipt.anchors(), policy: verifier.policy),
                database: database)
            return TestedService([app]) { $0.maximumBodyBytes = 64 << 20 }
        }

        /// Posts all payloads as the App Store and the apps do, in any order, some of them twice and at both doors.
        private func post(_ archive: Archive, _ client: Client) async throws {
            var submitted: [String] = []
            let lines = archive.lines
            for (text, isNotification) in (lines + lines.prefix(lines.count / 4)).shuffled() {
                guard isNotification, Int.random(in: 0..<4) > 0 else {
                    submitted.append(text)
                    continue
                }
                _ = try await client.post("/v1/notifications", text).object()
            }
            while !submitted.isEmpty {
                let body = submitted.prefix(500).joined(separator: "\n")
                let answer = try await client.post("/v1/purchases", body).object()
                #expect(answer["refused"]?.wholeNumber == 0)
                submitted.removeFirst(min(submitted.count, 500))
            }
        }

        /// A question about an instant, and the history that answers it.
        private struct Question {
            let query: String
            let instant: Date
            let history: PurchaseHistory
        }

        private func questions(_ archive: Archive) throws -> [Question] {
            try archive.instants.flatMap { text in
                let instant = try Date(text, strategy: .iso8601)
                let known = archive.history.known(at: instant)
                return [
                    Question(query: "at=\(text)", instant: instant, history: archive.history),
                    Question(query: "asOf=\(text)", instant: instant, history: known),
                ]
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `random lives have the answers of a history in memory`() async throws {
            try await compare(.randomLives())
        }

        @Test(.timeLimit(.minutes(10)))
        func `the rows of the pages have the answers of a history in memory`() async throws {
            try await compare(.rows())
        }

        private func compare(_ archive: Archive) async throws {
            let names = Array(archive.names.prefix(1_000))
            #expect(names.count > 20)
            let questions = try questions(archive)
            try await service(archive.verifier).asked { client in
                try await post(archive, client)
                for question in questions {
                    for app in archive.apps {
                        try await compareEntitlements(client, question, app, names)
                        try await compareList(client, question, app)
                    }
                    try await compareTimelines(client, question, archive.apps[0], names)
                }
            }
        }

        private func compareEntitlements(
            _ client: Client, _ question: Question, _ app: LedgerLives.App, _ names: [Customer.Name]
        ) async throws {
            let query = "\(question.query)&bundleId=\(app.bundleID)&environment=\(app.environment.rawValue)"
            let body = names.map(\.description).joined(separator: "\n")
            let answer = try await client.post("/v1/entitlements?\(query)", body).object()
            let found = try #require(answer["customers"]?.elements)
            let expected = try names.map { name in
                try Self.tree(
                    CustomerEntitlements(
                        of: [name], in: question.history, .app(app.bundleID, in: app.environment),
                        at: question.instant
                    ).object)
            }
            #expect(found.count == expected.count)
            for (one, other) in zip(found, expected) { #expect(one == other, "\(query)") }
        }

        private func compareList(
            _ client: Client, _ question: Question, _ app: LedgerLives.App
        ) async throws {
            let query = "\(question.query)&bundleId=\(app.bundleID)&environment=\(app.environment.rawValue)"
            var filter = PurchaseFilter()
            (filter.bundleID, filter.environment) = (app.bundleID, app.environment)
            for state in [nil] + PurchaseFilter.State.allCases.map(Optional.some) {
                filter.state = state
                let wanted = state.map { "&state=\($0.rawValue)" } ?? ""
                let answer = try await client.get("/v1/customers?\(query)&output=ndjson\(wanted)")
                let lines = ListedCustomer.all(in: question.history, filter, at: question.instant).map(
                    \.object.json)
                #expect(answer.text.split(separator: "\n").map(String.init) == lines, "\(query)\(wanted)")
            }
        }

        private func compareTimelines(
            _ client: Client, _ question: Question, _ app: LedgerLives.App, _ names: [Customer.Name]
        ) async throws {
            for name in names.prefix(30) {
                let answer = try await client.get(
                    "/v1/customers/\(name)/timeline?\(question.query)&bundleId=\(app.bundleID)")
                let own = try question.history.purchases(of: Customer([name])).purchases(
                    of: .app(app.bundleID, in: app.environment))
                let expected = try Self.tree(PurchaseTimeline(of: own, at: question.instant).object)
                #expect(try answer.object()["lanes"] == expected["lanes"], "\(name) \(question.query)")
                // Now, the picture says what the entitlements say.
                let entitled = Set(own.entitlements(at: question.instant).map(\.transaction.originalID))
                let lanes = expected["lanes"]?.elements ?? []
                let drawn = lanes.filter { $0["isEntitled"] == .bool(true) }
                let originals = Set(
                    drawn.compactMap { $0["originalID"]?.stringValue }.compactMap(UInt64.init))
                #expect(originals.isSuperset(of: entitled), "\(name) \(question.query)")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `who is forgotten is gone, and nothing that is said of others changes`() async throws {
            let archive = try Archive.randomLives()
            let names = archive.names
            let query = "asOf=\(archive.instants[1])&bundleId=\(archive.apps[0].bundleID)"
            try await service(archive.verifier).asked { client in
                try await post(archive, client)
                func answers(_ names: [Customer.Name]) async throws -> [String] {
                    var answers: [String] = []
                    for name in names {
                        answers.append(
                            try await client.get("/v1/customers/\(name)/entitlements?\(query)").text)
                    }
                    return answers
                }
                for name in names.shuffled().prefix(6) {
                    // Who has a purchase in common with the one who is forgotten loses it too.
                    let gone = archive.history.purchases(of: Customer([name])).purchases.flatMap(\.customers)
                    let others = names.filter { !gone.contains($0) }
                    let before = try await answers(others)
                    _ = try await client.send(.delete, "/v1/customers/\(name)").object()
                    #expect(try await answers(others) == before, "\(name)")
                    let list = try await client.get("/v1/customers?output=ndjson")
                    #expect(!list.text.contains(name.description))
                }
            }
        }

        @Test(arguments: LedgerCase.all)
        func `a life that was told differently is told rightly`(_ life: LedgerCase) async throws {
            var policy = VerificationPolicy()
            policy.bundleIdentifiers = [life.bundleID]
            let anchors = try TrustAnchor.certificates(in: [UInt8](Data(contentsOf: life.rootFile)))
            let verifier = try SignedPayloadVerifier(anchors: anchors, policy: policy)
            try await service(verifier).asked { client in
                let body = try life.lines.shuffled().joined(separator: "\n")
                #expect(try await client.post("/v1/purchases", body).object()["refused"]?.wholeNumber == 0)
                for owned in life.owned {
                    let answer = try await client.get(
                        "/v1/customers/\(owned.customer)/entitlements?at=\(owned.instant)"
                    ).object()
                    let found = answer["entitlements"]?.elements?.map { $0["id"]?.stringValue }
                    #expect(found == owned.transactions, "\(owned)")
                    // The list has each entitlement once, under the names that lead to it.
                    let list = try await client.get(
                        "/v1/customers?state=entitled&output=ndjson&at=\(owned.instant)"
                    ).lines()
                    let purchases = list.flatMap { $0["purchases"]?.elements ?? [] }
                    let listed = Set(purchases.compactMap { $0["id"]?.stringValue })
                    #expect(listed.isSuperset(of: owned.transactions))
                    #expect(purchases.count <= 1)
                }
            }
        }

        private static func tree(_ object: ObjectText) throws -> JSONTree {
            let bytes = Array(object.json.utf8)
            return try JSONTree(bytes.span)
        }
    }
#endif
