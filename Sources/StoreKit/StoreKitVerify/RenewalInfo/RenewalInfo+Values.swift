package import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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

        /// A sentence for people, in English.
        public var localizedDescription: String {
            switch self {
            case .autoRenewDisabled: "The customer cancelled the subscription."
            case .billingError: "The customer could not be charged."
            case .didNotConsentToPriceIncrease: "The customer did not agree to a higher price."
            case .productUnavailable: "The product was no longer for sale."
            default: "The reason is not known."
            }
        }
    }

    /// Whether the price will increase, and whether the customer consented.
    public enum PriceIncreaseStatus: Hashable, Sendable, CaseIterable {
        /// No price increase is pending.
        case noIncreasePending
        /// The price will increase if the customer consents. The customer has not answered yet.
        case pending
        /// The price will increase. The customer consented, or was told of an increase that needs no consent.
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

        package static let form = PayloadForm(
            "commitment",
            [
                .optional("renewalDate", .date, "commitmentRenewalDate"),
                .optional("renewalPrice", .thousandths, "commitmentRenewalPrice"),
                .optional("willAutoRenew", .isOne, "commitmentAutoRenewStatus"),
                .optional(
                    "autoRenewPreference", .text, "commitmentAutoRenewProductId",
                    ifOne: "commitmentAutoRenewStatus"),
                .optional("renewalBillingPlanType", .text, "commitmentRenewalBillingPlanType"),
            ])

        init?(_ renewalInfo: PayloadFields) {
            guard let fields = renewalInfo.object("commitmentInfo", names: Self.form.names) else {
                return nil
            }
            renewalDate = fields.date("commitmentRenewalDate")
            renewalPrice = fields.thousandths("commitmentRenewalPrice")
            willAutoRenew = fields.integer("commitmentAutoRenewStatus") == 1
            autoRenewPreference = willAutoRenew ? fields.string("commitmentAutoRenewProductId") : nil
            renewalBillingPlanType = fields.string("commitmentRenewalBillingPlanType").map(
                Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
        }
    }
}
