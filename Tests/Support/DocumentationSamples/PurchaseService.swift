import Foundation
import SignedPayloads
import StoreKitVerify

/// The part of a server that keeps purchases, and knows what a customer owns.
struct PurchaseService {
    let verifier: StoreKitVerifier
    let store = InMemoryTransactionStore()

    /// - Parameter anchors: the roots to trust: Apple's, or in a test the test's own.
    init(bundleID: String, anchors: [TrustAnchor] = [.appleRootCAG3]) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.environments = [.production]
        verifier = StoreKitVerifier(try SignedPayloadVerifier(anchors: anchors, policy: policy))
    }

    /// Takes what the app sends after a purchase: the `jwsRepresentation` of its `VerificationResult`.
    func receive(transaction jws: String) async throws {
        try await store.apply(verifier.transaction(jws))
    }

    /// Takes what the App Store sends: the body of its request.
    func receive(notification body: Data) async throws {
        try await store.apply(verifier.notification(body: body))
    }

    /// What a customer owns at an instant, whom the app knows by this token.
    func productIDs(of customer: UUID, at instant: Date) async -> Set<String> {
        let scope = CustomerScope(store, .appAccountToken(customer), now: { instant })
        return await scope.run { await ownedProductIDs() }
    }
}

/// The same function as in the app.
func ownedProductIDs() async -> Set<String> {
    var productIDs: Set<String> = []
    for await verificationResult in Transaction.currentEntitlements {
        guard case .verified(let transaction) = verificationResult else { continue }
        productIDs.insert(transaction.productID)
    }
    return productIDs
}
