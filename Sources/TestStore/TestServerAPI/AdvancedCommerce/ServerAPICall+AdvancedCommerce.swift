internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints of the Advanced Commerce API. What is common to all is checked first, then the members of the endpoint,
/// then the state of the subscription.
extension ServerAPICall {
    /// Answers a request with the transaction and the renewal information, signed after the change.
    ///
    /// - Parameters:
    ///   - isOnce: whether a `requestReferenceId` that succeeded cannot come again.
    ///   - isForCharges: whether the transaction may be one that does not renew.
    ///   - change: changes nothing if it throws.
    func manage(
        isOnce: Bool = true, isForCharges: Bool = false,
        _ change: (inout Simulation, AdvancedCommerceRequest) throws(AdvancedCommerceCode) -> Void
    ) -> ServerAPIResponse {
        do throws(AdvancedCommerceCode) {
            guard let identifier = try? identifier() else { throw .invalidTransactionID }
            guard let body = try? object() else { throw .malformedPayload }
            return try appStore.change { (simulation) throws(AdvancedCommerceCode) in
                let request = try AdvancedCommerceRequest(
                    body, transaction: identifier, isForCharges: isForCharges, in: simulation)
                guard !isOnce || !simulation.requests.contains(reference: request.info.reference) else {
                    throw .repeatedRequestReferenceID
                }
                try change(&simulation, request)
                simulation.requests.add(reference: request.info.reference)
                if let token = request.info.appAccountToken, let index = request.renewing {
                    simulation.purchases.setAppAccountToken(token, ofRenewals: index)
                }
                return try answer(request, simulation)
            }
        } catch {
            return ServerAPIResponse(error.entry)
        }
    }

    private func answer(
        _ request: AdvancedCommerceRequest, _ simulation: Simulation
    ) throws(AdvancedCommerceCode) -> ServerAPIResponse {
        var object = ObjectText()
        try AdvancedCommerceCode.refusing(.generalInternal) { () throws(StoreRefusal) in
            object.add("signedTransactionInfo", try simulation.transactionToken(request.place))
            if let index = request.renewing {
                object.add("signedRenewalInfo", try simulation.renewalToken(index))
            }
        }
        return ServerAPIResponse(object)
    }

    /// Cancel a Subscription: it ends with its period.
    func cancelSubscription() -> ServerAPIResponse {
        manage(isOnce: false) { (simulation, request) throws(AdvancedCommerceCode) in
            _ = try request.terms(in: simulation)
            let index = try request.subscription()
            let subscription = simulation.purchases[index]
            guard !subscription.isEnded else { throw .subscriptionNotEligible }
            guard subscription.renews else { throw .operationNotAllowed }
            try AdvancedCommerceCode.refusing(.operationNotAllowed) { () throws(StoreRefusal) in
                try simulation.cancel(index)
            }
        }
    }

    // MARK: - Prices

    /// Change Subscription Price, from the next renewal on.
    func changePrice() -> ServerAPIResponse {
        manage(isOnce: false) { (simulation, request) throws(AdvancedCommerceCode) in
            let index = try request.subscription()
            let customer = simulation.purchases[index].customer
            let region = simulation.customers[customer].region
            let prices = try newPrices(request.body, region)
            let managed = try request.terms(in: simulation)
            let subscription = simulation.purchases[index]
            guard subscription.phase == .active, subscription.renews else {
                throw .subscriptionNotEligible
            }
            let present = Dictionary(managed.present.items.map { ($0.sku, $0.price) }) { first, _ in first }
            let next = Dictionary(managed.next.items.map { ($0.sku, $0.price) }) { first, _ in first }
            for (sku, (price, dependents)) in prices {
                let all = [sku] + dependents
                guard let renewal = next[sku], all.allSatisfy({ next[$0] != nil }) else {
                    throw .invalidSKUProvidedMustBeCurrentSKUSetToRenew
                }
                guard let now = present[sku], now < max(price, renewal) else { continue }
                guard renewal <= now else { throw .priceChangeCannotBeIssuedWhenAlreadyCommunicated }
                guard region.code != "IND" else { throw .acaPriceIncreaseIsNotCurrentlySupportedInIndia }
            }
            try AdvancedCommerceCode.refusing(.subscriptionNotEligible) { () throws(StoreRefusal) in
                try simulation.changePrices(index, to: prices, by: request.info.reference)
            }
        }
    }

    /// The prices of a request, by the SKU.
    private func newPrices(
        _ body: JSONTree, _ region: Region
    ) throws(AdvancedCommerceCode) -> [String: (price: Int, dependents: [String])] {
        if let currency = body.present("currency") {
            guard currency.stringValue == region.currency else { throw .invalidCurrency }
        }
        guard let items = try body.items() else { throw .nullItems }
        var prices: [String: (price: Int, dependents: [String])] = [:]
        var seen: Set<String> = []
        for (sku, item) in try items.bySKU() {
            let dependents = try dependents(item)
            guard seen.isDisjoint(with: dependents) else { throw .dependentSKUsCannotBeShared }
            seen.formUnion(dependents)
            prices[sku] = (try item.price(in: region), dependents)
        }
        // An item whose price follows another one's has none that follow it.
        for (sku, item) in prices where seen.contains(sku) && !item.dependents.isEmpty {
            throw .dependentSKUsCannotBeChained
        }
        return prices
    }

    private func dependents(_ item: JSONTree) throws(AdvancedCommerceCode) -> [String] {
        guard let list = item.present("dependentSKUs") else { return [] }
        guard case .array(let elements) = list else { throw .malformedPayload }
        let skus = elements.compactMap(\.stringValue)
        guard skus.count == elements.count else { throw .malformedPayload }
        guard Set(skus).count == skus.count else { throw .itemCannotBeSpecifiedMultipleTimes }
        return skus
    }
}
