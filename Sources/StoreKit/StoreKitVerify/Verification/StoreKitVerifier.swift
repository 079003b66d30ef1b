public import SignedPayloads

/// Verifies payloads that the App Store signed, and returns them as StoreKit's types.
///
/// Make one and share it between tasks. A `SignedPayloadVerifier` does the verifying.
public struct StoreKitVerifier: Sendable {
    /// Verifies the payloads.
    public let payloads: SignedPayloadVerifier

    /// - Parameter payloads: verifies the payloads; it holds the trust anchors and the policy.
    public init(_ payloads: SignedPayloadVerifier) { self.payloads = payloads }

    /// Verifies a compact JWS, as StoreKit does on a device.
    ///
    /// - Parameters:
    ///   - jws: the token, with nothing around it.
    ///   - type: the type of the signed value.
    /// - Returns: the verified value. If a check failed that StoreKit also makes, the unverified value and
    ///   the reason.
    /// - Throws: `PayloadError` in two situations. Either no value can be returned: the token is too
    ///   large, or it cannot be read, or it lacks a member that the type requires. Or StoreKit has no case
    ///   for the failure: the payload belongs to another app or environment, or it is unknown whether a
    ///   certificate was revoked.
    public func verify<Value: SignedValue>(
        _ jws: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> VerificationResult<Value> {
        let failure: PayloadError
        do throws(PayloadError) {
            return .verified(try value(of: payloads.verify(jws)))
        } catch {
            failure = error
        }
        // A token above the size limit is not decoded.
        if failure.code == .tooLarge, failure.member == nil { throw failure }
        guard
            let storeKitCase = failure.storeKitCase.flatMap(VerificationResult<Value>.VerificationError.init),
            let content = SignedContent(refused: jws, for: failure)
        else { throw failure }
        do throws(PayloadError) {
            return .unverified(try Value(content, verifier: self), storeKitCase)
        } catch {
            // The first failure is more useful to the caller than this second one.
            throw failure
        }
    }

    /// Returns the value of a payload that is already verified, for instance in a batch.
    ///
    /// - Parameter payload: the verified payload, which holds its own token.
    /// - Throws: `PayloadError` if a member is missing that the type requires.
    public func value<Value: SignedValue>(
        of payload: VerifiedPayload
    ) throws(PayloadError) -> Value {
        try value(of: payload, in: nil)
    }

    /// Returns the value of a verified payload that was in a notification of an environment.
    func value<Value: SignedValue>(
        of payload: VerifiedPayload, in environment: AppStore.Environment?
    ) throws(PayloadError) -> Value {
        try Value(SignedContent(payload, in: environment), verifier: self)
    }

    /// Verifies a transaction.
    ///
    /// - Throws: `PayloadError`, as `verify(_:as:)` does.
    public func transaction(
        _ jws: String
    ) throws(PayloadError) -> VerificationResult<Transaction> { try verify(jws) }

    /// Verifies a subscription's renewal information.
    ///
    /// - Throws: `PayloadError`, as `verify(_:as:)` does.
    public func renewalInfo(
        _ jws: String
    ) throws(PayloadError) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
        try verify(jws)
    }

    /// Verifies an app transaction: a customer's purchase or download of the app.
    ///
    /// - Throws: `PayloadError`, as `verify(_:as:)` does.
    public func appTransaction(
        _ jws: String
    ) throws(PayloadError) -> VerificationResult<AppTransaction> { try verify(jws) }
}
