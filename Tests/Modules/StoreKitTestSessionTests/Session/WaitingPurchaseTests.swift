import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Purchases that wait for a parent, or for a customer who was interrupted.
@Suite struct WaitingPurchaseTests {
    /// Whether a purchase waits for a parent, has an issue, and renews.
    private func flags(_ transaction: SKTestTransaction) -> [Bool] {
        [
            transaction.pendingAskToBuyConfirmation, transaction.hasPurchaseIssue,
            transaction.autoRenewingEnabled,
        ]
    }

    @Test func `Ask to Buy waits until a parent approves`() async throws {
        let session = try Garden.session()
        session.askToBuyEnabled = true
        #expect(try await session.buy(Garden.greenhouse, [.quantity(1)]) == .pending)
        let waiting = try session.latest()
        #expect(waiting.state == .deferred && waiting.purchaseDate == Garden.start)
        #expect(waiting.productIdentifier == Garden.greenhouse)
        #expect(flags(waiting) == [true, false, false])
        await session.expect(entitled: [])
        try session.advance(days: 1)
        let heard = await session.heard {
            try? session.approveAskToBuyTransaction(identifier: waiting.identifier)
        }
        #expect(heard == [Garden.greenhouse])
        await session.expect(entitled: [Garden.greenhouse])
        #expect(session.allTransactions().allSatisfy { !$0.pendingAskToBuyConfirmation })
        refuses(.noTransactionFound) {
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        }
    }

    @Test func `a declined purchase stays as a failed one`() async throws {
        let session = try Garden.session()
        session.askToBuyEnabled = true
        #expect(try await session.buy(Garden.monthly) == .pending)
        let identifier = try session.latest().identifier
        try session.declineAskToBuyTransaction(identifier: identifier)
        let declined = try session.latest()
        #expect(declined.identifier == identifier && declined.state == .failed)
        #expect(flags(declined) == [false, false, false])
        refuses(.invalidAction) { try session.approveAskToBuyTransaction(identifier: identifier) }
        refuses(.invalidAction) { try session.declineAskToBuyTransaction(identifier: identifier) }
        refuses(.invalidAction) { try session.resolveIssueForTransaction(identifier: identifier) }
        await session.expect(entitled: [])
    }

    @Test func `an interrupted purchase waits until its issue is resolved`() async throws {
        let session = try Garden.session()
        session.interruptedPurchasesEnabled = true
        #expect(try await session.buy(Garden.monthly) == .pending)
        let interrupted = try session.latest()
        #expect(interrupted.hasPurchaseIssue && interrupted.state == .failed)
        await session.expect(entitled: [])
        refuses(.invalidAction) {
            try session.approveAskToBuyTransaction(identifier: interrupted.identifier)
        }
        session.interruptedPurchasesEnabled = false
        try session.resolveIssueForTransaction(identifier: interrupted.identifier)
        await session.expect(entitled: [Garden.monthly])
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false])
        #expect(await session.unfinished() == [Garden.monthly])
    }

    @Test func `purchases outside of the app wait too, unless their transaction is asked for`() async throws {
        let session = try Garden.session()
        session.interruptedPurchasesEnabled = true
        try session.buyProduct(productIdentifier: Garden.seeds)
        #expect(try session.latest().hasPurchaseIssue)
        let seeds = try await session.buyProduct(identifier: Garden.seeds)
        #expect(seeds.productID == Garden.seeds)
        #expect(session.allTransactions().map(\.state) == [.failed, .purchased])
    }

    @Test func `an option has one purchase wait`() async throws {
        let session = try Garden.session()
        #expect(try await session.buy(Garden.seeds, [.simulatesAskToBuyInSandbox(true)]) == .pending)
        try await session.bought(Garden.seeds, [.simulatesAskToBuyInSandbox(false)])
        #expect(session.allTransactions().map(\.pendingAskToBuyConfirmation) == [true, false])
    }

    @Test func `a purchase that is refused does not wait`() async throws {
        let session = try Garden.session()
        session.askToBuyEnabled = true
        await session.refuses(Product.PurchaseError.invalidQuantity, Garden.seeds, [.quantity(11)])
        await session.refuses(
            Product.PurchaseError.ineligibleForOffer, Garden.monthly, [.promotionalOffer(id: "spring")])
        refuses(.invalidProductIdentifier) { try session.buyProduct(productIdentifier: "tea") }
        #expect(session.allTransactions().isEmpty)
    }

    @Test func `a purchase that is refused when it is approved goes on waiting`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.monthly)
        try session.expireSubscription(productIdentifier: Garden.monthly)
        session.askToBuyEnabled = true
        let product = try await session.product(Garden.monthly)
        let offer = try #require(product.subscription?.winBackOffers.first)
        #expect(try await session.buy(Garden.monthly, [.winBackOffer(offer)]) == .pending)
        let identifier = try session.latest().identifier
        session.askToBuyEnabled = false
        try await session.bought(Garden.monthly)
        refuses(.invalidAction) { try session.approveAskToBuyTransaction(identifier: identifier) }
        let isWaiting = session.allTransactions().contains { $0.pendingAskToBuyConfirmation }
        #expect(isWaiting)
    }

    @Test func `a purchase keeps its options while it waits`() async throws {
        let session = try Garden.session()
        session.askToBuyEnabled = true
        let token = UUID()
        #expect(try await session.buy(Garden.seeds, [.quantity(4), .appAccountToken(token)]) == .pending)
        try session.approveAskToBuyTransaction(identifier: session.latest().identifier)
        let transaction = try await session.transaction(Garden.seeds)
        #expect(transaction.purchasedQuantity == 4 && transaction.appAccountToken == token)
    }
}
