#if ServerAPI
    public import Foundation
    internal import AppReceipts
    internal import SignedPayloads
    internal import StoreKitVerify

    /// Apple's `ReceiptUtility`. It takes identifiers out of receipts of which nothing is verified: only to ask the App Store
    /// about them.
    public enum ReceiptUtility {
        /// A transaction of an app receipt; `nil` if it has none.
        ///
        /// Apple's function reads without a check. Here the receipt is verified first.
        ///
        /// - Parameters:
        ///   - appReceipt: the receipt, in base64.
        ///   - rootCertificates: the roots to trust, in DER; empty for Apple's.
        public static func extractTransactionId(
            appReceipt: String, rootCertificates: [Data] = []
        ) -> String? {
            let anchors = rootCertificates.map { TrustAnchor(der: Array($0)) }
            guard
                let verifier = try? ReceiptVerifier(anchors: anchors.isEmpty ? [.appleRootCA] : anchors),
                let receipt = try? verifier.appReceipt(appReceipt)
            else { return nil }
            return receipt.transactions.lazy.compactMap(\.id).first.map { String($0) }
        }

        /// The transaction of a receipt from before iOS 7; `nil` if this is none.
        ///
        /// - Parameter transactionReceipt: the receipt, in base64.
        public static func extractTransactionId(transactionReceipt: String) -> String? {
            TransactionReceipt(Array(transactionReceipt.utf8))?.unverifiedTransactionID
        }
    }
#endif
