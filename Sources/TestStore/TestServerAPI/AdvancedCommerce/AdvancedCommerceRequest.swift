internal import StoreKitTestSession
internal import WireFormats

/// The common part of all requests to the endpoints of the Advanced Commerce API, after it was checked: the transaction and
/// `requestInfo`.
struct AdvancedCommerceRequest {
    /// The members of the body.
    let body: JSONTree
    /// The transaction in the path.
    let place: TransactionPlace
    /// Its subscription; `nil` for an item that was sold once.
    let renewing: SubscriptionPlace?
    let info: AdvancedCommerceRequestInfo

    /// - Parameters:
    ///   - identifier: the transaction in the path.
    ///   - isForCharges: whether the transaction may be one that does not renew.
    init(
        _ body: JSONTree, transaction identifier: UInt64, isForCharges: Bool, in simulation: Simulation
    ) throws(AdvancedCommerceCode) {
        info = try AdvancedCommerceRequestInfo(body)
        self.body = body
        let storefront = body.present("storefront")
        guard storefront == nil || Region.isCode(storefront?.stringValue ?? "") else {
            throw .invalidStorefront
        }
        guard let place = try? simulation.purchases.place(of: identifier) else {
            throw .transactionIDNotFound
        }
        self.place = place
        renewing = simulation.purchases[place].subscription
        guard renewing != nil || isForCharges && simulation.purchases.soldTerms[place] != nil else {
            throw .subscriptionDoesNotExist
        }
        guard !simulation.purchases[place].isFamilyShared else { throw .productNotOwned }
        try body.checkStorefront(simulation.customers[simulation.purchases[place].customer].region)
        let consistency = renewing.flatMap { simulation.purchases[$0].advancedCommerce?.consistencyToken }
        if let token = info.consistencyToken {
            guard let consistency, token.stringValue == consistency else { throw .invalidConsistencyToken }
        }
    }

    /// The subscription, which an item that was sold once lacks.
    func subscription() throws(AdvancedCommerceCode) -> SubscriptionPlace {
        guard let renewing else { throw .subscriptionDoesNotExist }
        return renewing
    }

    /// The terms of the subscription, which an app's server must manage.
    func terms(in simulation: Simulation) throws(AdvancedCommerceCode) -> Simulation.AdvancedCommerce {
        guard let managed = simulation.purchases[try subscription()].advancedCommerce else {
            throw .subscriptionNotEligible
        }
        return managed
    }
}
