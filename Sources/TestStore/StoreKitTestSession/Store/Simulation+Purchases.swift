internal import Essentials
internal import StoreKitVerify

/// A customer's choices in a purchase.
///
/// It comes from a scenario, from an app's `purchase(options:)` or from a test, and is judged here alone.
struct PurchaseRequest: Hashable, Sendable {
    var productID: String
    var quantity = 1
    var appAccountToken: UUID?
    /// The offer that the customer redeems; introductory offers are used without asking.
    var offer: OfferChoice?
    /// Whether the customer commits to a year that is billed month by month.
    var isBilledMonthly = false
    /// How many people the purchase is for, those of an earlier purchase included; `nil` for one person.
    var seats: Int?
    /// A request of the Advanced Commerce API that the app's server signed, as the app sends it: JSON.
    var advancedCommerceData: [UInt8]?
    /// When the customer began the purchase, in milliseconds since 1970; `nil` for the time of the purchase itself.
    var beginning: Int?
    /// Whether the app says that the customer may use the introductory offer, or not; `nil` to let the App Store decide.
    var introductoryOfferEligibility: Bool?

    /// An offer by the identifier or the name that the `.storekit` file gives it.
    enum OfferChoice: Hashable, Sendable {
        case promotional(String)
        case code(String)
        case winBack(String)
    }
}

extension Simulation {
    /// Charges a customer for a product. Returns the place of the transaction that the customer gets.
    ///
    /// - Throws: `StoreRefusal`; nothing was charged then.
    @discardableResult
    mutating func purchase(
        _ request: PurchaseRequest, by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        if let reason = Region.refusal(ofStorefront: customers[customer].region.code) {
            throw .notAllowed(reason)
        }
        if let data = request.advancedCommerceData {
            return try purchase(signed: data, request, by: customer)
        }
        let product = try product(request.productID)
        guard (1...10).contains(request.quantity), request.quantity == 1 || product.type == .consumable else {
            throw .purchase(.invalidQuantity, "only consumables can be bought several at a time, up to ten")
        }
        if let seats = request.seats {
            try checkSeats(seats, of: product, isMonthly: request.isBilledMonthly)
        }
        if let subscription = product.subscription {
            return try subscribe(request, product, subscription, by: customer)
        }
        let offer = try oneTimeOffer(of: request, product)
        if product.type == .nonConsumable,
            let owned = purchases[customer].transactions.last(where: {
                purchases[$0].product.id == product.id && purchases[$0].revocation == nil
            })
        {
            // A non-consumable is bought once: the App Store gives it again without a charge.
            return owned
        }
        try checkPayment(of: customer)
        let price = (offer?.price ?? product.price).milliunits * request.quantity
        let place = purchases.add(oneTimeTransaction(request, product, offer, price: price, by: customer))
        try notify(.oneTimeCharge, transaction: place)
        return place
    }

    /// The record of a purchase that does not renew: it is its own original.
    ///
    /// - Parameter price: of the whole quantity, in thousandths of the currency's unit.
    func oneTimeTransaction(
        _ request: PurchaseRequest, _ product: ConfiguredProduct, _ offer: ConfiguredOffer?, price: Int,
        by customer: CustomerPlace
    ) -> TransactionRecord {
        TransactionRecord(
            id: purchases.nextTransactionID, originalID: purchases.nextTransactionID, webOrderLineItemID: nil,
            customer: customer,
            product: product, quantity: request.quantity, purchaseDate: now, originalPurchaseDate: now,
            isRenewal: false, isFamilyShared: false, offer: offer, price: price,
            appAccountToken: request.appAccountToken, subscription: nil, modificationDate: now)
    }

    // MARK: - Subscriptions

