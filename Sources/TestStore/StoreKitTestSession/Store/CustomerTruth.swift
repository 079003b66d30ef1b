package import Essentials
package import StoreKitVerify

/// The state of a customer as the simulated App Store knows it. A reader of its payloads should come to the same.
///
/// It is computed from the records and not from payloads, so that tests have an oracle.
package struct CustomerTruth: Hashable, Sendable {
    /// A product that the customer is entitled to, and how the customer owns it.
    package struct Ownership: Hashable, Sendable {
        package let productID: String
        package let type: Transaction.OwnershipType

        package init(productID: String, type: Transaction.OwnershipType) {
            (self.productID, self.type) = (productID, type)
        }
    }

    /// The state of each subscription, by its original transaction.
    package let states: [UInt64: Product.SubscriptionInfo.RenewalState]
    /// The products that the customer is entitled to. Consumables entitle to nothing.
    package let entitlements: Set<Ownership>
    /// The seats of each subscription that the customer bought for several people, by its original transaction.
    package let seats: [UInt64: Int]
    /// The products of which the app's server has claimed a seat for the customer that gives access.
    package let claimedSeats: Set<String>
}

extension TestAppStore {
    /// The truth about each customer, by the number of the download.
    package var truth: [UInt64: CustomerTruth] {
        read { simulation in
            let customers = simulation.customers.places.map { customer in
                (simulation.customers[customer].appTransactionID, simulation.truth(of: customer))
            }
            return Dictionary(customers) { first, _ in first }
        }
    }

    /// The token with which each purchase was made that a token was given for, by its original transaction. The present period
    /// decides, and of a subscription that moved, the one to which it moved last.
    package var owners: [UInt64: UUID] {
        read { simulation in
            let purchases = simulation.purchases
            let latest = purchases.transactions.filter { place in
                purchases[place].subscription.map { purchases[$0].latest == place } ?? true
            }
            let owners = latest.compactMap { place in
                let owner = purchases[place].subscription.flatMap(simulation.ownerOfMoved)
                return (owner ?? purchases[place].appAccountToken).map { (purchases[place].originalID, $0) }
            }
            return Dictionary(owners) { first, _ in first }
        }
    }

    /// The truth about one customer, by the number of the download; `nil` if there is no such customer.
    package func truth(of appTransactionID: UInt64) -> CustomerTruth? {
        read { simulation in
            simulation.customers.place(ofDownload: appTransactionID).map { simulation.truth(of: $0) }
        }
    }

    /// The original transactions of a customer's purchases, by the number of the download.
    package func originals(of appTransactionID: UInt64) -> Set<UInt64> {
        read { simulation in
            guard let customer = simulation.customers.place(ofDownload: appTransactionID) else { return [] }
            let purchases = simulation.purchases
            return Set(purchases[customer].transactions.map { purchases[$0].originalID })
        }
    }

    /// When the next renewal, failure or expiration is due; `nil` if there is no event to come.
    package var nextEvent: Date? { read { $0.purchases.agenda.nextTime.map { Date(milliseconds: $0) } } }
}

extension Simulation {
    /// The token of the subscription to which one moved last; `nil` if it has not moved, or there is no token.
    fileprivate func ownerOfMoved(_ index: SubscriptionPlace) -> UUID? {
        var last = index
        while let next = purchases[last].movedTo { last = next }
        return last == index ? nil : purchases[purchases[last].latest].appAccountToken
    }

    /// A subscription entitles while it is paid for or in a grace period, and in no other state.
    fileprivate func truth(of customer: CustomerPlace) -> CustomerTruth {
        var states: [UInt64: Product.SubscriptionInfo.RenewalState] = [:]
        var entitlements: Set<CustomerTruth.Ownership> = []
        var seats: [UInt64: Int] = [:]
        func entitle(_ transaction: TransactionRecord) {
            entitlements.insert(
                .init(productID: transaction.product.id, type: transaction.ownership))
        }
        for index in moved(by: customer) {
            let latest = purchases[purchases[index].latest]
            states[purchases[index].originalID] =
                latest.revocation != nil ? .revoked : isLeft(index) ? .subscribed : .expired
            if isLeft(index) { entitle(latest) }
        }
        for index in purchases[customer].allSubscriptions where purchases[index].movedTo == nil {
            let state = purchases[index].state
            states[purchases[index].originalID] = state
            if state == .subscribed || state == .inGracePeriod {
                entitle(purchases[purchases[index].latest])
                let count = self.seats(ofPeriod: purchases[index])
                if purchases[index].sharedFrom == nil, count > 0 {
                    seats[purchases[index].originalID] = count
                }
            }
        }
        for place in purchases[customer].transactions where purchases[place].revocation == nil {
            switch purchases[place].product.type {
            case .nonConsumable, .nonRenewable: entitle(purchases[place])
            default: break
            }
        }
        return CustomerTruth(
            states: states, entitlements: entitlements, seats: seats, claimedSeats: claimedSeats(of: customer)
        )
    }

    /// The subscriptions of a customer that go on under another original transaction, which gives no access now.
    private func moved(by customer: CustomerPlace) -> Set<SubscriptionPlace> {
        Set(purchases[customer].transactions.compactMap { purchases[$0].subscription }).filter { index in
            purchases[index].movedTo.map { !givesAccess($0) } ?? false
        }
    }

    /// Whether a subscription gives access, or one to which it moved.
    private func givesAccess(_ index: SubscriptionPlace) -> Bool {
        if let next = purchases[index].movedTo { return isLeft(index) || givesAccess(next) }
        return purchases[index].state == .subscribed || purchases[index].state == .inGracePeriod
    }

    /// Whether the latest period of a subscription has not ended, and was not taken back.
    private func isLeft(_ index: SubscriptionPlace) -> Bool {
        let latest = purchases[purchases[index].latest]
        return latest.revocation == nil && latest.expiresDate ?? now > now
    }

    /// A claim gives access as long as the purchaser has it.
    private func claimedSeats(of customer: CustomerPlace) -> Set<String> {
        let holder = customers[customer].appTransactionID
        let served = purchases.seatClaims.filter { index, claims in
            let state = purchases[index].state
            return (state == .subscribed || state == .inGracePeriod)
                && claims.claims.contains { $0.appTransactionID == holder }
        }
        return Set(served.keys.map { purchases.product(ofSubscription: $0).id })
    }
}
