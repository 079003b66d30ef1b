import Foundation
import SignedPayloads
import StoreKitVerify

/// The part of a server that still gets app receipts.
struct ReceiptService {
    let verifier: ReceiptVerifier

    /// - Parameter anchors: the roots to trust: Apple's, or in a test the test's own.
    init(bundleID: String, anchors: [TrustAnchor] = [.appleRootCA]) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.environments = [.production]
        verifier = try ReceiptVerifier(anchors: anchors, policy: policy)
    }

    /// What an app bought for good, or was subscribed to at an instant, as its receipt tells.
    ///
    /// - Parameter receiptData: the receipt in base64: `receipt-data` in a request to `verifyReceipt`.
    func productIDs(in receiptData: String, at instant: Date) throws -> Set<String> {
        let receipt = try verifier.appReceipt(receiptData)
        let owned = receipt.transactions.filter { transaction in
            guard transaction.revocationDate == nil else { return false }
            switch transaction.productType {
            case .nonConsumable?: return true
            case .autoRenewable?: return transaction.expirationDate.map { instant < $0 } ?? false
            default: return false
            }
        }
        return Set(owned.compactMap(\.productID))
    }

    /// The identifiers to ask Get Transaction History about, which knows what came after the receipt.
    ///
    /// - Parameter file: a receipt's file, or its base64.
    func originalIDs(in file: Data) throws -> Set<UInt64> {
        Set(try verifier.appReceipt(file: file).transactions.compactMap(\.originalID))
    }
}