    /// A purchase of a subscription: the first of its group, one after an end, the payment of an open bill, or a change.
    private mutating func subscribe(
        _ request: PurchaseRequest, _ product: ConfiguredProduct,
        _ subscription: ConfiguredProduct.Subscription, by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        let existing = purchases[customer].subscriptions[subscription.groupID]
        guard !request.isBilledMonthly || subscription.monthlyPlan != nil else {
            throw .purchase(.productUnavailable, "\"\(product.id)\" has no plan that is billed monthly")
        }
        let offer = try offer(of: request, subscription, to: customer, existing)
        guard let index = existing else {
            return try begin(request, product, subscription, offer, by: customer)
        }
        switch purchases[index].phase {
        case .expired, .revoked:
            return try resubscribe(index, to: product, offer, request)
        case .gracePeriod, .billingRetry:
            // The customer's purchase settles the bill.
            if purchases.product(ofSubscription: index).id == product.id {
                try checkPayment(of: customer)
                try recover(index)
                return purchases[index].latest
            }
            return try change(index, to: product, offer, request)
        case .active:
            let present = purchases[purchases[index].latest]
            if let seats = request.seats, present.seats != nil, present.product.id == product.id {
                return try buySeats(index, total: seats)
            }
            return try change(index, to: product, offer, request)
        }
    }

    /// A customer's first subscription of a group.
    ///
    /// - Parameter terms: what the app's server sells; `nil` for the product itself.
    mutating func begin(
        _ request: PurchaseRequest, _ product: ConfiguredProduct,
        _ subscription: ConfiguredProduct.Subscription, _ offer: ConfiguredOffer?, by customer: CustomerPlace,
        _ terms: AdvancedCommerce? = nil
    ) throws(StoreRefusal) -> TransactionPlace {
        try checkPayment(of: customer)
        let index = purchases.add(
            SubscriptionRecord(
                customer: customer, groupID: subscription.groupID, originalID: purchases.nextTransactionID,
                originalPurchaseDate: now, latest: purchases.nextPlace, nextProduct: product,
                price: terms?.present.price, recentStart: now, cycle: (now, 0), paidPeriods: 0,
                appAccountToken: request.appAccountToken, advancedCommerce: terms))
        choose(index, product, isMonthly: request.isBilledMonthly)
        chooseSeats(index, request.seats)
        startPeriod(index, of: product, at: now, offer: offer, isRenewal: false)
        try notify(.subscribed, .initialBuy, subscription: index)
        return purchases[index].latest
    }

    /// A subscription again, after it has ended.
    ///
    /// - Parameter terms: what the app's server sells; `nil` for the product itself.
    mutating func resubscribe(
        _ index: SubscriptionPlace, to product: ConfiguredProduct, _ offer: ConfiguredOffer?,
        _ request: PurchaseRequest,
        _ terms: AdvancedCommerce? = nil
    ) throws(StoreRefusal) -> TransactionPlace {
        try checkPayment(of: purchases[index].customer)
        if let token = request.appAccountToken { purchases[index].appAccountToken = token }
        choose(index, product, isMonthly: request.isBilledMonthly)
        purchases[index].seatSale = nil
        chooseSeats(index, request.seats)
        purchases[index].phase = .active
        purchases[index].willRenew = true
        purchases[index].priceIncrease = nil
        purchases.keepTerms(of: index)
        purchases[index].advancedCommerce = terms
        purchases[index].price = terms?.present.price
        purchases[index].isOffSale = false
        let end = purchases[purchases[index].latest].expiresDate ?? now
        if now - end > settings.timeRate.longestGap { purchases[index].recentStart = now }
        startPeriod(index, of: product, at: now, offer: offer, isRenewal: false)
        try notify(.subscribed, .resubscribe, subscription: index)
        return purchases[index].latest
    }

