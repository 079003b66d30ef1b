public import Essentials
public import SignedPayloads

extension ReceiptVerifier {
    /// Verifies a receipt, and returns it with StoreKit's names.
    ///
    /// A receipt has no `VerificationResult`, for two reasons. StoreKit never had one, so no existing code
    /// needs it. And the members of `VerificationResult` are about a JWS, which a receipt is not.
    ///
    /// - Parameter base64: the receipt in base64 with padding (RFC 4648, section 4), without white space.
    /// - Throws: `PayloadError`, which names the check that failed and the values that it compared.
    public func appReceipt(_ base64: String) throws(PayloadError) -> AppReceipt {
        AppReceipt(try verify(base64))
    }

    /// Verifies the receipt in a file: its bytes, or their base64, which may be broken into lines.
    ///
    /// - Throws: `PayloadError`, which names the check that failed and the values that it compared.
    public func appReceipt(file: Data) throws(PayloadError) -> AppReceipt {
        AppReceipt(try verify(file: Array(file)))
    }
}
