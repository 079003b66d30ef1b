public import Essentials
public import StoreKitVerify
internal import WireFormats

/// A product of a `.storekit` file.
public struct ConfiguredProduct: Hashable, Sendable, Identifiable {
    /// The product's identifier.
    public let id: String
    /// The kind of product.
    public let type: Product.ProductType
    /// The price; zero if the file gives none.
    public let price: Decimal
    /// Whether a family can share the product.
    public let isFamilyShareable: Bool
    /// The name and description in each language.
    public let localizations: [Localization]
    /// The members that only subscriptions have.
    public let subscription: Subscription?
    /// The offer codes of a product that does not renew. A subscription has its own.
    let codeOffers: [ConfiguredOffer]

    /// The place in the file, for messages.
    let path: String

    /// A name and a description for people.
    public struct Localization: Hashable, Sendable {
        /// The language, with a region or without: `en_US`, `de`.
        public let locale: String
        /// The product's name.
        public let displayName: String
        /// The product's description.
        public let description: String

        init(_ node: ConfigurationNode) throws(StoreKitConfigurationError) {
            locale = try node.string("locale") ?? ""
            displayName = try node.string("displayName") ?? ""
            description = try node.string("description") ?? ""
        }
    }

    /// The members of an auto-renewable subscription alone.
    public struct Subscription: Hashable, Sendable {
        /// The identifier of the subscription group.
        public let groupID: String
        /// The name of the subscription group.
        public let groupName: String
        /// The level of service in the group; 1 is the highest.
        public let groupLevel: Int
        /// The time between renewals.
        public let period: Product.SubscriptionPeriod
        /// The introductory offer.
        public let introductoryOffer: ConfiguredOffer?
        /// The promotional offers.
        public let promotionalOffers: [ConfiguredOffer]
        /// The offers that a code gives.
        public let codeOffers: [ConfiguredOffer]
        /// The offers for customers whose subscription has ended.
        public let winBackOffers: [ConfiguredOffer]
        /// The price of a month, and the months, of a plan that is billed monthly.
        public let monthlyPlan: MonthlyPlan?

        /// All offers.
        public var offers: [ConfiguredOffer] {
            (introductoryOffer.map { [$0] } ?? []) + promotionalOffers + codeOffers + winBackOffers
        }
    }

    /// A plan that is billed monthly, with a commitment to all months of a year.
    public struct MonthlyPlan: Hashable, Sendable {
        /// The price of a month.
        public let price: Decimal
        /// The price of the whole commitment.
        public let commitmentPrice: Decimal
    }

    /// The lengths that a subscription can have.
    ///
    /// The lengths that App Store Connect offers for a subscription.
    private static let periods: Set = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// A product that is bought once.
    static func bought(_ node: ConfigurationNode) throws(StoreKitConfigurationError) -> ConfiguredProduct {
        try ConfiguredProduct(node, group: nil)
    }

    /// - Parameter group: the group that the product stands in; `nil` for a product that is bought once.
    init(_ node: ConfigurationNode, group: (id: String, name: String)?) throws(StoreKitConfigurationError) {
        path = node.path
        let identifier = try node.required("productID")
        id = try identifier.string()
        guard !id.isEmpty else { throw identifier.error("a product's identifier cannot be empty") }
        type = try Self.type(node, isInGroup: group != nil)
        price = try node.price("displayPrice") ?? 0
        let shareable = try node.bool("familyShareable")
        // Some tools spell it so.
        let sharable = try node.bool("familySharable")
        isFamilyShareable = shareable ?? sharable ?? false
        localizations = try node.list("localizations", Localization.init)
        codeOffers = group == nil ? try node.list("codeOffers", ConfiguredOffer.init(oneTimeCode:)) : []
        subscription = try group.map { (group) throws(StoreKitConfigurationError) in
            try Subscription(node, group)
        }
    }

