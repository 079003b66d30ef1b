package import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The changes that an app's server makes through the Advanced Commerce API.
extension Simulation {
    /// Moves a subscription to the Advanced Commerce API.
    mutating func migrate(_ index: SubscriptionPlace) throws(StoreRefusal) {
        try checkIsOwn(index)
        guard purchases[index].advancedCommerce == nil else {
            throw .notAllowed("the subscription is managed by the Advanced Commerce API already")
        }
        let product = purchases.product(ofSubscription: index)
        let names = product.localizations.first
        let (name, description) = (names?.displayName ?? product.id, names?.description ?? "")
        let item = AdvancedCommerce.Item(
            sku: product.id, displayName: name, description: description,
            price: purchases[purchases[index].latest].price)
        let terms = AdvancedCommerce.Terms(displayName: name, description: description, items: [item])
        try manage(index, by: makeUUID(), terms, next: terms)
    }

    /// Gives a managed subscription another name.
    mutating func updateMetadata(_ index: SubscriptionPlace, displayName: String) throws(StoreRefusal) {
        var managed = try managed(index)
        managed.present.displayName = displayName
        managed.next.displayName = displayName
        try changeWords(index, to: managed)
    }

    /// Gives a managed subscription terms with other words.
    package mutating func changeWords(
        _ index: SubscriptionPlace, to managed: AdvancedCommerce
    ) throws(StoreRefusal) {
        purchases[index].advancedCommerce = managed
        try notify(.metadataUpdate, nil, subscription: index)
    }

    /// Gives a managed subscription another price, from the next renewal on.
    mutating func changePrice(_ index: SubscriptionPlace, to price: Int) throws(StoreRefusal) {
        let items = try managed(index).next.items
        guard items.count == 1 else {
            throw .notAllowed("the subscription has several items: its server says which price changes")
        }
        try changePrices(index, to: [items[0].sku: (price, [])])
    }

    // MARK: - What an app's server asks for

    /// Has an app's server manage a subscription.
    package mutating func manage(
        _ index: SubscriptionPlace, by request: UUID, _ present: AdvancedCommerce.Terms,
        next: AdvancedCommerce.Terms
    ) throws(StoreRefusal) {
        purchases[index].advancedCommerce = AdvancedCommerce(
            requestReferenceID: request, present: present, next: next)
        try notify(.migration, nil, subscription: index)
    }

    /// Gives items other prices, from the next renewal on.
    ///
    /// - Parameters:
    ///   - prices: by the SKU, in thousandths of the currency's unit, with the items that follow.
    ///   - request: the request that asks for it; `nil` if there is none.
    package mutating func changePrices(
        _ index: SubscriptionPlace, to prices: [String: (price: Int, dependents: [String])],
        by request: UUID? = nil
    ) throws(StoreRefusal) {
        guard var terms = purchases[index].advancedCommerce?.next else { return }
        if let request { purchases[index].advancedCommerce?.requestReferenceID = request }
        for item in terms.items.indices {
            guard let new = prices[terms.items[item].sku] else { continue }
            terms.items[item].price = new.price
            terms.items[item].dependentSKUs = new.dependents
        }
        purchases[index].advancedCommerce?.next = terms
        purchases[index].price = terms.price
        try notify(.priceChange, nil, subscription: index)
    }

    /// Refunds items of a transaction. The transaction itself stays valid: only its items tell of the refund.
    ///
    /// An item that is revoked does not renew.
    package mutating func refund(_ refunds: [ItemRefund], of place: TransactionPlace) throws(StoreRefusal) {
        purchases[place].itemRefunds += refunds
        purchases[place].modificationDate = now
        let revoked = Set(refunds.filter(\.revokes).map(\.sku))
        guard let index = purchases[place].subscription else {
            guard !revoked.isEmpty else { return try notify(.refund, transaction: place) }
            // An item that is sold once is the whole transaction.
            let isAppsFault = refunds.contains { $0.reason == "FULFILLMENT_ISSUE" }
            return try refund(place, reason: isAppsFault ? .developerIssue : .other)
        }
        if purchases[index].latest == place, var terms = purchases[index].advancedCommerce?.next,
            !revoked.isEmpty
        {
            terms.items.removeAll { revoked.contains($0.sku) }
            purchases[index].advancedCommerce?.next = terms
            purchases[index].price = terms.price
        }
        try notify(.refund, transaction: place)
    }

    /// The terms of a subscription, which an app's server must manage.
    private func managed(_ index: SubscriptionPlace) throws(StoreRefusal) -> AdvancedCommerce {
        guard let managed = purchases[index].advancedCommerce else {
            throw .notAllowed(
                "the subscription is not managed by the Advanced Commerce API: migrate comes first")
        }
        return managed
    }

    // MARK: - Payloads

    /// The tax that the example payloads have: 20 % of the price before it.
    ///
    /// A sixth of a price with 20 % of tax is tax.
    private static let taxRate = (text: "0.2", dividend: 1, divisor: 6)

    /// `advancedCommerceInfo` of a transaction.
    func advancedCommerceInfo(of place: TransactionPlace) -> ObjectText? {
        let transaction = purchases[place]
        guard let info = purchases.terms(ofTransaction: place) else { return nil }
        let tax = transaction.price * Self.taxRate.dividend / Self.taxRate.divisor
        let terms = info.present
        var object = ObjectText()
        // An item that is sold once has names of its own alone.
        if transaction.subscription != nil { object.add("descriptors", terms.descriptors) }
        object.add("estimatedTax", tax)
        object.add(
            "items",
            all: terms.items.map { item in
                // The price of a period before a change is the transaction's own.
                let unit = transaction.seats?.averagePrice ?? transaction.price
                let price = terms.items.count == 1 && item.offer == nil ? unit : item.price
                var object = item.object(price: price)
                let refunds = purchases[place].itemRefunds.filter { $0.sku == item.sku }
                if !refunds.isEmpty { object.add("refunds", all: refunds.map(\.object)) }
                object.add("revocationDate", refunds.first(where: \.revokes)?.date)
                return object
            })
        object.add("period", transaction.product.subscription?.period.iso8601)
        object.add("requestReferenceId", info.requestReferenceID.uuidString.lowercased())
        object.add("taxCode", terms.taxCode)
        object.add("taxExclusivePrice", transaction.price - tax)
        object.add("taxRate", Self.taxRate.text)
        return object
    }

    /// `advancedCommerceInfo` of renewal information.
    func advancedCommerceInfo(of subscription: SubscriptionRecord) -> ObjectText? {
        guard let info = subscription.advancedCommerce else { return nil }
        let prices = info.present.items.map { ($0.sku, $0.price) }
        let present = Dictionary(prices) { first, _ in first }
        var object = ObjectText()
        object.add("consistencyToken", info.consistencyToken)
        object.add("descriptors", info.next.descriptors)
        object.add("items", all: info.next.items.map { $0.renewal(presentPrice: present[$0.sku]) })
        object.add("period", subscription.nextProduct.subscription?.period.iso8601)
        object.add("requestReferenceId", info.requestReferenceID.uuidString.lowercased())
        object.add("taxCode", info.next.taxCode)
        return object
    }
}
