import CAllocationCounter
import Foundation
import SeededRandom
import StoreKitFixtures
import StoreKitSamples
import StoreKitVerify
import Synchronization
import Testing

/// Rules of entitlement that no row of the page's table shows: identity, apps, finished purchases, and time.
@Suite struct EntitlementRuleTests {
    private let token = UUID()
    private var own: [String: String] { ["appAccountToken": "\"\(token.uuidString.lowercased())\""] }

    private func history(_ transactions: [String], _ renewals: [String] = []) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for payload in transactions { try history.add(Signed.transaction(payload)) }
        for payload in renewals { try history.add(Signed.renewalInfo(payload)) }
        return history
    }

    private func ids(_ transactions: Transaction.Transactions, atMost count: Int = .max) async -> [UInt64] {
        var ids: [UInt64] = []
        for await result in transactions {
            ids.append(result.unsafePayloadValue.id)
            if ids.count == count { break }
        }
        return ids
    }

    // MARK: News

    @Test func `a transaction that is only signed again is no news`() async throws {
        let store = InMemoryTransactionStore()
        var incoming = store.transactions(of: .appAccountToken(token)).makeAsyncIterator()
        let device = [
            "deviceVerification": #""AAAA""#,
            "deviceVerificationNonce": "\"\(UUID().uuidString.lowercased())\"",
        ].merging(own) { $1 }
        try await store.apply(
            Signed.transaction(Signed.transactionPayload(id: 1, type: "Consumable", device)))
        try await store.apply(
            Signed.transaction(Signed.transactionPayload(id: 1, type: "Consumable", signed: 1, own)))
        let refund = own.merging(["revocationDate": "\(Signed.day(2))"]) { $1 }
        try await store.apply(
            Signed.transaction(Signed.transactionPayload(id: 1, type: "Consumable", signed: 2, refund)))
        let delivered = [await incoming.next(), await incoming.next()]
        #expect(delivered.map { $0?.revocationDate } == [nil, Signed.instant(2)])
        #expect(try await store.history(of: .appAccountToken(token)).unfinished.count == 1)
    }

    @Test func `a listener gets what is not finished, and not what was delivered before an import`()
        async throws
    {
        let store = InMemoryTransactionStore()
        try await store.applyDelivered(consumable(1))
        try await store.apply(consumable(2))
        try await store.apply(consumable(3))
        let customer = Customer.appAccountToken(token)
        let first = await ids(store.updates(of: customer), atMost: 2)
        let again = await ids(store.updates(of: customer), atMost: 2)
        #expect(first == [3, 2] && again == [3, 2])
        try await finishAll(in: store)
        try await store.apply(consumable(4))
        let next = await ids(store.updates(of: customer), atMost: 1)
        #expect(next == [4])
    }

    private func finishAll(in store: InMemoryTransactionStore) async throws {
        let unfinished = try await store.unfinished(of: .appAccountToken(token))
        for transaction in unfinished { try await store.finish(transaction) }
    }

    private func consumable(_ id: Int) throws -> VerificationResult<Transaction> {
        try Signed.transaction(Signed.transactionPayload(id: id, type: "Consumable", purchased: id, own))
    }

    // MARK: All

    @Test func `all leaves out finished non-renewing subscriptions, and restored non-consumables`() throws {
        var history = try history([
            Signed.transactionPayload(
                id: 1, product: "pass", type: "Non-Renewing Subscription", purchased: 1),
            Signed.transactionPayload(
                id: 2, product: "pass", type: "Non-Renewing Subscription", purchased: 2),
            Signed.transactionPayload(id: 3, product: "level", type: "Non-Consumable", purchased: 3),
            Signed.transactionPayload(
                id: 4, original: 3, product: "level", type: "Non-Consumable", purchased: 4),
            Signed.transactionPayload(id: 5, purchased: 5, expires: 35),
            Signed.transactionPayload(id: 6, original: 5, purchased: 35, expires: 65),
        ])
        #expect(history.all().map(\.id) == [6, 5, 3, 2, 1])
        for transaction in history.all() { history.finish(transaction) }
        #expect(history.all().map(\.id) == [6, 5, 3])
        #expect(history.latest(for: "level")?.id == 4)
        #expect(history.currentEntitlements(for: "pass", at: Signed.instant(9)).map(\.id) == [2])
    }

    // MARK: Apps and environments

    private func payload(
        _ id: Int, original: Int? = nil, app: String = "com.example.garden", environment: String?,
        product: String = "level"
    ) -> String {
        let payload = Signed.transactionPayload(
            id: id, original: original, product: product, type: "Non-Consumable", purchased: id,
            own.merging(["bundleId": "\"\(app)\""]) { $1 })
        return payload.replacing(
            #""environment":"Production""#, with: environment.map { "\"environment\":\"\($0)\"" } ?? #""x":1"#
        )
    }

    @Test func `a purchase in the Sandbox neither entitles beside one in production nor hides it`()
        async throws
    {
        let store = InMemoryTransactionStore()
        for payload in [payload(1, environment: "Production"), payload(2, environment: "Sandbox")] {
            try await store.apply(Signed.transaction(payload))
        }
        func owned(_ apps: AppSelection) async -> [UInt64] {
            await CustomerScope(store, .appAccountToken(token), apps: apps, now: { Signed.instant(9) })
                .run { await ids(Transaction.currentEntitlements) }
        }
        #expect(await owned(.onlyApp()) == [1])
        #expect(await owned(.onlyApp(in: .sandbox)) == [2])
        #expect(await owned(.allApps(in: nil)) == [2, 1])
    }

    @Test func `the purchases of several apps must be chosen`() async throws {
        let store = InMemoryTransactionStore()
        let log = SampleLog.Entries()
        for payload in [
            payload(1, environment: "Production"),
            payload(2, app: "com.example.pond", environment: "Production"),
            // The same identifier in another app.
            payload(1, app: "com.example.sea", environment: "Production"),
        ] { try await store.apply(Signed.transaction(payload)) }
        func owned(_ apps: AppSelection) async -> [UInt64] {
            await CustomerScope(
                store, .appAccountToken(token), apps: apps, now: { Signed.instant(9) },
                onError: { log.add("\($0)") }
            ).run { await ids(Transaction.currentEntitlements) }
        }
        #expect(await owned(.onlyApp()) == [])
        #expect(
            log.all.count == 1 && log.all.first?.contains("com.example.garden, com.example.pond") ?? false)
        #expect(await owned(.app("com.example.pond")) == [2])
        #expect(await owned(.app("com.example.sea")) == [1])
        #expect(await owned(.app("com.example")) == [])
        #expect(await owned(.allApps(in: .production)) == [2, 1, 1])
        await #expect(throws: SeveralAppsError.self) {
            try await store.currentEntitlements(of: .appAccountToken(token), at: Signed.instant(9))
        }
    }

    @Test func `a transaction without environment has that of the other payloads of the purchase`() throws {
        let old = Signed.transactionPayload(id: 1, purchased: 0, expires: 30).replacing(
            #""environment":"Production","#, with: "")
        let renewal = Signed.renewalPayload(original: 1, signed: 31, ["renewalDate": "\(Signed.day(60))"])
        let bound = try history([old], [renewal])
        #expect(bound.currentEntitlements(at: Signed.instant(40)).map(\.id) == [1])
        #expect(try bound.purchases(of: .onlyApp()).currentEntitlements(at: Signed.instant(40)).count == 1)
        let sandbox = renewal.replacing("Production", with: "Sandbox")
        let torn = try history([old], [renewal, sandbox])
        #expect(torn.currentEntitlements(at: Signed.instant(40)) == [])
        #expect(torn.currentEntitlements(at: Signed.instant(20)).map(\.id) == [1])
    }

    // MARK: Outside of scopes

    // In processes of their own: other tests have sessions, which are the scope of all code outside of scopes.

    @Test func `a detached listener gets the transactions of all customers, and can finish them`() async {
        await #expect(processExitsWith: .success) {
            let consumable = { (id: Int) in
                try Signed.transaction(Signed.transactionPayload(id: id, type: "Consumable", purchased: id))
            }
            let store = InMemoryTransactionStore()
            try await store.apply(consumable(1))
            for await _ in Transaction.updates { Issue.record("there is no scope") }
            CustomerScope.listen(to: store, now: { Signed.instant(9) })
            let log = SampleLog.Entries()
            // Apple's listener sample, which leaves every scope.
            let listener = Task.detached {
                for await result in Transaction.updates {
                    guard case .verified(let transaction) = result else { continue }
                    log.add("\(transaction.id)")
                    await transaction.finish()
                }
            }
            try await log.wait(for: 1)
            try await store.apply(consumable(2))
            try await log.wait(for: 2)
            listener.cancel()
            await listener.value
            #expect(log.all == ["1", "2"])
            #expect(try await store.history(of: .everyone).unfinished.isEmpty)
            for await _ in Transaction.currentEntitlements { Issue.record("there is no customer") }
        }
    }

    @Test func `standard error says once that a customer's purchases are in another environment`()
        async throws
    {
        let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let store = InMemoryTransactionStore()
            let customer = Customer.originalTransactionID(1)
            #expect(try await store.currentEntitlements(of: customer, at: Signed.instant(9)).isEmpty)
            let payload = Signed.transactionPayload(
                id: 1, type: "Non-Consumable", ["environment": #""Sandbox""#])
            try await store.apply(Signed.transaction(payload))
            for _ in 0..<2 {
                #expect(try await store.currentEntitlements(of: customer, at: Signed.instant(9)).isEmpty)
            }
        }
        let said = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
        #expect(
            said.split(separator: "\n").filter { $0.hasPrefix("storekit-verify: ") } == [
                """
                storekit-verify: a query about the environment Production left out a purchase in Sandbox. To ask \
                about another environment, give it an AppSelection, such as apps: .onlyApp(in: .sandbox).
                """
            ])
    }

    // MARK: Customers

    @Test func `one customer may have several names, and renewal information gives some`() async throws {
        let store = InMemoryTransactionStore()
        let shared = ["inAppOwnershipType": #""FAMILY_SHARED""#, "appTransactionId": #""704""#]
        try await store.apply(
            Signed.transaction(Signed.transactionPayload(id: 1, product: "a", type: "Non-Consumable", shared))
        )
        try await store.apply(Signed.transaction(Signed.transactionPayload(id: 2, expires: 30)))
        try await store.apply(Signed.renewalInfo(Signed.renewalPayload(original: 2, signed: 1, own)))
        try await store.apply(
            Signed.transaction(Signed.transactionPayload(id: 3, product: "b", type: "Non-Consumable")))
        func owned(_ names: Customer.Name...) async throws -> [UInt64] {
            try await store.currentEntitlements(of: Customer(names), at: Signed.instant(9)).map(\.id).sorted()
        }
        #expect(try await owned(.appAccountToken(token)) == [2])
        #expect(try await owned(.appTransactionID("704")) == [1])
        #expect(
            try await owned(.appAccountToken(token), .appTransactionID("704"), .originalTransactionID(3))
                == [1, 2, 3])
        for text in ["app-transaction:704", "original-transaction:3", token.uuidString.lowercased()] {
            #expect(Customer.Name(text)?.description == text)
        }
        for text in ["", "app-transaction:", "original-transaction:x", "704"] {
            #expect(Customer.Name(text) == nil)
        }
    }

    @Test func `an archive's purchases are grouped by app and customer`() throws {
        let download = ["appTransactionId": #""704""#]
        let other = ["appAccountToken": "\"\(UUID().uuidString.lowercased())\""]
        func level(_ id: Int, _ members: [String: String]) -> String {
            Signed.transactionPayload(
                id: id, product: "level", type: "Non-Consumable", purchased: id, members)
        }
        let history = try history([
            level(1, own), level(2, download), level(3, own.merging(download) { $1 }), level(4, other),
            level(5, [:]), level(6, own.merging(["environment": #""Sandbox""#]) { $1 }),
        ])
        let groups = history.groupedByAppAndCustomer().map { $0.all().map(\.id).sorted() }
        #expect(groups.sorted { $0[0] < $1[0] } == [[1, 2, 3], [4], [5], [6]])
        let entitled = history.groupedByAppAndCustomer().flatMap {
            $0.currentEntitlements(at: Signed.instant(9)).map(\.id)
        }
        #expect(entitled.sorted() == [3, 4, 5, 6])
    }

    // MARK: Statuses and time

    @Test func `a subscription without renewal information has a status all the same`() throws {
        let history = try history([Signed.transactionPayload(id: 1, expires: 30)])
        let status = try #require(history.statuses(at: Signed.instant(9)).first)
        #expect(status.state == .subscribed)
        #expect(try status.transaction.payloadValue.id == 1)
        #expect(
            throws: VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError
                .missingRequiredProperties
        ) { try status.renewalInfo.payloadValue }
        #expect(history.statuses(at: Signed.instant(30)).map(\.state) == [.expired])
    }

    @Test func `an introductory offer may be used once in each group`() async throws {
        func trial(_ id: Int, _ group: String, _ others: [String: String] = [:]) -> String {
            Signed.transactionPayload(
                id: id, expires: 7,
                own.merging(["subscriptionGroupIdentifier": "\"\(group)\"", "offerType": "1"]) { $1 }
                    .merging(others) { $1 })
        }
        let store = InMemoryTransactionStore()
        for payload in [
            trial(1, "21"), trial(2, "22", ["offerType": "2"]),
            trial(3, "23", ["inAppOwnershipType": #""FAMILY_SHARED""#]),
        ] { try await store.apply(Signed.transaction(payload)) }
        let scope = CustomerScope(store, .appAccountToken(token), now: { Signed.instant(9) })
        let eligible = await scope.run {
            var eligible: [Bool] = []
            for group in ["21", "22", "23", "24"] {
                eligible.append(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: group))
            }
            return eligible
        }
        #expect(eligible == [false, true, true, true])
    }

    @Test func `a subscriber of the group may not begin an introductory offer`() throws {
        let group = ["subscriptionGroupIdentifier": #""21""#]
        func eligible(
            _ day: Int, _ others: [String: String] = [:], _ renewal: [String: String]? = nil
        ) throws -> Bool {
            try history(
                [Signed.transactionPayload(id: 1, expires: 7, group.merging(others) { $1 })],
                renewal.map { [Signed.renewalPayload(original: 1, signed: 7, $0)] } ?? []
            ).isEligibleForIntroOffer(for: "21", at: Signed.instant(day))
        }
        #expect(try !eligible(5), "a running subscription that used no offer")
        #expect(try eligible(9), "one that has ended")
        #expect(try !eligible(9, ["offerType": "1"]), "one that has ended, and used the offer")
        #expect(try !eligible(9, [:], ["isInBillingRetryPeriod": "true"]), "an open bill")
        let grace = ["isInBillingRetryPeriod": "true", "gracePeriodExpiresDate": "\(Signed.day(12))"]
        #expect(try !eligible(9, [:], grace))
        #expect(
            try eligible(9, [:], ["autoRenewStatus": "0", "expirationIntent": "1"]), "cancelled, and over")
        #expect(try eligible(5, ["revocationDate": "\(Signed.day(3))"]), "refunded")
        #expect(try !eligible(2, ["revocationDate": "\(Signed.day(3))"]), "not refunded yet")
        for ownership in ["FAMILY_SHARED", "ASSIGNED"] {
            #expect(try eligible(5, ["inAppOwnershipType": "\"\(ownership)\""]), "not the customer's own")
        }
        #expect(try eligible(5, ["subscriptionGroupIdentifier": #""22""#]), "another group")
    }

    @Test func `a server's slow clock does not hide a fresh purchase`() throws {
        let fresh = try history([
            Signed.transactionPayload(id: 1, purchased: 0, expires: 30),
            Signed.transactionPayload(id: 2, original: 1, purchased: 40, expires: 70),
        ])
        #expect(fresh.currentEntitlements(at: Signed.instant(40) - 2).map(\.id) == [2])
        #expect(fresh.currentEntitlements(at: Signed.instant(40) - 120) == [])
        // A renewal comes before its period begins. Until then, the present period counts.
        #expect(
            try history([
                Signed.transactionPayload(id: 1, purchased: 0, expires: 30),
                Signed.transactionPayload(id: 2, original: 1, purchased: 30, expires: 60),
            ]).currentEntitlements(at: Signed.instant(30) - 20).map(\.id) == [1])
    }

    @Test func `the end is that of the present period, which only renewal information may know`() throws {
        let history = try history(
            [Signed.transactionPayload(id: 1, expires: 30)],
            [Signed.renewalPayload(original: 1, signed: 31, ["renewalDate": "\(Signed.day(60))"])])
        #expect(history.entitlements(at: Signed.instant(40)).map(\.end) == [Signed.instant(60)])
    }

    @Test(
        "the transactions of one purchase are added in place, in linear time",
        .enabled(if: allocation_count_of_thread() >= 0, "allocations cannot be counted here"))
    func addsInPlace() throws {
        let count = 4_000
        let payloads = try (1...count).map {
            try Signed.transaction(
                Signed.transactionPayload(
                    id: $0, original: 1, purchased: $0, expires: $0 + 1, signed: 1, own))
        }
        var history = PurchaseHistory()
        let before = allocation_count_of_thread()
        for index in payloads.indices { try history.add(payloads[index]) }
        // Each transaction is behind a reference, which is one allocation. A copy of the history for each payload would be
        // another one for each. Growing takes a few.
        #expect(allocation_count_of_thread() - before < count + count / 10)
        #expect(history.unfinished.count == count)
    }

    // MARK: Order

    @Test func `ten thousand histories are the same in every order of arrival`() throws {
        var random = SplitMix64(seed: 16)
        let pool = try ContradictingPayloads(&random)
        for _ in 0..<10_000 {
            var steps = (0..<Int.random(in: 2...9, using: &random)).map { _ in
                Int.random(in: 0..<pool.count, using: &random)
            }
            let first = try pool.history(steps)
            // A webhook may come several times.
            steps += steps.prefix(Int.random(in: 0...3, using: &random))
            let second = try pool.history(steps.shuffled(using: &random))
            #expect(first == second)
            for day in [5, 20, 35, 50] {
                let instant = Signed.instant(day)
                let areEntitlementsSame = first.entitlements(at: instant) == second.entitlements(at: instant)
                let areStatusesSame = first.statuses(at: instant) == second.statuses(at: instant)
                try #require(areEntitlementsSame && areStatusesSame, "\(steps)")
            }
            let areListsSame = first.all() == second.all() && first.unfinished == second.unfinished
            try #require(areListsSame, "\(steps)")
        }
    }
}
