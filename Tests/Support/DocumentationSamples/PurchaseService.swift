import Foundation
import SignedPayloads
import StoreKitVerify

/// Keeps purchases on a server, and says what a customer owns.
struct PurchaseService {
    let verifier: StoreKitVerifier
    let store = InMemoryTransactionStore()

    /// - Parameter anchors: the roots to trust: Apple's, or a test's own roots.
    init(bundleID: String, anchors: [TrustAnchor] = [.appleRootCAG3]) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.environments = [.production]
        verifier = StoreKitVerifier(try SignedPayloadVerifier(anchors: anchors, policy: policy))
    }

    /// Takes the JWS that the app sends after a purchase: the `jwsRepresentation` of its
    /// `VerificationResult`.
    func receive(transaction jws: String) async throws {
        try await store.apply(verifier.transaction(jws))
    }

    /// Takes a server notification: the body of the App Store's request.
    func receive(notification body: Data) async throws {
        try await store.apply(verifier.notification(body: body))
    }

    /// The products that a customer owns at an instant. `customer` is the app's `appAccountToken`.
    func productIDs(of customer: UUID, at instant: Date) async -> Set<String> {
        let scope = CustomerScope(store, .appAccountToken(customer), now: { instant })
        return await scope.run { await ownedProductIDs() }
    }
}

/// The app has the same function.
func ownedProductIDs() async -> Set<String> {
    var productIDs: Set<String> = []
    for await verificationResult in Transaction.currentEntitlements {
        guard case .verified(let transaction) = verificationResult else { continue }
        productIDs.insert(transaction.productID)
    }
    return productIDs
}
