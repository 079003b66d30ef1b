import Foundation
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// The receipts of test customers, read by our own verifier.
@Suite struct AppReceiptTests {
    private func receipt(of session: SKTestSession) throws -> AppReceipt {
        let root = try TrustAnchor(der: session.appStore.receiptRootCertificate)
        var policy = VerificationPolicy()
        policy.environments = [.init(rawValue: session.appStore.environment.rawValue)]
        policy.bundleIdentifiers = ["com.example.garden"]
        return try ReceiptVerifier(anchors: [root], policy: policy).appReceipt(session.appReceipt())
    }

    @Test func `a receipt has the customer's purchases, and not another's`() throws {
        let session = SKTestSession(try Garden.store(seed: 8))
        try session.buyProduct(productIdentifier: Garden.monthly)
        try session.newCustomer().buyProduct(productIdentifier: Garden.greenhouse)
        try session.advance(days: 8)
        try session.refundTransaction(identifier: session.latest().identifier)
        let receipt = try receipt(of: session)
        #expect(receipt.environment == .sandbox)
        #expect(receipt.signedDate == session.now)
        let purchases = receipt.transactions
        #expect(purchases.count == 2)
        #expect(purchases.allSatisfy { $0.productID == Garden.monthly })
        #expect(purchases.compactMap(\.revocationDate).count == 1)
        #expect(Set(purchases.compactMap(\.id)).count == 2)
        #expect(Set(purchases.compactMap(\.originalID)).count == 1)
    }

    @Test func `a receipt in the form of Xcode is verified under its own root alone`() throws {
        let session = SKTestSession(try Garden.store(.xcode, seed: 8))
        try session.buyProduct(productIdentifier: Garden.greenhouse)
        #expect(try receipt(of: session).environment == .xcode)
        let receipt = try session.appReceipt()
        #expect(throws: PayloadError.self) { try ReceiptVerifier().verify(receipt) }
    }
}
