package import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The changes that an app's server makes through the Advanced Commerce API.
extension Simulation {
    /// Moves a subscription to the Advanced Commerce API.
    mutating func migrate(_ index: Int) throws(StoreRefusal) {
        try checkIsOwn(index)
        guard subscriptions[index].advancedCommerce == nil else {
            throw .notAllowed("the subscription is managed by the Advanced Commerce API already")
        }
        let product = product(ofSubscription: index)
        let names = product.localizations.first
        let (name, description) = (names?.displayName ?? product.id, names?.description ?? "")
        let item = AdvancedCommerce.Item(
            sku: product.id, displayName: name, description: description,
            price: transactions[subscriptions[index].latest].price)
        let terms = AdvancedCommerce.Terms(displayName: name, description: description, items: [item])
        try manage(index, by: makeUUID(), terms, next: terms)
    }

    /// Gives a managed subscription another name.
    mutating func updateMetadata(_ index: Int, displayName: String) throws(StoreRefusal) {
        try checkIsManaged(index)
        subscriptions[index].advancedCommerce?.present.displayName = displayName
        subscriptions[index].advancedCommerce?.next.displayName = displayName
        try notify(.metadataUpdate, nil, subscription: index)
    }

    /// Gives a managed subscription another price, from the next renewal on.
    mutating func changePrice(_ index: Int, to price: Int) throws(StoreRefusal) {
        try checkIsManaged(index)
        guard let items = subscriptions[index].advancedCommerce?.next.items, items.count == 1 else {
            throw .notAllowed("the subscription has several items: its server says which price changes")
        }
        try changePrices(index, to: [items[0].sku: (price, [])])
    }

    // MARK: - What an app's server asks for

    /// Has an app's server manage a subscription.
    package mutating func manage(
        _ index: Int, by request: UUID, _ present: AdvancedCommerce.Terms, next: AdvancedCommerce.Terms
    ) throws(StoreRefusal) {
        subscriptions[index].advancedCommerce = AdvancedCommerce(
            requestReferenceID: request, present: present, next: next)
        try notify(.migration, nil, subscription: index)
    }

    /// Gives items other prices, from the next renewal on.
    ///
    /// - Parameter prices: by the SKU, in thousandths of the currency's unit, with the items that follow.
    package mutating func changePrices(
        _ index: Int, to prices: [String: (price: Int, dependents: [String])]
    ) throws(StoreRefusal) {
        guard var terms = subscriptions[index].advancedCommerce?.next else { return }
        for item in terms.items.indices {
            guard let new = prices[terms.items[item].sku] else { continue }
            terms.items[item].price = new.price
            terms.items[item].dependentSKUs = new.dependents
        }
        subscriptions[index].advancedCommerce?.next = terms
        subscriptions[index].price = terms.price
        try notify(.priceChange, nil, subscription: index)
    }

    /// Refunds items of a transaction. The transaction itself stays valid: only its items tell of the refund.
    ///
    /// An item that is revoked does not renew.
    package mutating func refund(_ refunds: [ItemRefund], of place: Int) throws(StoreRefusal) {
        itemRefunds[place, default: []] += refunds
        transactions[place].modificationDate = now
        let revoked = Set(refunds.filter(\.revokes).map(\.sku))
        guard let index = transactions[place].subscription else {
            guard !revoked.isEmpty else { return try notify(.refund, transaction: place) }
            // An item that is sold once is the whole transaction.
            let isAppsFault = refunds.contains { $0.reason == "FULFILLMENT_ISSUE" }
            return try refund(place, reason: isAppsFault ? .developerIssue : .other)
        }
        if subscriptions[index].latest == place, var terms = subscriptions[index].advancedCommerce?.next,
            !revoked.isEmpty
        {
            terms.items.removeAll { revoked.contains($0.sku) }
            subscriptions[index].advancedCommerce?.next = terms
            subscriptions[index].price = terms.price
        }
        try notify(.refund, transaction: place)
    }

    private func checkIsManaged(_ index: Int) throws(StoreRefusal) {
        guard subscriptions[index].advancedCommerce != nil else {
            throw .notAllowed(
                "the subscription is not managed by the Advanced Commerce API: migrate comes first")
        }
    }

    // MARK: - Payloads

    /// The tax that the example payloads have: 20 % of the price before it.
    ///
    /// A sixth of a price with 20 % of tax is tax.
    private static let taxRate = (text: "0.2", dividend: 1, divisor: 6)

    /// `advancedCommerceInfo` of a transaction.
    func advancedCommerceInfo(of place: Int) -> ObjectText? {
        let transaction = transactions[place]
        guard let info = terms(ofTransaction: place) else { return nil }
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
                let refunds = (itemRefunds[place] ?? []).filter { $0.sku == item.sku }
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
