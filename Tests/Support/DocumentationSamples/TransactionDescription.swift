import SignedPayloads
import StoreKitVerify

/// Verifies a transaction of one app, and describes it.
///
/// - Parameter anchors: the roots to trust: Apple's, or a test's own roots.
func describe(
    transaction jws: String, bundleID: String, anchors: [TrustAnchor] = [.appleRootCAG3]
) throws -> String {
    var policy = VerificationPolicy()
    policy.bundleIdentifiers = [bundleID]
    let verifier = StoreKitVerifier(try SignedPayloadVerifier(anchors: anchors, policy: policy))
    switch try verifier.transaction(jws) {
    case .verified(let transaction): return "\(transaction.productID) in \(transaction.environment.rawValue)"
    case .unverified(_, let error): return "not verified: \(error.rawValue)"
    }
}
