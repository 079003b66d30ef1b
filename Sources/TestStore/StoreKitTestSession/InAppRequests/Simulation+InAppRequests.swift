internal import StoreKitVerify
internal import WireFormats

/// Purchases by requests of the Advanced Commerce API, which an app's server signs and the app hands to StoreKit.
extension Simulation {
    /// Whether an app's server may sell items by a product.
    ///
    /// A `.storekit` file does not say which products are generic. Any is, unless a test names them.
    func isGeneric(_ product: ConfiguredProduct) -> Bool {
        settings.genericProducts?.contains(product.id) ?? true
    }

    /// Does what a signed request says. Returns the place of the transaction that the customer has then.
    mutating func purchase(
        signed data: [UInt8], _ request: PurchaseRequest, by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        let product = try product(request.productID)
        guard request.quantity == 1, request.seats == nil, request.offer == nil, !request.isBilledMonthly
        else {
            throw .notAllowed(
                "an Advanced Commerce request sells one of each item: it has no quantity, seats, offer or plan"
            )
        }
        let signed = try InAppRequest(
            data, signedBy: try allServerKeys(), for: signer.app.bundleID,
            at: (request.beginning ?? now) / 1000)
        guard !requests.contains(nonce: signed.nonce) else {
            throw InAppRequest.unsigned("its nonce was used before")
        }
        let operation = try Self.reading(try InAppOperation(signed.body, in: customers[customer].region))
        guard !requests.contains(reference: operation.info.reference) else {
            throw .advancedCommerce(.repeatedRequestReferenceID, nil)
        }
        guard isGeneric(product) else {
            throw .advancedCommerce(.invalidSalable, "\"\(product.id)\" is not a generic product")
        }
        let place = try perform(operation, product, request, by: customer)
        requests.add(reference: operation.info.reference, nonce: signed.nonce)
        return place
    }

    private mutating func perform(
        _ operation: InAppOperation, _ product: ConfiguredProduct, _ request: PurchaseRequest,
        by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        var request = request
        request.appAccountToken = operation.info.appAccountToken ?? request.appAccountToken
        try checkOffers(operation.terms.items, product)
        let terms = AdvancedCommerce(
            requestReferenceID: operation.info.reference, present: operation.terms,
            next: operation.terms.afterPeriod)
        switch operation.kind {
        case .charge: return try charge(terms, product, request, by: customer)
        case .subscription(let period, let previous):
            return try subscribe(terms, product, request, by: customer, period: period, after: previous)
        case .reactivation(let identifier, let items):
            return try reactivate(identifier, items, product, operation.info, by: customer)
        case .modification(let change):
            return try modify(change, product, request, operation.info, by: customer)
        }
    }

    /// The App Store's own key, and those that its API was opened with.
    private func allServerKeys() throws(StoreRefusal) -> [ServerAPIKey] {
        do throws(SigningFailure) {
            return requests.serverKeys + [try ServerAPIKey(of: signer.authority)]
        } catch {
            throw .notAllowed(error.description)
        }
    }

    static func reading<Value>(
        _ value: @autoclosure () throws(AdvancedCommerceCode) -> Value
    ) throws(StoreRefusal) -> Value {
        try translating(try value()) { (code: AdvancedCommerceCode) in
            StoreRefusal.advancedCommerce(code, nil)
        }
    }

    /// An offer of an item has the length of the subscription's periods. Apple's pages allow others, and do not say when
    /// the items are billed then.
    func checkOffers(_ items: [AdvancedCommerce.Item], _ product: ConfiguredProduct) throws(StoreRefusal) {
        let period = product.subscription?.period.iso8601
        for offer in items.compactMap(\.offer) where offer.period != period {
            throw .advancedCommerce(
                .invalidOfferPeriod,
                "an offer of \"\(product.id)\" has the period \(period ?? ""), not \(offer.period)")
        }
    }

    // MARK: - Operations