    /// Adds the transaction of a new period, and puts its end on the agenda.
    ///
    /// What renews after it stays as it was chosen.
    ///
    /// - Parameters:
    ///   - start: when the period begins, in milliseconds since 1970.
    ///   - offer: the offer of the period; `nil` for the price of the product.
    ///   - fixedEnd: when the period ends, in milliseconds since 1970; `nil` for its length in the product.
    mutating func startPeriod(
        _ index: SubscriptionPlace, of product: ConfiguredProduct, at start: Int, offer: ConfiguredOffer?,
        isRenewal: Bool,
        until fixedEnd: Int? = nil
    ) {
        let month = startMonth(index, of: product)
        let subscription = purchases[index]
        guard let period = month ?? product.subscription?.period else { return }
        // A subscription that begins has no transaction yet.
        let previous = subscription.period.isEmpty ? nil : purchases[subscription.latest]
        // Periods are counted from the beginning of their cycle. Counted one by one, a month from 31 January
        // would end on the 28th for ever.
        let continuesCycle =
            isRenewal && offer == nil && previous?.offer == nil && previous?.product.id == product.id
            && previous?.expiresDate == start && (previous?.commitment == nil) == (month == nil)
        var cycle = continuesCycle ? subscription.cycle : (start: start, periods: 0)
        cycle.periods += 1
        let end: Int
        switch offer {
        case .some(let offer) where offer.paymentMode != .payAsYouGo:
            end = settings.timeRate.end(of: offer.period, times: offer.periodCount, after: start)
        default: end = fixedEnd ?? settings.timeRate.end(of: period, times: cycle.periods, after: cycle.start)
        }
        let regular = month == nil ? product.price : product.subscription?.monthlyPlan?.price ?? product.price
        let unit = offer.map(\.price.milliunits) ?? subscription.price ?? regular.milliunits
        let seats = nextSeats(
            of: subscription, price: unit, isRegular: offer == nil && subscription.price == nil)
        let price = seats?.price ?? unit
        purchases[index].cycle = cycle
        updateCommitmentEnd(index)
        let transaction = TransactionRecord(
            id: purchases.nextTransactionID, originalID: subscription.originalID,
            webOrderLineItemID: purchases.makeLineItem(),
            customer: subscription.customer, product: product, quantity: seats?.quantity ?? 1,
            purchaseDate: start,
            originalPurchaseDate: subscription.originalPurchaseDate, expiresDate: end, isRenewal: isRenewal,
            isFamilyShared: subscription.sharedFrom != nil, offer: offer, price: price,
            appAccountToken: subscription.appAccountToken, subscription: index,
            commitment: purchases[index].commitment, seats: seats, modificationDate: now)
        let place = purchases.add(transaction)
        purchases[index].latest = place
        purchases[index].period = [place]
        purchases[index].periodNumber += 1
        purchases[index].gracePeriodEnd = nil
        purchases[index].renewals = isRenewal ? subscription.renewals + 1 : 0
        if price > 0 { purchases[index].paidPeriods += 1 }
        if !isRenewal { purchases[index].nextOffer = offer.flatMap(Self.rest) }
        if let managed = subscription.advancedCommerce, managed.next.price != managed.present.price {
            purchases[index].price = managed.next.price
        }
        purchases.schedule(index)
    }

    /// Has the next period be for several people, or for one. How seats are sold stays as it was at the first purchase.
    mutating func chooseSeats(_ index: SubscriptionPlace, _ seats: Int?) {
        purchases[index].nextSeats = seats
        if seats != nil, purchases[index].seatSale == nil { purchases[index].seatSale = settings.seatSale }
    }

    /// The rest of an offer after its first period.
    static func rest(of offer: ConfiguredOffer) -> SubscriptionRecord.RunningOffer? {
        guard offer.paymentMode == .payAsYouGo, offer.periodCount > 1 else { return nil }
        return SubscriptionRecord.RunningOffer(offer: offer, periods: offer.periodCount - 1)
    }

    /// A customer whose payments fail can buy nothing, not even what is free at first: the App Store asks for a way to pay.
    func checkPayment(of customer: CustomerPlace) throws(StoreRefusal) {
        guard !customers[customer].purchasesFail else { throw .notAllowed("the customer's payments fail") }
    }

