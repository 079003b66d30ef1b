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

    /// Claims of seats in a file, against the store in memory, whose rules are tested by themselves.
    @Suite struct SeatClaimFileTests {
        private static let names = (0..<3).map { Customer.Name.appTransactionID("70400000000000000\($0)") }
        private static let claims = (0..<4).map { _ in UUID() }

        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        /// A subscription with seats of somebody without names, or a purchase of a member.
        private func purchase(
            _ id: Int, download: Customer.Name? = nil, _ members: [String: String] = [:]
        ) throws -> VerificationResult<Transaction> {
            var all = [
                "quantity": "5", "multiSeatInfo": #"{"invitationManagement":"DEVELOPER"}"#,
                "webOrderLineItemId": "\"\(id)\"",
            ]
            if case .appTransactionID(let download)? = download {
                all["appTransactionId"] = "\"\(download)\""
            }
            return try Signed.transaction(
                Signed.transactionPayload(id: id, expires: 30, all.merging(members) { $1 }))
        }

        private func claim(_ claim: Int, of purchase: Int, for names: [Customer.Name], day: Int) -> SeatClaim
        {
            SeatClaim(
                id: Self.claims[claim],
                of: .init(
                    originalTransactionID: UInt64(purchase), environment: .production,
                    appBundleID: "com.example.garden"),
                for: names, date: Signed.instant(day))
        }

        /// `UNCLAIM_SEATS`, of day 10.
        private func unclaimed(_ claims: [Int]) throws -> String {
            let ids = claims.map { "\"\(Self.claims[$0].uuidString.lowercased())\"" }.joined(separator: ",")
            return try Signed.token(
                Signed.object([
                    "notificationType": #""UNCLAIM_SEATS""#, "version": #""2.0""#,
                    "notificationUUID": "\"\(UUID().uuidString.lowercased())\"",
                    "signedDate": "\(Signed.day(10))", "unclaimInfo": #"{"unclaimSeatIds":[\#(ids)]}"#,
                ]))
        }

        /// What the customers own at some instants.
        private func answers(_ store: some TransactionStore) async throws -> [[UInt64]] {
            var answers: [[UInt64]] = []
            for customer in Self.names.map({ Customer([$0]) }) + [Customer(Set(Self.names)), .everyone] {
                for day in [2, 6, 12, 29, 31] {
                    let owned = try await store.currentEntitlements(of: customer, at: Signed.instant(day))
                    answers.append(owned.map(\.id).sorted())
                }
            }
            return answers
        }

        @Test func `a file answers as memory does, whatever the order of the records`() async throws {
            var random = SplitMix64(seed: 11)
            for _ in 0..<12 {
                let folder = try DatabaseFolder()
                let (file, memory) = (try folder.open(), InMemoryTransactionStore())
                let steps: [@Sendable (any TransactionStore) async throws -> Void] = [
                    { try await $0.apply(purchase(1)) }, { try await $0.apply(purchase(2)) },
                    { try await $0.apply(purchase(3, download: Self.names[1])) },
                    { try await $0.claim(claim(0, of: 1, for: [Self.names[0]], day: 5)) },
                    { try await $0.claim(claim(0, of: 1, for: [Self.names[2]], day: 1)) },
                    { try await $0.claim(claim(1, of: 2, for: [Self.names[1]], day: 5)) },
                    { try await $0.claim(claim(2, of: 2, for: [Self.names[2]], day: 5)) },
                    { try await $0.claim(claim(3, of: 9, for: [Self.names[2]], day: 5)) },
                    { try await $0.unclaim([Self.claims[2]], at: Signed.instant(11)) },
                    {
                        _ = try await $0.apply(Signed.verifier().notification(unclaimed([1, 2])))
                    },
                ]
                for step in steps.shuffled(using: &random) + steps.prefix(7) {
                    try await step(file)
                    try await step(memory)
                    #expect(try await answers(file) == answers(memory))
                }
                try file.close()
                #expect(try await answers(folder.open()) == answers(memory))
                #expect(try await answers(memory).flatMap(\.self).isEmpty == false)
            }
        }

        @Test func `an import ends claims`() async throws {
            let store = try folder.open()
            try await store.apply(purchase(1))
            try await store.claim(claim(0, of: 1, for: [Self.names[0]], day: 5))
            _ = try await store.importPayloads([try unclaimed([0])])
            let member = Customer([Self.names[0]])
            #expect(try await store.currentEntitlements(of: member, at: Signed.instant(9)).count == 1)
            #expect(try await store.currentEntitlements(of: member, at: Signed.instant(10)).isEmpty)
        }

        @Test(arguments: [1, 2, 10_000])
        func `the list of all customers has members, once each`(payloads: Int) async throws {
            let store = try folder.open()
            // A member with an own purchase, which is before the purchaser's, and a member without any.
            try await store.apply(purchase(1, download: Self.names[1]))
            try await store.apply(purchase(2))
            try await store.apply(purchase(3))
            try await store.claim(claim(0, of: 2, for: [Self.names[1]], day: 5))
            try await store.claim(claim(1, of: 2, for: [Self.names[2]], day: 5))
            var (owned, place): ([[UInt64]], CustomerPlace?) = ([], nil)
            repeat {
                let part = try await store.customers(after: place, payloads: payloads)
                for group in part.groups {
                    for customer in group.history.groupedByAppAndCustomer() {
                        owned.append(
                            customer.entitlements(at: Signed.instant(12)).map(\.transaction.id).sorted())
                    }
                }
                place = part.next
            } while place != nil
            #expect(owned.sorted { $0.lexicographicallyPrecedes($1) } == [[1, 2], [2], [2], [3]])
            owned = []
            try store.forEachCustomers(refuse: { _, fault in Issue.record(fault) }) { history, _ in
                for customer in history.groupedByAppAndCustomer() {
                    owned.append(
                        customer.entitlements(at: Signed.instant(12)).map(\.transaction.id).sorted())
                }
                return true
            }
            #expect(owned.sorted { $0.lexicographicallyPrecedes($1) } == [[1, 2], [2], [2], [3]])
        }

        @Test func `a purchaser with a damaged payload gives no seat`() async throws {
            let store = try folder.open()
            try await store.apply(purchase(1))
            try await store.claim(claim(0, of: 1, for: [Self.names[0]], day: 5))
            try store.close()
            try folder.inspect { db in
                try db.execute(
                    sql: "UPDATE payload SET json = replace(json, '\"quantity\":5', '\"quantity\":6')")
            }
            let damaged = try folder.open()
            await #expect(throws: SQLiteStoreError.self) {
                try await damaged.history(of: Customer([Self.names[0]]))
            }
        }
    }
#endif
