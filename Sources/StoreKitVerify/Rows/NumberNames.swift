/// The names of the numbers with which Apple's payloads write the values of an enumeration.
struct NumberNames: Sendable {
    /// Each number with its name.
    let names: [(number: Int, name: String)]
    /// The names as they are written in JSON, with quotes.
    private let written: [(number: Int, name: [UInt8])]

    private init(_ names: [(Int, String)]) {
        self.names = names.map { (number: $0.0, name: $0.1) }
        written = names.map { (number: $0.0, name: Array("\"\($0.1)\"".utf8)) }
    }

    /// The name of a number as it is written in JSON; `nil` if it has none.
    @inline(__always)
    func written(_ number: Int) -> [UInt8]? {
        for index in written.indices where written[index].number == number { return written[index].name }
        return nil
    }

    /// The kinds of offers, by StoreKit's names.
    static let offerType = NumberNames([
        (Transaction.OfferType.introductory.rawValue, "introductory"),
        (Transaction.OfferType.promotional.rawValue, "promotional"),
        (Transaction.OfferType.code.rawValue, "code"),
        (Transaction.OfferType.winBack.rawValue, "winBack"),
    ])

    /// The reasons of revocations, by StoreKit's names.
    static let revocationReason = NumberNames([
        (Transaction.RevocationReason.other.rawValue, "other"),
        (Transaction.RevocationReason.developerIssue.rawValue, "developerIssue"),
    ])

    /// The states of a subscription, by StoreKit's names.
    static let status = NumberNames([
        (Product.SubscriptionInfo.RenewalState.subscribed.rawValue, "subscribed"),
        (Product.SubscriptionInfo.RenewalState.expired.rawValue, "expired"),
        (Product.SubscriptionInfo.RenewalState.inBillingRetryPeriod.rawValue, "inBillingRetryPeriod"),
        (Product.SubscriptionInfo.RenewalState.inGracePeriod.rawValue, "inGracePeriod"),
        (Product.SubscriptionInfo.RenewalState.revoked.rawValue, "revoked"),
    ])

    /// The reasons of expirations, by StoreKit's names.
    static let expirationReason = NumberNames([
        (
            Product.SubscriptionInfo.RenewalInfo.ExpirationReason.autoRenewDisabled.rawValue,
            "autoRenewDisabled"
        ),
        (Product.SubscriptionInfo.RenewalInfo.ExpirationReason.billingError.rawValue, "billingError"),
        (
            Product.SubscriptionInfo.RenewalInfo.ExpirationReason.didNotConsentToPriceIncrease.rawValue,
            "didNotConsentToPriceIncrease"
        ),
        (
            Product.SubscriptionInfo.RenewalInfo.ExpirationReason.productUnavailable.rawValue,
            "productUnavailable"
        ),
        (Product.SubscriptionInfo.RenewalInfo.ExpirationReason.unknown.rawValue, "unknown"),
    ])

    /// Whether a subscription renews (Apple, `autoRenewStatus`). StoreKit has a Boolean in its place.
    static let autoRenewStatus = NumberNames([(0, "off"), (1, "on")])
}
