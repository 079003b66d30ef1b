import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// A server that keeps what notifications say, and serves customers who are entitled.
struct Webhook {
    let verifier: StoreKitVerifier
    let store = InMemoryTransactionStore()

    func receive(_ body: String) async throws {
        let notification = try verifier.verifiedNotification(body: body.utf8)
        try await store.apply(.verified(notification))
    }

    func serves(_ purchase: UInt64, at instant: Date) async throws -> Bool {
        let customer = Customer.originalTransactionID(purchase)
        let apps = AppSelection.allApps(in: .sandbox)
        return try await !store.currentEntitlements(of: customer, apps: apps, at: instant).isEmpty
    }
}

@Suite struct WebhookSampleTests {
    @Test func `a refund ends the customer's access`() async throws {
        let session = SKTestSession(try TestAppStore(.example(), startingAt: Date(), seed: 1))
        let webhook = Webhook(verifier: StoreKitVerifier(session.appStore.verifier))
        let bought = try await session.buyProduct(identifier: "com.example.garden.plus.monthly")
        for sent in session.takeNotifications() { try await webhook.receive(sent.body) }
        #expect(try await webhook.serves(bought.originalID, at: session.now))
        try session.advance(by: .seconds(40 * 86_400))
        try session.refundTransaction(identifier: session.allTransactions().map(\.identifier).max() ?? 0)
        for sent in session.takeNotifications() { try await webhook.receive(sent.body) }
        #expect(try await !webhook.serves(bought.originalID, at: session.now))
    }
}
