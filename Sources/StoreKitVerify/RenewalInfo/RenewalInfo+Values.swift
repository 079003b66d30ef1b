#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Product.SubscriptionInfo.RenewalInfo {
    /// Why a subscription expired.
    ///
    /// A value that has no name here is kept as it is.
    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
        /// The value as the payload has it.
        public let rawValue: Int

        /// Any value.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The customer cancelled it.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The customer could not be charged.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer did not agree to a higher price.
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

    /// Whether the price is about to rise, and the customer agreed.
    public enum PriceIncreaseStatus: Hashable, Sendable, CaseIterable {
        /// The price stays as it is.
        case noIncreasePending
        /// The price will rise if the customer agrees, who has not answered yet.
        case pending
        /// The price will rise: the customer agreed, or was told of an increase that needs no consent.
        case agreed

        init(_ fields: PayloadFields) {
            switch fields.integer("priceIncreaseStatus") {
            case 0: self = .pending
            case 1: self = .agreed
            default: self = .noIncreasePending
            }
        }
    }

    /// What follows a commitment.
    public struct CommitmentInfo: Hashable, Sendable {
        /// When the commitment renews.
        public let renewalDate: Date?
        /// The price of the next commitment, in units of the currency.
        public let renewalPrice: Decimal?
        /// Whether the commitment will renew.
        public let willAutoRenew: Bool
        /// The product that it renews to; `nil` if it will not renew.
        public let autoRenewPreference: String?
        /// How the next commitment is billed.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType?

        private static let names = [
            "commitmentAutoRenewProductId", "commitmentAutoRenewStatus", "commitmentRenewalBillingPlanType",
            "commitmentRenewalDate", "commitmentRenewalPrice",
        ]

        init?(_ renewalInfo: PayloadFields) {
            guard let fields = renewalInfo.object("commitmentInfo", names: Self.names) else { return nil }
            renewalDate = fields.date("commitmentRenewalDate")
            renewalPrice = fields.thousandths("commitmentRenewalPrice")
            willAutoRenew = fields.integer("commitmentAutoRenewStatus") == 1
            autoRenewPreference = willAutoRenew ? fields.string("commitmentAutoRenewProductId") : nil
            renewalBillingPlanType = fields.string("commitmentRenewalBillingPlanType").map(
                Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
        }
    }
}
