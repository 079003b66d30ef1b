import SignedPayloads
import StoreKitVerify

/// Handles notifications, and reads the history that the App Store Server API gives.
struct NotificationHandler {
    let verifier: StoreKitVerifier

    /// - Parameter anchors: the roots to trust: Apple's, or in a test the test's own.
    init(bundleID: String, appAppleID: Int64, anchors: [TrustAnchor] = [.appleRootCAG3]) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.appAppleIdentifier = appAppleID
        policy.environments = [.production]
        verifier = StoreKitVerifier(try SignedPayloadVerifier(anchors: anchors, policy: policy))
    }

    /// What a notification says, in a line.
    func line(for signedPayload: String) -> String {
        do throws(SignedPayloads.VerificationError) {
            switch try verifier.notification(signedPayload) {
            case .verified(let notification):
                // The payloads inside were verified with the notification.
                let transaction = notification.data?.transaction?.unsafePayloadValue
                let product = transaction?.productID ?? "no product"
                return "\(notification.notificationType.rawValue), \(product): \(notification.meaning)"
            case .unverified(_, let error):
                return "not from the App Store: \(error.rawValue)"
            }
        } catch {
            return "not for this app, or not to be read: \(error.message)"
        }
    }

    /// The purchases in the `signedTransactions` of Get Transaction History, verified together on all cores.
    func history(of signedTransactions: [String]) throws -> PurchaseHistory {
        let verdicts = BatchVerifier(verifier.payloadVerifier).verify(signedTransactions)
        var history = PurchaseHistory()
        for (jws, verdict) in zip(signedTransactions, verdicts) {
            let transaction: Transaction = try verifier.value(of: verdict.get(), jws)
            try history.add(.verified(transaction))
        }
        return history
    }
}
