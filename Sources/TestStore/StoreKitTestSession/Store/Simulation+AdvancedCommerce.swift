internal import StoreKitVerify
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What an app's server changes through the Advanced Commerce API. One item stands for the subscription's product.
extension Simulation {
    /// The description of a subscription that an app's server manages.
    struct AdvancedCommerce: Hashable, Sendable {
        let requestReferenceID: UUID
        var displayName: String
        var description: String
        /// In thousandths of the currency's unit.
        var price: Int
        /// The price that the customer was told of; `nil` if none is to come.
        var nextPrice: Int?
    }

    /// Moves a subscription to the Advanced Commerce API.
    mutating func migrate(_ index: Int) throws(StoreRefusal) {
        try checkIsOwn(index)
        guard subscriptions[index].advancedCommerce == nil else {
            throw .notAllowed("the subscription is managed by the Advanced Commerce API already")
        }
        let product = product(ofSubscription: index)
        let names = product.localizations.first
        subscriptions[index].advancedCommerce = AdvancedCommerce(
            requestReferenceID: makeUUID(), displayName: names?.displayName ?? product.id,
            description: names?.description ?? "", price: transactions[subscriptions[index].latest].price)
        try notify(.migration, nil, subscription: index)
    }

    /// Gives a managed subscription another name.
    mutating func updateMetadata(_ index: Int, displayName: String) throws(StoreRefusal) {
        try checkIsManaged(index)
        subscriptions[index].advancedCommerce?.displayName = displayName
        try notify(.metadataUpdate, nil, subscription: index)
    }

    /// Gives a managed subscription another price, from the next renewal on.
    mutating func changePrice(_ index: Int, to price: Int) throws(StoreRefusal) {
        try checkIsManaged(index)
        subscriptions[index].advancedCommerce?.nextPrice = price
        subscriptions[index].price = price
        try notify(.priceChange, nil, subscription: index)
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
    func advancedCommerceInfo(of transaction: TransactionRecord) -> ObjectText? {
        guard let info = transaction.subscription.flatMap({ subscriptions[$0].advancedCommerce }) else {
            return nil
        }
        let tax = transaction.price * Self.taxRate.dividend / Self.taxRate.divisor
        var object = ObjectText()
        object.add("descriptors", info.descriptors)
        object.add("estimatedTax", tax)
        object.add("items", all: [info.item(transaction.product.id, price: transaction.price)])
        object.add("period", transaction.product.subscription?.period.iso8601)
        object.add("requestReferenceId", info.requestReferenceID.uuidString.lowercased())
        object.add("taxCode", "C003-00-2")
        object.add("taxExclusivePrice", transaction.price - tax)
        object.add("taxRate", Self.taxRate.text)
        return object
    }

    /// `advancedCommerceInfo` of renewal information.
    func advancedCommerceInfo(of subscription: SubscriptionRecord) -> ObjectText? {
        guard let info = subscription.advancedCommerce else { return nil }
        var item = info.item(subscription.nextProduct.id, price: info.price)
        if let price = info.nextPrice {
            var increase = ObjectText()
            increase.add("dependentSKUs", all: [] as [String])
            increase.add("price", price)
            increase.add("status", "PENDING")
            item.add("priceIncreaseInfo", increase)
        }
        var object = ObjectText()
        object.add("consistencyToken", info.requestReferenceID.uuidString.lowercased())
        object.add("descriptors", info.descriptors)
        object.add("items", all: [item])
        object.add("period", subscription.nextProduct.subscription?.period.iso8601)
        object.add("requestReferenceId", info.requestReferenceID.uuidString.lowercased())
        object.add("taxCode", "C003-00-2")
        return object
    }
}

extension Simulation.AdvancedCommerce {
    /// The customer sees these words in place of the product's own.
    fileprivate var descriptors: ObjectText {
        var object = ObjectText()
        object.add("description", description)
        object.add("displayName", displayName)
        return object
    }

    fileprivate func item(_ sku: String, price: Int) -> ObjectText {
        var object = ObjectText()
        object.add("SKU", sku)
        object.add("description", description)
        object.add("displayName", displayName)
        object.add("price", price)
        return object
    }
}
