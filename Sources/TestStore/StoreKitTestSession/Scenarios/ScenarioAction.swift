internal import Essentials
internal import StoreKitVerify

/// An action of a scenario. A text names a product, a kind of product, or a transaction. Without a text, the action
/// concerns the customer's latest.
///
/// The command's help lists the words for each case. `ScenarioLine` reads them.
enum ScenarioAction: Hashable, Sendable {
    case buy(PurchaseRequest)
    case cancel(String?)
    case resume(String?)
    case renew(String?)
    case expire(String?)
    case endForOtherReasons(String?)
    case takeOffSale(String?)
    case failPayments
    /// Renewals cannot be paid for, and purchases can.
    case failRenewals
    case fixPayments
    case raisePrice(PriceChange, needsConsent: Bool)
    case agreeToPrice(String?)
    case declinePrice(String?)
    case requestRefund(String?, ConsumptionRequestReason)
    /// The share of the price in percent; the reason is the app's fault or another.
    case refund(String?, percent: Double, isAppsFault: Bool)
    case declineRefund(String?)
    case reverseRefund(String?)
    /// Another device restores the purchase.
    case restore(String?)
    /// The latest subscription goes on as another product under another original transaction.
    case move(to: String)
    case share(String?, with: String)
    case leaveFamily(String?)
    case seats(SeatAction)
    case extend(String?, days: Int)
    /// The product has to be named here: it decides whose subscriptions are extended.
    case extendAll(String, days: Int)
    case advancedCommerce(AdvancedCommerceAction)
    case testNotification
    case rescindConsent
    case externalPurchase(ServerNotification.Subtype)
    /// The end of the scenario.
    case end

    /// A new price, in the currency of the storefront or as an addition to the present one.
    enum PriceChange: Hashable, Sendable {
        case to(Decimal)
        case byPercent(Decimal)
    }
}

extension Simulation {
    /// Does an action for a customer.
    ///
    /// - Parameter customerNamed: the place of a customer, by a name of the scenario.
    /// - Throws: `StoreRefusal` for what the App Store does not allow in the present state.
    mutating func perform(
        _ action: ScenarioAction, by customer: CustomerPlace,
        customerNamed: (inout Simulation, String) throws(StoreRefusal) -> CustomerPlace
    ) throws(StoreRefusal) {
        switch action {
        case .buy(var request):
            request = try resolved(request, customer)
            try purchase(request, by: customer)
        case .cancel(let name): try cancel(subscription(named: name, of: customer))
        case .resume(let name): try resume(subscription(named: name, of: customer))
        case .renew(let name): try forceRenewal(subscription(named: name, of: customer))
        case .expire(let name): try expireNow(subscription(named: name, of: customer))
        case .endForOtherReasons(let name): try expireForOtherReasons(subscription(named: name, of: customer))
        case .takeOffSale(let name): try takeOffSale(subscription(named: name, of: customer))
        case .failRenewals: try setPaymentsFail(true, of: customer)
        case .failPayments, .fixPayments: try setAllPaymentsFail(action == .failPayments, of: customer)
        case .raisePrice(let price, let needsConsent):
            let index = try subscription(named: nil, of: customer)
            // Payloads have prices in thousandths of the currency.
            let present = Decimal(presentPrice(purchases[index])) / 1000
            let new =
                switch price {
                case .to(let price): price
                case .byPercent(let percent): present * (100 + percent) / 100
                }
            try raisePrice(index, to: new.milliunits, needsConsent: needsConsent)
        case .agreeToPrice(let name): try agreeToPrice(subscription(named: name, of: customer))
        case .declinePrice(let name): try declinePrice(subscription(named: name, of: customer))
        case .requestRefund(let name, let reason):
            try requestRefund(of: transaction(named: name, of: customer), reason: reason)
        case .refund(let name, let percent, let isAppsFault):
            try refund(
                transaction(named: name, of: customer), reason: isAppsFault ? .developerIssue : .other,
                // Apple's unit: 100 000 is the whole price.
                percentage: Int(percent * 1000))
        case .declineRefund(let name): try declineRefund(of: transaction(named: name, of: customer))
        case .reverseRefund(let name): try reverseRefund(of: transaction(named: name, of: customer))
        case .restore(let name): try restoreElsewhere(transaction(named: name, of: customer))
        case .move(let name):
            let index = try subscription(named: nil, of: customer)
            try move(index, to: product(resolve(name, customer)))
        case .share(let name, let member):
            let place = try transaction(named: name, of: customer)
            _ = try share(place, with: try customerNamed(&self, member))
        case .leaveFamily(let name): try stopSharing(transaction(named: name, of: customer))
        case .seats(let action): try perform(action, by: customer, customerNamed: customerNamed)
        case .extend(let name, let days):
            let index = try subscription(named: name, of: customer)
            _ = try translating(try extend(index, by: days), \ExtensionRefusal.refusal)
        case .extendAll(let name, let days):
            let request = makeUUID().uuidString.lowercased()
            _ = try extendAll(
                of: resolve(name, customer), by: days, requestIdentifier: request, storefronts: nil)
        case .advancedCommerce(let action): try perform(action, by: customer)
        case .testNotification: try notifyOfTest()
        case .rescindConsent: try rescindConsent(of: customer)
        case .externalPurchase(let subtype): try notifyOfExternalPurchase(subtype, of: customer)
        case .end: break
        }
    }

    // MARK: - Names