    /// Sells an item once.
    private mutating func charge(
        _ terms: AdvancedCommerce, _ product: ConfiguredProduct, _ request: PurchaseRequest,
        by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        guard product.subscription == nil else {
            throw .advancedCommerce(
                .invalidSalable, "\"\(product.id)\" renews, and a one-time charge does not")
        }
        let skus = terms.present.items.map(\.sku)
        let isOwned =
            product.type == .nonConsumable
            && purchases[customer].transactions.contains { place in
                purchases[place].product.id == product.id && purchases[place].revocation == nil
                    && purchases.soldTerms[place]?.present.items.map(\.sku) == skus
            }
        guard !isOwned else { throw .advancedCommerce(.productAlreadyExists, nil) }
        try checkPayment(of: customer)
        let place = purchases.add(
            oneTimeTransaction(request, product, nil, price: terms.present.price, by: customer),
            soldBy: terms)
        try notify(.oneTimeCharge, transaction: place)
        return place
    }

    /// Begins a subscription with items of the app's server, or begins it again after it has ended.
    private mutating func subscribe(
        _ terms: AdvancedCommerce, _ product: ConfiguredProduct, _ request: PurchaseRequest,
        by customer: CustomerPlace,
        period: String, after previous: UInt64?
    ) throws(StoreRefusal) -> TransactionPlace {
        guard let subscription = product.subscription else {
            throw .advancedCommerce(.invalidSalable, "\"\(product.id)\" does not renew")
        }
        guard subscription.period.iso8601 == period else {
            throw .advancedCommerce(
                .invalidSalableDuration,
                "the period of \"\(product.id)\" is \(subscription.period.iso8601)")
        }
        let existing = purchases[customer].subscriptions[subscription.groupID]
        if let previous {
            let place = try? purchases.place(of: previous)
            guard let existing, place.flatMap({ purchases[$0].subscription }) == existing else {
                throw .advancedCommerce(.invalidPreviousTransactionID, nil)
            }
        }
        guard let existing else {
            return try begin(request, product, subscription, nil, by: customer, terms)
        }
        guard purchases[existing].isEnded else {
            throw .advancedCommerce(.subscriptionAlreadyExists, nil)
        }
        return try resubscribe(existing, to: product, nil, request, terms)
    }

    /// The active subscription of a transaction, which an app's server manages and the customer bought.
    func managedSubscription(
        of identifier: UInt64, by customer: CustomerPlace
    ) throws(StoreRefusal) -> (index: SubscriptionPlace, managed: AdvancedCommerce) {
        guard let place = try? purchases.place(of: identifier), purchases[place].customer == customer else {
            throw .advancedCommerce(.transactionIDNotFound, nil)
        }
        guard let index = purchases[place].subscription,
            let managed = purchases[index].advancedCommerce, purchases[index].sharedFrom == nil
        else { throw .advancedCommerce(.subscriptionNotEligible, nil) }
        guard case .active = purchases[index].phase else { throw .advancedCommerce(.inactiveACASub, nil) }
        return (index, managed)
    }

    /// Turns the renewal of a subscription on again, with all of its items or some.
    private mutating func reactivate(
        _ identifier: UInt64, _ skus: [String]?, _ product: ConfiguredProduct,
        _ info: AdvancedCommerceRequestInfo,
        by customer: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        let found = try managedSubscription(of: identifier, by: customer)
        var (index, managed) = found
        guard purchases.product(ofSubscription: index).id == product.id else {
            throw .advancedCommerce(.subscriptionNotEligible, nil)
        }
        guard !purchases[index].renews else {
            throw .advancedCommerce(.subscriptionAlreadyActive, nil)
        }
        if let skus {
            guard skus.allSatisfy({ sku in managed.next.items.contains { $0.sku == sku } }) else {
                throw .advancedCommerce(.invalidProduct, nil)
            }
            managed.next.items.removeAll { !skus.contains($0.sku) }
        }
        managed.requestReferenceID = info.reference
        purchases[index].advancedCommerce = managed
        purchases[index].price = managed.next.price
        try resume(index)
        return purchases[index].latest
    }
}
