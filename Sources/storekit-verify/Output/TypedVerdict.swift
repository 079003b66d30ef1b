import SignedPayloads
import StoreKitVerify

/// A verified payload by its StoreKit names.
enum TypedVerdict {
    /// The object's JSON; `nil` for a payload of no known kind.
    ///
    /// - Throws: `VerificationError` if the payload lacks a member that the type requires.
    static func json(
        of payload: VerifiedPayload, _ verifier: StoreKitVerifier
    ) throws(VerificationError) -> String? {
        switch payload.kind {
        case .transaction:
            let value: Transaction = try verifier.value(of: payload)
            return TypedObject(value).json
        case .renewalInfo:
            let value: Product.SubscriptionInfo.RenewalInfo = try verifier.value(of: payload)
            return TypedObject(value).json
        case .appTransaction:
            let value: AppTransaction = try verifier.value(of: payload)
            return TypedObject(value).json
        case .notification:
            let value: ServerNotification = try verifier.value(of: payload)
            return TypedObject(value).json
        case .realtimeRequest:
            let value: RealtimeRequest = try verifier.value(of: payload)
            return TypedObject(value).json
        case .receipt: return AppReceipt(payload).map { TypedObject($0).json }
        case .unknown: return nil
        }
    }
}