    /// A product in the wrong list is an error, because the App Store would sell it as something else.
    private static func type(
        _ product: ConfigurationNode, isInGroup: Bool
    ) throws(StoreKitConfigurationError) -> Product.ProductType {
        // In a group there is only one type.
        if isInGroup, try product.member("type") == nil { return .autoRenewable }
        let node = try product.required("type")
        let name = try node.string()
        switch (name, isInGroup) {
        case ("Consumable", false): return .consumable
        case ("NonConsumable", false): return .nonConsumable
        case ("NonRenewingSubscription", false): return .nonRenewable
        case ("RecurringSubscription", true): return .autoRenewable
        default:
            let allowed =
                isInGroup
                ? "RecurringSubscription" : "Consumable, NonConsumable or NonRenewingSubscription"
            throw node.error("\"\(name.abbreviated())\" is not a type of product here: \(allowed)")
        }
    }

    /// A length of time that is written by ISO 8601.
    ///
    /// - Parameter allowed: the lengths in the units that Xcode writes.
    static func period(
        _ node: ConfigurationNode, among allowed: Set<String>
    ) throws(StoreKitConfigurationError) -> Product.SubscriptionPeriod {
        let text = try node.string()
        // The same lengths, in the units that Xcode writes.
        let usual = ["P7D": "P1W", "P14D": "P2W", "P12M": "P1Y"][text] ?? text
        guard allowed.contains(usual), let period = Product.SubscriptionPeriod(iso8601: usual) else {
            throw node.error(
                "\"\(text.abbreviated())\" is not a length that the App Store has: \(allowed.sorted().joined(separator: ", "))"
            )
        }
        return period
    }
}

extension ConfiguredProduct.Subscription {
    fileprivate init(
        _ node: ConfigurationNode, _ group: (id: String, name: String)
    ) throws(StoreKitConfigurationError) {
        groupID = group.id
        groupName = group.name
        if let named = try node.member("subscriptionGroupID"), try named.string() != group.id {
            throw named.error("the subscription is in the group \"\(group.id.abbreviated())\"")
        }
        groupLevel = try node.integer("groupNumber") ?? 1
        guard groupLevel > 0 else {
            throw StoreKitConfigurationError("\(node.path).groupNumber", "levels count from 1 on")
        }
        period = try ConfiguredProduct.period(
            node.required("recurringSubscriptionPeriod"), among: ConfiguredProduct.periods)
        introductoryOffer = try Self.introductoryOffer(node)
        promotionalOffers = try Self.offers("adHocOffers", .promotional, node)
        codeOffers = try Self.offers("codeOffers", .code, node)
        winBackOffers = try Self.offers("winbackOffers", .winBack, node)
        monthlyPlan = try Self.monthlyPlan(node)
    }

    /// Since version 5 there is a list with one offer for each billing plan. The one for plans that are billed up
    /// front is often repeated beside the list, where it stood before.
    private static func introductoryOffer(
        _ node: ConfigurationNode
    ) throws(StoreKitConfigurationError) -> ConfiguredOffer? {
        if let single = try node.member("introductoryOffer"),
            let offer = try ConfiguredOffer(single, .introductory)
        {
            return offer
        }
        return try offers("introductoryOffers", .introductory, node).first
    }

    /// An offer without a mode of payment is left out.
    private static func offers(
        _ name: String, _ type: Transaction.OfferType, _ node: ConfigurationNode
    ) throws(StoreKitConfigurationError) -> [ConfiguredOffer] {
        var offers: [ConfiguredOffer] = []
        for node in try node.list(name) {
            guard let offer = try ConfiguredOffer(node, type) else { continue }
            offers.append(offer)
        }
        // Purchases here are billed up front.
        return offers.filter { $0.billingPlan != "MONTHLY" } + offers.filter { $0.billingPlan == "MONTHLY" }
    }

    private static func monthlyPlan(
        _ node: ConfigurationNode
    ) throws(StoreKitConfigurationError) -> ConfiguredProduct.MonthlyPlan? {
        // The other plan, which is billed up front, is the subscription's own price.
        for plan in try node.list("billingPlans") {
            let isEnabled = try plan.bool("isEnabled") ?? true
            let type = try plan.string("billingPlanType")
            guard isEnabled, type == "MONTHLY" else { continue }
            let price = try plan.price("displayPrice") ?? 0
            let whole = try plan.price("commitmentDisplayPrice")
            return ConfiguredProduct.MonthlyPlan(price: price, commitmentPrice: whole ?? price * 12)
        }
        return nil
    }
}
