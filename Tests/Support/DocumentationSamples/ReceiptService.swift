import Foundation
import SignedPayloads
import StoreKitVerify

/// Reads the app receipts that old versions of an app still send to a server.
struct ReceiptService {
    let verifier: ReceiptVerifier

    /// - Parameter anchors: the roots to trust: Apple's, or a test's own roots.
    init(bundleID: String, anchors: [TrustAnchor] = [.appleRootCA]) throws {
        var policy = VerificationPolicy()
        policy.bundleIdentifiers = [bundleID]
        policy.environments = [.production]
        verifier = try ReceiptVerifier(anchors: anchors, policy: policy)
    }

    /// The non-consumables in a receipt, and the subscriptions that were paid for at an instant.
    ///
    /// - Parameter receiptData: the receipt in base64, which a request to `verifyReceipt` calls
    ///   `receipt-data`.
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

    /// The original transactions in a receipt. Get Transaction History returns the transactions after the
    /// receipt.
    ///
    /// - Parameter file: the content of a receipt's file, or its base64.
    func originalIDs(in file: Data) throws -> Set<UInt64> {
        Set(try verifier.appReceipt(file: file).transactions.compactMap(\.originalID))
    }
}
