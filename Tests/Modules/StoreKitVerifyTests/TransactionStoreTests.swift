import Foundation
import StoreKitFixtures
import StoreKitSamples
import StoreKitVerify
import Testing

/// Checks the store, its customers, and StoreKit's static members in a scope.
@Suite struct TransactionStoreTests {
    private let token = UUID()
    private let store = InMemoryTransactionStore()

    private func scope(_ customer: Customer? = nil, day: Int = 20) -> CustomerScope {
        let instant = Signed.instant(day)
        return CustomerScope(store, customer ?? .appAccountToken(token), now: { instant })
    }

    private func apply(_ payloads: String...) async throws {
        for payload in payloads { try await store.apply(Signed.transaction(payload)) }
    }

    private var own: [String: String] { ["appAccountToken": "\"\(token.uuidString.lowercased())\""] }

    private func list(_ transactions: Transaction.Transactions) async -> [UInt64] {
        var ids: [UInt64] = []
        for await result in transactions { ids.append(result.unsafePayloadValue.id) }
        return ids
    }

    @Test func `Apple's sample of current entitlements runs unchanged`() async throws {
        try await apply(
            Signed.transactionPayload(id: 1, product: "level", type: "Non-Consumable", purchased: 1, own),
            Signed.transactionPayload(id: 2, product: "plus", purchased: 2, expires: 32, own),
            Signed.transactionPayload(id: 3, product: "gone", purchased: 3, expires: 4, own),
            Signed.transactionPayload(id: 4, product: "another's", type: "Non-Consumable", purchased: 5))
        let log = SampleLog.Entries()
        await SampleLog.$current.withValue(log) { await scope().run { await Samples.refresh() } }
        #expect(log.all == ["Auto-Renewable Subscription plus", "Non-Consumable level"])
    }

    @Test func `Apple's TransactionObserver runs unchanged`() async throws {
        // The sample reads the clock to find expired transactions.
        let future = ["expiresDate": "4102444800000"]
        try await apply(Signed.transactionPayload(id: 1, product: "before", own.merging(future) { $1 }))
        let log = SampleLog.Entries()
        let observer = SampleLog.$current.withValue(log) {
            CustomerScope.$current.withValue(scope()) { Samples.Observer() }
        }
        try await log.wait(for: 1)
        try await apply(
            Signed.transactionPayload(id: 2, product: "level", type: "Non-Consumable", purchased: 1, own),
            Signed.transactionPayload(id: 3, product: "another's", type: "Non-Consumable", purchased: 1),
            Signed.transactionPayload(id: 2, product: "level", type: "Non-Consumable", purchased: 1, own),
            Signed.transactionPayload(
                id: 4, product: "old",
                own.merging(["expiresDate": "\(Signed.day(1) - 31_536_000_000)"]) { $1 }),
            Signed.transactionPayload(
                id: 5, product: "plus", own.merging(future.merging(["isUpgraded": "true"]) { $1 }) { $1 }),
            Signed.transactionPayload(
                id: 2, product: "level", type: "Non-Consumable", purchased: 1, signed: 9,
                own.merging(["revocationDate": "\(Signed.day(8))"]) { $1 }))
        try await log.wait(for: 3)
        #expect(log.all == ["provide before", "provide level", "remove level true"])
        await observer.stop()
    }

