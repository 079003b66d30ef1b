internal import StoreKitVerify

/// The enumerations that Apple's payloads write as numbers.
enum NumberNames: Sendable {
    case offerType
    case revocationReason
    case status
    case expirationReason
    /// Whether a subscription renews (Apple, `autoRenewStatus`). StoreKit has a Boolean in its place.
    case autoRenewStatus

    /// The name of a number, which is StoreKit's; `nil` for an unknown number.
    func name(of number: Int) -> String? {
        switch self {
        case .offerType: Self.name(of: Transaction.OfferType(rawValue: number))
        case .revocationReason: Self.name(of: Transaction.RevocationReason(rawValue: number))
        case .status: Self.name(of: Product.SubscriptionInfo.RenewalState(rawValue: number))
        case .expirationReason:
            Self.name(of: Product.SubscriptionInfo.RenewalInfo.ExpirationReason(rawValue: number))
        case .autoRenewStatus: number == 0 ? "off" : number == 1 ? "on" : nil
        }
    }

    private static func name(of type: Transaction.OfferType) -> String? {
        switch type {
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .code: "code"
        case .winBack: "winBack"
        default: nil
        }
    }

    private static func name(of reason: Transaction.RevocationReason) -> String? {
        switch reason {
        case .other: "other"
        case .developerIssue: "developerIssue"
        default: nil
        }
    }

    private static func name(of state: Product.SubscriptionInfo.RenewalState) -> String? {
        switch state {
        case .subscribed: "subscribed"
        case .expired: "expired"
        case .inBillingRetryPeriod: "inBillingRetryPeriod"
        case .inGracePeriod: "inGracePeriod"
        case .revoked: "revoked"
        default: nil
        }
    }

    private static func name(
        of reason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason
    ) -> String? {
        switch reason {
        case .autoRenewDisabled: "autoRenewDisabled"
        case .billingError: "billingError"
        case .didNotConsentToPriceIncrease: "didNotConsentToPriceIncrease"
        case .productUnavailable: "productUnavailable"
        case .unknown: "unknown"
        default: nil
        }
    }
}
