import SignedPayloads
import StoreKitVerify

/// Handles server notifications, and reads the history that the App Store Server API returns.
struct NotificationHandler {
    let verifier: StoreKitVerifier

    /// - Parameter anchors: the roots to trust: Apple's, or a test's own roots.
    init(bundleID: String, appAppleID: Int64, anchors: [TrustAnchor] = [.appleRootCAG3]) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.appAppleIdentifier = appAppleID
        policy.environments = [.production]
        verifier = StoreKitVerifier(try SignedPayloadVerifier(anchors: anchors, policy: policy))
    }

    /// Describes a notification in one line.
    func line(for signedPayload: String) -> String {
        do throws(PayloadError) {
            switch try verifier.notification(signedPayload) {
            case .verified(let notification):
                // The payloads inside the notification were verified with it.
                let transaction = notification.data?.transaction?.unsafePayloadValue
                let product = transaction?.productID ?? "no product"
                return "\(notification.notificationType.rawValue), \(product): \(notification.meaning.name)"
            case .unverified(_, let error):
                return "not from the App Store: \(error.rawValue)"
            }
        } catch {
            return "not for this app, or not to be read: \(error.message)"
        }
    }

    /// Verifies the `signedTransactions` of Get Transaction History on all cores, and collects the purchases.
    func history(of signedTransactions: [String]) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for verdict in BatchVerifier(verifier.payloads).verify(signedTransactions) {
            let transaction: Transaction = try verifier.value(of: verdict.get())
            try history.add(.verified(transaction))
        }
        return history
    }
}
