internal import CompactJWS
public import SignedPayloads

/// Verifies what the App Store signed, and gives it StoreKit's types.
///
/// A value to make once and share; see `SignedPayloadVerifier`, which does the verifying.
public struct StoreKitVerifier: Sendable {
    /// What verifies payloads.
    public let payloadVerifier: SignedPayloadVerifier

    /// - Parameter payloadVerifier: holds the roots to trust and what is asked of payloads.
    public init(_ payloadVerifier: SignedPayloadVerifier) { self.payloadVerifier = payloadVerifier }

    /// Verifies a compact JWS as StoreKit would have on a device.
    ///
    /// - Parameters:
    ///   - jws: the token, with nothing around it.
    ///   - type: what the token holds.
    /// - Returns: the value; unverified, with the reason, where a check failed that StoreKit makes too.
    /// - Throws: `VerificationError` where there is no value to give: the token is too large, cannot be read, or a
    ///   member is missing that the type cannot do without; and where the payload is of another app or environment, or
    ///   nobody could say whether a certificate was revoked, for which StoreKit has no case.
    public func verify<Value: SignedValue>(
        _ jws: String, as type: Value.Type = Value.self
    ) throws(SignedPayloads.VerificationError) -> VerificationResult<Value> {
        let failure: SignedPayloads.VerificationError
        do throws(SignedPayloads.VerificationError) {
            return .verified(try value(of: payloadVerifier.verify(jws), jws))
        } catch {
            failure = error
        }
        // What is beyond the limit is not decoded either.
        if failure.code == .tooLarge, failure.member == nil { throw failure }
        guard
            let storeKitCase = failure.storeKitCase.flatMap(VerificationResult<Value>.VerificationError.init),
            let payload = Self.payload(of: jws)
        else { throw failure }
        let content = SignedContent(jws: jws, payload: payload, error: failure)
        do throws(SignedPayloads.VerificationError) {
            return .unverified(try Value(content, verifier: self), storeKitCase)
        } catch {
            // What was wrong first says more than that the rest cannot be read either.
            throw failure
        }
    }

    /// The value of a payload that was verified already, for instance in a batch.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - jws: the token that it came in; without it, the value's token and its parts are empty.
    /// - Throws: `VerificationError` where a member is missing that the type cannot do without.
    public func value<Value: SignedValue>(
        of payload: VerifiedPayload, _ jws: String = ""
    ) throws(SignedPayloads.VerificationError) -> Value {
        try Value(SignedContent(jws: jws, payload: payload), verifier: self)
    }

    /// A transaction.
    public func transaction(
        _ jws: String
    ) throws(SignedPayloads.VerificationError) -> VerificationResult<Transaction> { try verify(jws) }

    /// A subscription's renewal information.
    public func renewalInfo(
        _ jws: String
    ) throws(SignedPayloads.VerificationError) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
        try verify(jws)
    }

    /// An app's purchase or download.
    public func appTransaction(
        _ jws: String
    ) throws(SignedPayloads.VerificationError) -> VerificationResult<AppTransaction> { try verify(jws) }

    private static func payload(of jws: String) -> [UInt8]? {
        let bytes = Array(jws.utf8)
        return try? CompactJWS(bytes.span).payloadBytes
    }
}
