public import Essentials
public import StoreKitVerify
internal import WireFormats

/// An offer of a subscription in a `.storekit` file.
public struct ConfiguredOffer: Hashable, Sendable {
    /// Who the offer is for.
    public let type: Transaction.OfferType
    /// The identifier: of a promotional or win-back offer, or the reference name of an offer code. Introductory offers
    /// have none. Where a file leaves it out, another name of the offer stands for it.
    public let id: String?
    /// How the customer pays.
    public let paymentMode: Transaction.Offer.PaymentMode
    /// The length of one period of the offer. A product that does not renew has none: a day stands for it.
    public let period: Product.SubscriptionPeriod
    /// How many periods the offer lasts.
    public let periodCount: Int
    /// The price of a period, or of the whole offer if it is paid up front; zero for a free trial.
    public let price: Decimal
    /// Who may use an offer code: `new`, `existing`, `expired`. Empty for other offers, and for a code without a limit.
    public let eligibility: Set<String>
    /// Whether the customer may use a win-back offer.
    public let isEligible: Bool

    /// How the offer's subscription is billed: only offers of version 5 say so.
    let billingPlan: String?

    /// The length of the whole offer; `nil` for a product that does not renew.
    var duration: Product.SubscriptionPeriod? {
        guard paymentMode != .oneTime else { return nil }
        return .init(value: period.value * periodCount, unit: period.unit)
    }

    /// The lengths that offers can have, for all kinds together.
    private static let periods: Set = ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P9M", "P1Y"]

    /// Reads an offer; `nil` if it offers nothing (`none` is one of the modes that files have).
    init?(_ node: ConfigurationNode, _ type: Transaction.OfferType) throws(StoreKitConfigurationError) {
        self.type = type
        let mode = try node.required("paymentMode")
        switch try mode.string() {
        case "free": paymentMode = .freeTrial
        case "payAsYouGo": paymentMode = .payAsYouGo
        case "payUpFront": paymentMode = .payUpFront
        case "none": return nil
        case let other:
            throw mode.error(
                "\"\(other.abbreviated())\" is not a way to pay for an offer: free, payAsYouGo or payUpFront")
        }
        id = type == .introductory ? nil : try Self.identifier(node, type)
        period = try ConfiguredProduct.period(node.required("subscriptionPeriod"), among: Self.periods)
        // A file may leave the number out for an offer of one period.
        periodCount = try node.integer("numberOfPeriods") ?? 1
        // Ten years of months: a bound against a number that overflows the calendar, above all that Apple
        // allows.
        guard (1...120).contains(periodCount) else {
            throw StoreKitConfigurationError(
                "\(node.path).numberOfPeriods", "an offer cannot last \(periodCount) periods")
        }
        billingPlan = try node.string("billingPlanType")
        // A free offer costs nothing, whatever price a file gives it.
        price = paymentMode == .freeTrial ? 0 : try node.price("displayPrice") ?? 0
        eligibility = Set(
            try node.list("eligibility") { (node) throws(StoreKitConfigurationError) in try node.string() })
        isEligible = try node.bool("isEligible") ?? true
    }

    /// Reads an offer code of a product that does not renew.
    ///
    /// No file of Xcode's has one yet, so the names of members are those of subscriptions.
    init(oneTimeCode node: ConfigurationNode) throws(StoreKitConfigurationError) {
        type = .code
        paymentMode = .oneTime
        id = try Self.identifier(node, .code)
        period = .init(value: 1, unit: .day)
        periodCount = 1
        price = try node.price("displayPrice") ?? 0
        eligibility = []
        isEligible = true
        billingPlan = nil
    }

    /// The first name that the offer has, the one that StoreKit uses before the others.
    private static func identifier(
        _ node: ConfigurationNode, _ type: Transaction.OfferType
    ) throws(StoreKitConfigurationError) -> String {
        let names =
            type == .code
            ? ["referenceName", "offerID", "internalID"] : ["offerID", "referenceName", "internalID"]
        for name in names {
            if let text = try node.string(name), !text.isEmpty { return text }
        }
        throw node.error("the offer has no \"\(names[0])\"")
    }
}