    @Test func `the static members are about the scope's customer`() async throws {
        try await apply(
            Signed.transactionPayload(id: 1, product: "coins", type: "Consumable", purchased: 1, own),
            Signed.transactionPayload(id: 2, product: "coins", type: "Consumable", purchased: 2, own),
            Signed.transactionPayload(id: 3, product: "plus", purchased: 3, expires: 33, own),
            Signed.transactionPayload(id: 4, product: "plus", type: "Non-Consumable", purchased: 4))
        await scope().run {
            #expect(await list(Transaction.all) == [3, 2, 1])
            #expect(await list(Transaction.all(for: "coins")) == [2, 1])
            #expect(await list(Transaction.unfinished) == [3, 2, 1])
            #expect(await Transaction.latest(for: "coins")?.unsafePayloadValue.id == 2)
            #expect(await Transaction.latest(for: "none") == nil)
            #expect(await list(Transaction.currentEntitlements) == [3])
            #expect(await list(Transaction.currentEntitlements(for: "plus")) == [3])
            #expect(await list(Transaction.currentEntitlements(for: "coins")) == [])
            await Transaction.latest(for: "coins")?.unsafePayloadValue.finish()
            #expect(await list(Transaction.unfinished) == [3, 1])
            #expect(await list(Transaction.all) == [3, 1])
        }
        await scope(.originalTransactionID(4)).run { #expect(await list(Transaction.all) == [4]) }
    }

    @Test func `the same questions can be put to the store itself`() async throws {
        try await apply(
            Signed.transactionPayload(id: 1, product: "coins", type: "Consumable", purchased: 1, own),
            Signed.transactionPayload(
                id: 2, product: "plus", purchased: 3, expires: 33,
                own.merging(["subscriptionGroupIdentifier": #""21""#]) { $1 }))
        try await store.apply(Signed.renewalInfo(Signed.renewalPayload(original: 2, signed: 4)))
        let customer = Customer.appAccountToken(token)
        var updates = store.updates(of: customer).makeAsyncIterator()
        #expect(await updates.next()?.unsafePayloadValue.id == 2)
        #expect(await updates.next()?.unsafePayloadValue.id == 1)
        let coins = try await store.latest(for: "coins", of: customer)
        try await store.finish(try #require(coins))
        let (all, whole) = (
            try await store.all(of: customer),
            try await store.all(of: customer, includingFinishedConsumables: true)
        )
        #expect(all.map(\.id) == [2] && whole.map(\.id) == [2, 1])
        let (unfinished, some) = (
            try await store.unfinished(of: customer), try await store.all(for: "plus", of: customer)
        )
        #expect(unfinished.map(\.id) == [2] && some.map(\.id) == [2])
        let owned = try await store.currentEntitlements(of: customer, at: Signed.instant(20))
        let later = try await store.currentEntitlements(for: "plus", of: customer, at: Signed.instant(40))
        #expect(owned.map(\.id) == [2] && later.isEmpty)
        let statuses = try await store.statuses(for: "21", of: customer, at: Signed.instant(20))
        #expect(statuses.map(\.state) == [.subscribed])
        try await apply(Signed.transactionPayload(id: 3, product: "level", type: "Non-Consumable", own))
        #expect(await updates.next()?.unsafePayloadValue.id == 3)
    }

    @Test func `statuses, by group and by transaction`() async throws {
        let group = ["subscriptionGroupIdentifier": #""21""#]
        try await apply(
            Signed.transactionPayload(id: 1, purchased: 1, expires: 31, own.merging(group) { $1 }),
            Signed.transactionPayload(id: 2, type: "Non-Consumable", purchased: 1, own))
        try await store.apply(Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 2)))
        try await scope().run {
            let status1 = try await Product.SubscriptionInfo.status(for: "21")
            #expect(status1.map(\.state) == [.subscribed])
            let status2 = try await Product.SubscriptionInfo.status(for: "22")
            #expect(status2 == [])
            let status3 = try await Product.SubscriptionInfo.status(transactionID: 1)
            #expect(status3?.state == .subscribed)
            let status4 = try await Product.SubscriptionInfo.status(transactionID: 2)
            #expect(status4 == nil)
            #expect(await Transaction.latest(for: "com.example.garden.plus") != nil)
            var groups: [String] = []
            for await (group, statuses) in Product.SubscriptionInfo.Status.all where statuses.count == 1 {
                groups.append(group)
            }
            #expect(groups == ["21"])
        }
        try await scope(day: 40).run {
            let status5 = try await Product.SubscriptionInfo.status(for: "21")
            #expect(status5.map(\.state) == [.expired])
        }
    }

    @Test func `each new payload gives a status update`() async throws {
        try await apply(Signed.transactionPayload(id: 1, purchased: 1, expires: 31, own))
        var updates = CustomerScope.$current.withValue(scope(day: 40)) {
            Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
        }
        try await store.apply(
            Signed.renewalInfo(
                Signed.renewalPayload(
                    original: 1, signed: 32, ["isInBillingRetryPeriod": "true", "expirationIntent": "2"])))
        #expect(await updates.next()?.state == .inBillingRetryPeriod)
        try await apply(Signed.transactionPayload(id: 2, original: 1, purchased: 35, expires: 65, own))
        #expect(await updates.next()?.state == .subscribed)
    }

    @Test func `a customer is known by each name, and by a token that was set later`() async throws {
        let download = ["appTransactionId": #""704""#]
        try await apply(
            Signed.transactionPayload(id: 1, purchased: 1, expires: 31, download),
            Signed.transactionPayload(
                id: 2, original: 1, purchased: 31, expires: 61, own.merging(download) { $1 }))
        for customer in [
            Customer.appAccountToken(token), .appTransactionID("704"), .originalTransactionID(1),
        ] {
            #expect(try await store.history(of: customer).all().map(\.id) == [2, 1])
        }
        let other = UUID()
        try await apply(
            Signed.transactionPayload(
                id: 3, original: 1, purchased: 61, expires: 91,
                download.merging(["appAccountToken": "\"\(other)\""]) { $1 }))
        #expect(try await store.history(of: .appAccountToken(token)).all().isEmpty)
        #expect(try await store.history(of: .appAccountToken(other)).all().count == 3)
    }

    @Test func `a notification's payloads are applied, and an unverified one's are not`() async throws {
        let transaction = try Signed.token(Signed.transactionPayload(id: 1, purchased: 1, expires: 31, own))
        let renewal = try Signed.token(Signed.renewalPayload(original: 1, signed: 2))
        func notification(_ transaction: String) -> String {
            #"{"notificationType":"DID_RENEW","notificationUUID":"\#(UUID())","version":"2.0","signedDate":\#(Signed.day(2)),"data":{"signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(renewal)"}}"#
        }
        let verifier = try Signed.verifier()
        let good = try verifier.notification(Signed.token(notification(transaction)))
        try await store.apply(good)
        try await store.apply(good)
        try await scope().run {
            #expect(await list(Transaction.currentEntitlements) == [1])
            let status6 = try await Product.SubscriptionInfo.status(transactionID: 1)
            #expect(status6?.state == .subscribed)
        }
        let tampered = try Signed.tampered(Signed.transactionPayload(id: 2, type: "Non-Consumable", own))
        let bad = try verifier.notification(Signed.token(notification(tampered)))
        await #expect(throws: VerificationResult<ServerNotification>.VerificationError.invalidSignature) {
            try await store.apply(bad)
        }
        await scope().run { #expect(await list(Transaction.all) == [1]) }
    }

    @Test func `after a store's error the members are empty, and onError gets the error`() async throws {
        let log = SampleLog.Entries()
        let scope = CustomerScope(
            BrokenStore(), .appAccountToken(token), now: { Signed.instant(1) }, onError: { log.add("\($0)") })
        let transaction = try Signed.transaction(Signed.transactionPayload(id: 1)).payloadValue
        await scope.run {
            #expect(await list(Transaction.currentEntitlements) == [])
            await transaction.finish()
        }
        #expect(log.all.count == 2)
    }
}

extension SampleLog.Entries {
    /// Waits until the log has this number of lines, for ten seconds at most.
    func wait(for count: Int) async throws {
        for _ in 0..<1000 where all.count < count { try await Task.sleep(for: .milliseconds(10)) }
    }
}
