extension Product.SubscriptionInfo.RenewalState: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.subscribed, "subscribed", "subscribed"), Words(.expired, "expired", "expired"),
        Words(.inBillingRetryPeriod, "inBillingRetryPeriod", "in billing retry"),
        Words(.inGracePeriod, "inGracePeriod", "in grace period"), Words(.revoked, "revoked", "revoked"),
    ]

    /// A word for people, in English.
    public var localizedDescription: String { capitalizedText ?? "Unknown" }
}

extension Product.SubscriptionInfo.RenewalInfo.ExpirationReason: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.autoRenewDisabled, "autoRenewDisabled", "the customer cancelled the subscription"),
        Words(.billingError, "billingError", "the customer could not be charged"),
        Words(
            .didNotConsentToPriceIncrease, "didNotConsentToPriceIncrease",
            "the customer did not agree to a higher price"),
        Words(.productUnavailable, "productUnavailable", "the product was no longer for sale"),
        Words(.unknown, "unknown", "the reason is not known"),
    ]

    /// A sentence for people, in English.
    public var localizedDescription: String { (capitalizedText ?? "The reason is not known") + "." }
}

/// Whether a subscription renews (Apple, `autoRenewStatus`). StoreKit has a Boolean in its place.
package enum AutoRenewStatus: Int, WordedValue {
    case off
    case on

    package static let words: [Words<Self>] = [Words(.off, "off", "off"), Words(.on, "on", "on")]
}

extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
    /// The status in words; `nil` if no price increase is pending.
    package var text: String? {
        switch self {
        case .noIncreasePending: nil
        case .pending: "the customer was asked, and has not answered"
        case .agreed: "settled: the customer agreed, or need not"
        }
    }
}

/// The members whose numbers stand for something.
package enum NumberWords {
    /// The meaning of a number, in words; `nil` for an unknown number, and for members of other kinds.
    package static func text(of member: String, _ number: Int) -> String? {
        switch member {
        case "offerType": Transaction.OfferType.text(of: number)
        case "revocationReason": Transaction.RevocationReason.text(of: number)
        case "status": Product.SubscriptionInfo.RenewalState.text(of: number)
        case "expirationIntent": Product.SubscriptionInfo.RenewalInfo.ExpirationReason.text(of: number)
        case "autoRenewStatus", "commitmentAutoRenewStatus": AutoRenewStatus.text(of: number)
        case "priceIncreaseStatus":
            Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus(number: number).text
        default: nil
        }
    }
}
