public import Essentials
package import WireFormats

extension Product.SubscriptionInfo.RenewalInfo {
    /// Why a subscription expired.
    ///
    /// An unknown value is kept unchanged.
    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
        /// The value, as the payload gives it.
        public let rawValue: Int

        /// Makes a value from its raw form, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The customer cancelled the subscription.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The App Store could not charge the customer.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer did not consent to a higher price.
        public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
        /// The product was no longer for sale.
        public static let productUnavailable = ExpirationReason(rawValue: 4)
        /// Any other reason.
        public static let unknown = ExpirationReason(rawValue: 5)
    }

    /// Whether the price will increase, and whether the customer consented.
    public enum PriceIncreaseStatus: Hashable, Sendable, CaseIterable {
        /// No price increase waits for the customer. An unknown value reads as this, too.
        case noIncreasePending
        /// The price will increase if the customer consents. The customer has not answered yet.
        case pending
        /// The price will increase. The customer consented, or was informed of an increase that needs no consent.
        case agreed

        /// - Parameter number: the payload's `priceIncreaseStatus`.
        package init(number: Int?) {
            switch number {
            case 0: self = .pending
            case 1: self = .agreed
            default: self = .noIncreasePending
            }
        }

        /// The name of the status.
        package var word: String {
            switch self {
            case .noIncreasePending: "noIncreasePending"
            case .pending: "pending"
            case .agreed: "agreed"
            }
        }
    }

    /// The commitment that follows the present one.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The date on which the commitment renews.
        public let renewalDate: Date?
        /// The price of the next commitment, in units of the currency.
        public let renewalPrice: Decimal?
        /// Whether the commitment will renew.
        public let willAutoRenew: Bool
        /// The product that the commitment renews to; `nil` if it will not renew.
        public let autoRenewPreference: String?
        /// How the next commitment is billed.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType?

        package static let form = PayloadForm("commitment", CommitmentInfo.init)

        init(_ properties: inout PayloadProperties) {
            renewalDate = properties.optional("renewalDate", .date, "commitmentRenewalDate")
            renewalPrice = properties.optional("renewalPrice", .thousandths, "commitmentRenewalPrice")
            willAutoRenew = properties.value("willAutoRenew", .isOne, "commitmentAutoRenewStatus")
            autoRenewPreference = properties.optional(
                "autoRenewPreference", .text, "commitmentAutoRenewProductId",
                ifOne: "commitmentAutoRenewStatus")
            renewalBillingPlanType = properties.optional(
                "renewalBillingPlanType", .text, "commitmentRenewalBillingPlanType"
            )
            .map(Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
        }
    }
}
