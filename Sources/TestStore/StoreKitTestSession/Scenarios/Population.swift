internal import StoreKitVerify
internal import WireFormats

/// Many customers with random lives: what each buys, when, whose payments fail, who cancels, changes and gets a refund.
///
/// `population 10000 for 1y products=plus:70%,seeds storefronts=USA:60%,DEU churn=3% upgrades=2%`.
///
/// A rate that is not named draws no random number, so a line with the old options alone gives the lives that it always
/// gave.
struct Population: Hashable, Sendable {
    /// The number of customers.
    let count: Int
    /// How long the lives last. Nothing begins after it.
    let duration: ScenarioTime
    /// The products that the customers buy: identifiers or kinds of products.
    let products: Mixture
    /// How they are billed for products that have both plans: `monthly` or `up-front`.
    let plans: Mixture
    /// Where they buy; `nil` for the App Store's own storefront.
    let storefronts: Mixture?
    let rates: Rates
    /// The line of the scenario, for messages.
    let line: Int

    /// Shares from 0 to 1.
    struct Rates: Hashable, Sendable {
        /// The share of customers who cancel in a month; so are the failures of payments, refunds, changes to a higher and
        /// to a lower product of the group, changes of the number of seats, moves to another original transaction, copies on
        /// other devices, and refunds of an app's own items.
        let churn, failures, refunds, upgrades, downgrades, seatChanges, moves, restores, itemRefunds: Double
        /// The share of failed payments that the customer mends.
        let recovery: Double
        /// The share of refunds that the customer disputes, so that they are taken back.
        let reversals: Double
        /// The share of customers who buy again after they cancelled or got a refund.
        let returns: Double
        /// The share of customers who begin with an offer code, where the product has one for them.
        let offers: Double
        /// The share of customers who share a purchase with a family, where the product allows it.
        let families: Double
        /// The share of customers who buy a subscription for several people.
        let seats: Double
        /// The share of customers who have two accounts of the app, and buy with either one's token.
        let accounts: Double
        /// The share of customers to whom the app's server sells items of its own.
        let items: Double
        /// The share of failed renewals in which the customer upgrades at a time when the old period is not paid for.
        let upgradesInGrace: Double
    }

    /// The largest population. Each customer takes some ten kilobytes for each year.
    private static let limit = 1_000_000

    private static let options: Set<Substring> = [
        "products", "plans", "storefronts", "churn", "failures", "recovery", "refunds", "reversals",
        "returns",
        "upgrades", "downgrades", "offers", "families", "seats", "seat-changes", "accounts", "items",
        "item-refunds",
        "moves", "restores", "upgrades-in-grace",
    ]

    init(_ line: ScenarioLine) throws(ScenarioError) {
        let words = line.words
        guard words.count == 4, words[2] == "for", let count = Int(words[1]),
            (1...Self.limit).contains(count),
            let duration = ScenarioTime(words[3])
        else {
            throw line.error("it is not of the form \"population 10000 for 1y\", with at most \(Self.limit)")
        }
        try line.checkOptions(Self.options, of: "population")
        self.count = count
        self.duration = duration
        self.line = line.number
        products = try line.mixture("products") ?? Mixture("$subscription")
        plans = try line.mixture("plans") ?? Mixture("up-front")
        for plan in plans.values where plan != "monthly" && plan != "up-front" {
            throw line.error("plans=\(plan.abbreviated()) is neither monthly nor up-front")
        }
        storefronts = try line.mixture("storefronts")
        for code in storefronts?.values ?? [] where !Region.isCode(code) {
            throw line.error("\"\(code.abbreviated())\" is not a storefront, such as USA")
        }
        rates = try Rates(line)
    }

    /// The products that the customers buy, by their names.
    ///
    /// - Throws: `ScenarioError` for a name that means no product of the file.
    func catalog(_ configuration: StoreKitConfiguration) throws(ScenarioError) -> [String: ConfiguredProduct]
    {
        var products: [String: ConfiguredProduct] = [:]
        for name in self.products.values {
            guard let product = configuration.product(named: name) else {
                let isKind = name.hasPrefix("$")
                throw ScenarioError(
                    line: line,
                    reason: isKind
                        ? "the .storekit file has no product of the kind \(name)"
                        : "the .storekit file has no product \"\(name.abbreviated())\"")
            }
            products[name] = product
        }
        return products
    }
}

extension Population.Rates {
    fileprivate init(_ line: ScenarioLine) throws(ScenarioError) {
        churn = try line.share("churn", default: 0.03)
        failures = try line.share("failures", default: 0.04)
        recovery = try line.share("recovery", default: 0.7)
        refunds = try line.share("refunds", default: 0.01)
        reversals = try line.share("reversals", default: 0)
        returns = try line.share("returns", default: 0)
        upgrades = try line.share("upgrades", default: 0)
        downgrades = try line.share("downgrades", default: 0)
        offers = try line.share("offers", default: 0)
        families = try line.share("families", default: 0)
        seats = try line.share("seats", default: 0)
        seatChanges = try line.share("seat-changes", default: 0)
        accounts = try line.share("accounts", default: 0)
        items = try line.share("items", default: 0)
        itemRefunds = try line.share("item-refunds", default: 0)
        moves = try line.share("moves", default: 0)
        restores = try line.share("restores", default: 0)
        upgradesInGrace = try line.share("upgrades-in-grace", default: 0)
    }
}
