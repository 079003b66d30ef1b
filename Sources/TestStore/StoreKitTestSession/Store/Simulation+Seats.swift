internal import StoreKitVerify
internal import WireFormats

/// Subscriptions that are bought for several people.
///
/// Apple's page "Supporting multiseat subscriptions" (2026): seats that are added make another transaction of the same
/// period, fewer seats begin with the next one, and a refund of seats leaves the transaction as it is.
extension Simulation {
    /// The seats that a subscription has in its present period, without those that a refund took back.
    package func seats(ofPeriod subscription: SubscriptionRecord) -> Int {
        subscription.period.reduce(0) { sum, place in
            guard let seats = purchases[place].seats, purchases[place].revocation == nil else {
                return sum
            }
            return sum + seats.left
        }
    }

    /// Whether a product can be bought for so many people.
    func checkSeats(_ count: Int, of product: ConfiguredProduct, isMonthly: Bool) throws(StoreRefusal) {
        guard settings.seatSale != nil, product.subscription != nil else {
            throw .purchase(
                .multiSeatPurchaseDisabled, "\"\(product.id)\" is not sold for several people at once")
        }
        guard (1...SeatSale.limit).contains(count) else {
            throw .purchase(.invalidQuantity, "a subscription has 1 to \(SeatSale.limit) seats")
        }
        // Apple's pages say nothing of seats under a commitment.
        guard !isMonthly else {
            throw .purchase(
                .productUnavailable, "a plan that is billed monthly is not sold for several people")
        }
    }

    /// The seats of a period that begins; `nil` for a subscription of one person.
    ///
    /// - Parameters:
    ///   - price: of a seat, in thousandths of the currency's unit.
    ///   - isRegular: whether it is the product's own price, beside which the tiers hold.
    func nextSeats(
        of subscription: SubscriptionRecord, price: Int, isRegular: Bool
    ) -> PurchasedSeats? {
        guard let count = subscription.nextSeats, let sale = subscription.seatSale else { return nil }
        return PurchasedSeats(sale, count, after: 0, price: price, isRegular: isRegular)
    }

    // MARK: - Changes

    /// Buys seats for the rest of the period. Returns the place of the transaction that stands for them.
    ///
    /// - Parameter total: the seats that there are afterwards.
    @discardableResult
    mutating func buySeats(_ index: SubscriptionPlace, total: Int) throws(StoreRefusal) -> TransactionPlace {
        let (subscription, present) = try subscriptionWithSeats(index)
        let count = seats(ofPeriod: subscription)
        guard total >= count else {
            throw .purchase(
                .seatReductionNotAllowed,
                "the subscription has \(count) seats: fewer can begin with the next period alone")
        }
        guard total > count, total <= SeatSale.limit, let sale = subscription.seatSale else {
            throw .notAllowed("the subscription has \(count) seats: it cannot get \(total)")
        }
        try checkPayment(of: subscription.customer)
        let unit = presentPrice(subscription)
        var added = PurchasedSeats(
            sale, total - count, after: count, price: unit, isRegular: subscription.price == nil)
        added.isOneOfSeveral = true
        let place = purchases.add(
            TransactionRecord(
                id: purchases.nextTransactionID, originalID: subscription.originalID,
                webOrderLineItemID: purchases.makeLineItem(), customer: subscription.customer,
                product: present.product, quantity: added.quantity, purchaseDate: now,
                originalPurchaseDate: subscription.originalPurchaseDate, expiresDate: present.expiresDate,
                isRenewal: false, isFamilyShared: false, offer: nil, price: added.price,
                appAccountToken: subscription.appAccountToken, subscription: index, seats: added,
                modificationDate: now))
        purchases[index].period.append(place)
        for place in purchases[index].period { purchases[place].seats?.isOneOfSeveral = true }
        purchases[index].nextSeats = (subscription.nextSeats ?? count) + total - count
        try notify(.didChangeRenewalPref, .increaseQuantity, transaction: place)
        return place
    }

    /// Changes how many seats the next period has: fewer than now, or some of those that were to end after all.
    mutating func setNextSeats(_ index: SubscriptionPlace, _ count: Int) throws(StoreRefusal) {
        let (subscription, _) = try subscriptionWithSeats(index)
        let (present, next) = (seats(ofPeriod: subscription), subscription.nextSeats ?? 0)
        guard (1...max(1, present)).contains(count), count != next else {
            throw .notAllowed(
                "the subscription has \(present) seats, and \(next) after the renewal: it cannot renew with \(count)"
            )
        }
        purchases[index].nextSeats = count
        try notify(
            .didChangeRenewalPref, count < next ? .decreaseQuantity : .increaseQuantity, subscription: index)
    }

    /// Takes back some seats of a transaction, or all of them, which is a refund of the transaction.
    mutating func refundSeats(_ place: TransactionPlace, _ count: Int) throws(StoreRefusal) {
        guard let seats = purchases[place].seats, purchases[place].revocation == nil,
            !purchases[place].isFamilyShared
        else { throw .notAllowed("transaction \(purchases[place].id) stands for no seats") }
        let left = seats.left
        guard (1...max(1, left)).contains(count) else {
            throw .notAllowed(
                "transaction \(purchases[place].id) has \(left) seats: \(count) cannot be refunded")
        }
        guard count < left else { return try refund(place) }
        purchases[place].seats?.revoked += count
        purchases[place].modificationDate = now
        try notify(.refund, .seats, transaction: place)
        if let index = purchases[place].subscription { try unclaimLostSeats(index) }
    }

    private func subscriptionWithSeats(
        _ index: SubscriptionPlace
    ) throws(StoreRefusal) -> (SubscriptionRecord, TransactionRecord) {
        try checkIsOwn(index)
        let present = purchases[purchases[index].latest]
        guard case .active = purchases[index].phase, present.seats != nil else {
            throw .notAllowed("the customer has no active subscription with several seats")
        }
        return (purchases[index], present)
    }

    // MARK: - Payloads

    /// `multiSeatInfo` of a transaction. Only the purchaser's one names the seats that were taken back.
    func multiSeatInfo(of transaction: TransactionRecord) -> ObjectText? {
        guard let seats = transaction.seats else { return nil }
        var info = ObjectText()
        info.add("invitationManagement", seats.invitationManagement.rawValue)
        info.add("priceTiers", all: seats.tiers.map(\.object))
        let isOwn = !transaction.isFamilyShared && seats.revoked > 0
        info.add("revokedSeatQuantity", isOwn ? seats.revoked : nil)
        return info
    }

    /// `multiSeatInfo` of renewal information.
    func multiSeatInfo(atRenewal seats: PurchasedSeats?) -> ObjectText? {
        guard let seats else { return nil }
        var info = ObjectText()
        info.add("renewalPriceTiers", all: seats.tiers.map(\.object))
        return info
    }
}

extension PurchasedSeats {
    /// - Parameters:
    ///   - first: the seats of the period that there are already.
    ///   - isRegular: whether `price` is the product's own price, beside which the tiers hold.
    fileprivate init(_ sale: SeatSale, _ count: Int, after first: Int, price: Int, isRegular: Bool) {
        invitationManagement = sale.invitationManagement
        tiers =
            isRegular && !sale.tiers.isEmpty
            ? sale.tiers(count, after: first)
            : [Tier(price: min(price, SeatSale.highestPrice), quantity: count)]
    }
}

extension PurchasedSeats.Tier {
    fileprivate var object: ObjectText {
        var object = ObjectText()
        object.add("price", price)
        object.add("quantity", quantity)
        return object
    }
}