    /// The subscription that a name means: to a product, or the customer's latest.
    func subscription(
        named name: String?, of customer: CustomerPlace
    ) throws(StoreRefusal) -> SubscriptionPlace {
        if let name { return try subscription(to: resolve(name, customer), of: customer) }
        let latest = purchases[customer].transactions.last { purchases[$0].subscription != nil }
        guard let index = latest.flatMap({ purchases[$0].subscription }) else {
            throw .notAllowed("the customer has no subscription")
        }
        return index
    }

    /// The transaction that a name means: `latest`, `previous`, `first`, a product's latest, or an identifier.
    func transaction(
        named name: String?, of customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        let places = purchases[customer].transactions
        let place: TransactionPlace?
        switch name {
        case nil, "latest": place = places.last
        case "previous": place = places.dropLast().last
        case "first": place = places.first
        case .some(let name):
            if let id = UInt64(name) { return try purchases.place(of: id) }
            let product = try resolve(name, customer)
            place = places.last { purchases[$0].product.id == product }
        }
        guard let place else { throw .notAllowed("the customer has no such transaction") }
        return place
    }

    private func resolved(
        _ request: PurchaseRequest, _ customer: CustomerPlace
    ) throws(StoreRefusal) -> PurchaseRequest {
        let id = try resolve(request.productID, customer)
        var resolved = request
        resolved.productID = id
        let product = try product(id)
        let subscription = product.subscription
        let existing = subscription.flatMap { purchases[customer].subscriptions[$0.groupID] }
        // "any" is the first offer of its kind that the customer may use.
        switch request.offer {
        case .promotional("any"):
            resolved.offer = .promotional(try first(subscription?.promotionalOffers, id, existing))
        case .code("any"):
            resolved.offer = .code(try first(subscription?.codeOffers ?? product.codeOffers, id, existing))
        case .winBack("any"):
            resolved.offer = .winBack(try first(subscription?.winBackOffers, id, existing))
        default: break
        }
        return resolved
    }

    /// The first offer that a customer may use; if there is none, the first of all, whose refusal says why.
    ///
    /// - Throws: `StoreRefusal.notAllowed` for a product without an offer of the kind.
    private func first(
        _ offers: [ConfiguredOffer]?, _ product: String, _ existing: SubscriptionPlace?
    ) throws(StoreRefusal) -> String {
        let usable = offers?.first { (try? checkEligibility(for: $0, existing)) != nil }
        guard let id = (usable ?? offers?.first)?.id else {
            throw .notAllowed("\"\(product)\" has no offer of that kind")
        }
        return id
    }

    /// The product that a name means: its identifier, or a kind such as `$consumable`.
    func resolve(_ name: String, _ customer: CustomerPlace) throws(StoreRefusal) -> String {
        guard name.hasPrefix("$") else { return try product(name).id }
        // The subscription of the customer's latest transaction.
        let index = purchases[customer].allSubscriptions.max {
            purchases[$0].latest < purchases[$1].latest
        }
        let present = index.map { purchases.product(ofSubscription: $0) }
        guard let product = catalog.product(named: name, beside: present) else {
            throw .notAllowed("the .storekit file has no product of the kind \(name)")
        }
        return product.id
    }
}

extension StoreKitConfiguration {
    /// The first product that a name of a scenario means: an identifier, or a kind such as `$consumable`.
    ///
    /// - Parameter present: the product of the customer's subscription, beside which others are higher or lower.
    func product(named name: String, beside present: ConfiguredProduct? = nil) -> ConfiguredProduct? {
        guard name.hasPrefix("$") else { return product(name) }
        return products.first { product in
            switch name {
            case "$with-higher", "$with-lower", "$with-higher-offer", "$with-lower-offer":
                products.contains {
                    $0.isMeant(by: "$" + name.dropFirst("$with-".count), beside: product)
                }
            default: product.isMeant(by: name, beside: present)
            }
        }
    }
}

extension ConfiguredProduct {
    /// Whether a name of a scenario means the product.
    ///
    /// - Parameter present: the product of the customer's subscription, beside which others are higher or lower.
    fileprivate func isMeant(by name: String, beside present: ConfiguredProduct?) -> Bool {
        let level = subscription?.groupLevel ?? 0
        let isSameGroup = subscription != nil && subscription?.groupID == present?.subscription?.groupID
        switch name {
        case "$subscription": return subscription != nil
        case "$paid": return subscription != nil && price > 0
        case "$trial": return subscription?.introductoryOffer != nil
        case "$promotional": return subscription?.promotionalOffers.isEmpty == false
        case "$code": return subscription?.codeOffers.isEmpty == false
        case "$one-time-code": return !codeOffers.isEmpty
        case "$win-back": return subscription?.winBackOffers.contains(where: \.isEligible) == true
        case "$monthly-plan": return subscription?.monthlyPlan != nil
        case "$shareable": return isFamilyShareable && subscription != nil
        case "$shareable-product": return isFamilyShareable && type == .nonConsumable
        // Level 1 is the highest: an upgrade has a smaller number.
        case "$higher": return isSameGroup && level < present?.subscription?.groupLevel ?? 0
        case "$lower": return isSameGroup && level > present?.subscription?.groupLevel ?? .max
        // A level with a promotional offer, which a subscriber of the group can redeem.
        case "$higher-offer", "$lower-offer":
            return isMeant(by: String(name.dropLast("-offer".count)), beside: present)
                && isMeant(by: "$promotional", beside: present)
        case "$present": return id == present?.id
        case "$consumable": return type == .consumable
        case "$non-consumable": return type == .nonConsumable
        case "$non-renewing": return type == .nonRenewable
        default: return false
        }
    }
}
