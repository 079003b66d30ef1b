import Foundation
import SignedPayloads
import StoreKitVerify

/// Answers the App Store's notifications. Any web framework can call it.
struct NotificationEndpoint: Sendable {
    private let verifier: BatchVerifier
    private let store: any TransactionStore

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
            return error.httpStatus
        }
        do {
            if try await store.apply(.verified(notification)) {
                print("new: \(notification.meaning)")
            }
        } catch let error as PayloadError {
            // A payload inside has no value, and a repetition does not change that.
            return error.httpStatus
        } catch {
            return 503
        }
        return 200
    }
}
