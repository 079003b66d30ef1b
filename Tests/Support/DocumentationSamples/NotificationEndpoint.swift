import Foundation
import SignedPayloads
import StoreKitVerify

/// Answers the App Store's notifications. Any web framework can call it.
actor NotificationEndpoint {
    private let verifier: BatchVerifier
    private let store: any TransactionStore
    /// The notifications that were handled. Keep them where the purchases are.
    private var handled: Set<UUID> = []

    /// - Parameter anchors: the roots to trust: Apple's, or a test's own roots.
    init(
        store: any TransactionStore, bundleID: String, appAppleID: Int64,
        anchors: [TrustAnchor] = [.appleRootCAG3]
    ) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.appAppleIdentifier = appAppleID
        policy.environments = [.production, .sandbox]
        verifier = BatchVerifier(try SignedPayloadVerifier(anchors: anchors, policy: policy))
        self.store = store
    }

    /// Handles the body of a request, and returns the HTTP status to answer with.
    func answer(to body: Data) async -> Int {
        let notification: ServerNotification
        do throws(PayloadError) {
            notification = try await verifier.verifiedNotification(body: body)
        } catch {
            print("\(error.code.rawValue): \(error.message)")
            return Self.status(for: error)
        }
        guard !handled.contains(notification.notificationUUID) else { return 200 }
        do {
            try await store.apply(.verified(notification))
        } catch {
            return 503
        }
        handled.insert(notification.notificationUUID)
        return 200
    }

    /// The status for a body that is not verified.
    static func status(for error: PayloadError) -> Int {
        if error.isRetryable { return 503 }
        return switch error.code {
        case .tooLarge: 413
        case .invalidEncoding, .missingRequiredProperties: 400
        case .wrongEnvironment, .wrongBundleIdentifier, .wrongAppAppleIdentifier: 421
        default: 403
        }
    }
}
