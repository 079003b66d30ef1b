public import SignedPayloads

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ReceiptVerifier {
    /// Verifies a receipt, and gives what it says StoreKit's names.
    ///
    /// There is no `VerificationResult` of a receipt, since StoreKit never had one to keep code unchanged for: its
    /// members are about a JWS, and a receipt that does not verify says nothing worth an `unverified` case.
    ///
    /// - Parameter base64: the receipt in base64 with padding (RFC 4648, section 4), without white space.
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func appReceipt(_ base64: String) throws(SignedPayloads.VerificationError) -> AppReceipt {
        AppReceipt(try verify(base64))
    }

    /// Verifies what a file holds: a receipt's bytes, or their base64, which may be broken into lines.
    ///
    /// - Throws: `VerificationError`, saying which check failed and on what.
    public func appReceipt(file: Data) throws(SignedPayloads.VerificationError) -> AppReceipt {
        AppReceipt(try verify(file: Array(file)))
    }
}
