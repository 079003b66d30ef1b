package import SignedPayloads
package import WireFormats

extension SignedPayloadKind {
    /// The properties of StoreKit's type for the payload; `nil` for app receipts and unknown payloads.
    package var form: PayloadForm? {
        switch self {
        case .transaction: Transaction.form
        case .renewalInfo: Product.SubscriptionInfo.RenewalInfo.form
        case .appTransaction: AppTransaction.form
        case .realtimeRequest: RealtimeRequest.form
        case .notification: ServerNotification.form
        case .receipt, .unknown: nil
        }
    }
}