    // MARK: - Offers

    /// The offer code that a purchase without a subscription uses.
    private func oneTimeOffer(
        of request: PurchaseRequest, _ product: ConfiguredProduct
    ) throws(StoreRefusal) -> ConfiguredOffer? {
        guard let choice = request.offer else { return nil }
        guard case .code(let name) = choice, let offer = product.codeOffers.first(where: { $0.id == name })
        else {
            throw .purchase(.invalidOfferIdentifier, "\"\(product.id)\" has no such offer")
        }
        return offer
    }

    /// The offer that a purchase uses: the one that the customer asks for, or else the introductory offer, if the
    /// customer may use it.
    private func offer(
        of request: PurchaseRequest, _ subscription: ConfiguredProduct.Subscription,
        to customer: CustomerPlace,
        _ existing: SubscriptionPlace?
    ) throws(StoreRefusal) -> ConfiguredOffer? {
        guard let choice = request.offer else {
            // The offers of a monthly plan are its own; files seldom have any, and none is used here.
            guard !request.isBilledMonthly else { return nil }
            let hasEnded = existing.map { purchases[$0].isEnded } ?? true
            let isEligible = !purchases[customer].groupsWithIntroductoryOffer.contains(subscription.groupID)
            guard hasEnded, request.introductoryOfferEligibility ?? isEligible else { return nil }
            return subscription.introductoryOffer
        }
        let (offers, id): ([ConfiguredOffer], String) =
            switch choice {
            case .promotional(let id): (subscription.promotionalOffers, id)
            case .code(let name): (subscription.codeOffers, name)
            case .winBack(let id): (subscription.winBackOffers, id)
            }
        guard let offer = offers.first(where: { $0.id == id }) else {
            throw .purchase(.invalidOfferIdentifier, "\"\(request.productID)\" has no such offer: \"\(id)\"")
        }
        try checkEligibility(for: offer, existing)
        return offer
    }

    /// The words for the customer's state are those of a `.storekit` file.
    func checkEligibility(for offer: ConfiguredOffer, _ existing: SubscriptionPlace?) throws(StoreRefusal) {
        let state =
            existing.map { purchases[$0].isEnded ? "expired" : "existing" } ?? "new"
        let allowed: Set<String>
        switch offer.type {
        // Apple's page: for existing and previously subscribed customers.
        case .promotional: allowed = ["existing", "expired"]
        case .winBack: allowed = offer.isEligible ? ["expired"] : []
        default: allowed = offer.eligibility.isEmpty ? ["new", "existing", "expired"] : offer.eligibility
        }
        guard allowed.contains(state) else {
            let reason =
                switch state {
                case "new": "the customer was never subscribed"
                case "expired": "the customer's subscription has ended"
                default: "the customer is subscribed"
                }
            throw .purchase(
                .ineligibleForOffer, "the offer \"\(offer.id ?? "")\" is not for this customer: \(reason)")
        }
    }

    /// The win-back offers that a subscription's customer may use, best first as the file has them.
    func eligibleWinBackOffers(_ subscription: SubscriptionRecord) -> [String] {
        guard subscription.isEnded, case .expired = subscription.phase else { return [] }
        let offers = purchases[subscription.latest].product.subscription?.winBackOffers ?? []
        return offers.filter(\.isEligible).compactMap(\.id)
    }
}

extension Decimal {
    /// The amount in thousandths of the currency's unit, rounded: the form of payloads.
    var milliunits: Int {
        let parts = "\(self * 1000)".split(separator: ".")
        guard let whole = parts.first.flatMap({ Int($0) }) else { return 0 }
        let roundsUp = parts.count == 2 && (parts[1].utf8.first ?? 0) >= UInt8(ascii: "5")
        return roundsUp ? whole + (whole < 0 ? -1 : 1) : whole
    }
}
