internal import StoreKitVerify

/// Longer periods, which a developer gives to subscribers.
extension Simulation {
    /// Why a subscription cannot be extended.
    package enum ExtensionRefusal: Error, Equatable, Sendable {
        case familyShared
        /// It is a seat that somebody else has bought.
        case assigned
        /// It has ended, its payment failed, or its customer has paid for no period yet.
        case ineligible
        /// It was extended twice in 365 days.
        case tooOften
        case signing(StoreRefusal)
    }

    /// Moves the end of the present period. Returns the new end.
    ///
    /// - Parameter days: at most 90; at a faster rate of time, they are as much shorter as periods are.
    /// - Throws: `ExtensionRefusal`; nothing was changed then, except if signing failed.
    package mutating func extend(_ index: SubscriptionPlace, by days: Int) throws(ExtensionRefusal) -> Int {
        let subscription = purchases[index]
        guard !subscription.isAssigned else { throw .assigned }
        guard subscription.sharedFrom == nil else { throw .familyShared }
        let latest = purchases[subscription.latest]
        guard case .active = subscription.phase, latest.price > 0, subscription.paidPeriods > 0,
            let end = latest.expiresDate
        else { throw .ineligible }
        // Apple allows two extensions within 365 days (page "Extend a Subscription Renewal Date").
        let year = 365 * 86_400_000
        guard subscription.extensions.count(where: { now - $0 < year }) < 2 else { throw .tooOften }
        let newEnd = end + settings.timeRate.days(days)
        for place in subscription.period {
            purchases[place].expiresDate = newEnd
            purchases[place].modificationDate = now
        }
        purchases[index].extensions.append(now)
        // The next periods are counted from the new end.
        purchases[index].cycle = (newEnd, 0)
        updateCommitmentEnd(index)
        purchases[subscription.latest].commitment = purchases[index].commitment
        purchases.schedule(index)
        try translating(
            try notify(.renewalExtended, nil, subscription: index), ExtensionRefusal.signing)
        return newEnd
    }

    /// Extends the subscriptions of all active subscribers to a product.
    ///
    /// A subscription that cannot be extended gets a notification, and the others are extended.
    ///
    /// - Parameter storefronts: the countries or regions whose subscribers it is about; `nil` for all.
    /// - Returns: how many were extended, and how many could not be.
    package mutating func extendAll(
        of productID: String, by days: Int, requestIdentifier: String, storefronts: [String]?
    ) throws(StoreRefusal) -> (succeeded: Int, failed: Int) {
        var (succeeded, failed) = (0, 0)
        for index in purchases.subscriptions {
            let subscription = purchases[index]
            guard case .active = subscription.phase, subscription.sharedFrom == nil,
                purchases[subscription.latest].product.id == productID,
                storefronts?.contains(customers[subscription.customer].region.code) ?? true
            else { continue }
            do throws(ExtensionRefusal) {
                _ = try extend(index, by: days)
                succeeded += 1
            } catch {
                if case .signing(let failure) = error { throw failure }
                failed += 1
                try notify(.renewalExtension, .failure, subscription: index)
            }
        }
        try notifyOfExtensions(
            productID, requestIdentifier: requestIdentifier, storefronts: storefronts ?? [], succeeded, failed
        )
        return (succeeded, failed)
    }
}
