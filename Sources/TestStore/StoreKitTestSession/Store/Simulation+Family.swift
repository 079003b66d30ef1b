internal import StoreKitVerify

/// Family Sharing: members get purchases of their own, with their own identifiers, that follow the buyer's.
extension Simulation {
    /// Shares a purchase with a member of the family. Returns the place of the member's transaction.
    mutating func share(_ place: Int, with member: Int) throws(StoreRefusal) -> Int {
        let transaction = transactions[place]
        guard transaction.product.isFamilyShareable, !transaction.isFamilyShared else {
            throw .notAllowed("\"\(transaction.product.id)\" cannot be shared with the family")
        }
        guard transaction.customer != member, transaction.revocation == nil else {
            throw .notAllowed("the purchase was revoked, or is the customer's own")
        }
        guard let index = transaction.subscription else {
            let shared = add(
                copy(of: transaction, id: nextTransactionID, originalID: nextTransactionID, for: member, nil))
            try notify(.oneTimeCharge, transaction: shared)
            return shared
        }
        return try share(subscription: index, with: member)
    }

    /// Gives a member a subscription that follows the buyer's, unless the member has one of the group.
    private mutating func share(subscription index: Int, with member: Int) throws(StoreRefusal) -> Int {
        let source = subscriptions[index]
        guard !isEnded(source) else { throw .notAllowed("the subscription has ended") }
        let existing = customers[member].subscriptions[source.groupID]
        guard existing.map({ isEnded(subscriptions[$0]) }) ?? true else {
            throw .notAllowed("the customer has a subscription of the group already")
        }
        // It is no continuation of a subscription that the member had before: it may have begun earlier.
        let own = subscriptions.count
        subscriptions.append(
            SubscriptionRecord(
                customer: member, groupID: source.groupID, originalID: nextTransactionID,
                originalPurchaseDate: now, latest: transactions.count, nextProduct: source.nextProduct,
                recentStart: now, cycle: source.cycle, paidPeriods: 0))
        customers[member].subscriptions[source.groupID] = own
        subscriptions[own].sharedFrom = index
        subscriptions[index].members.append(own)
        addMemberTransaction(own)
        follow(own)
        try notify(.subscribed, existing == nil ? .initialBuy : .resubscribe, subscription: own)
        return subscriptions[own].latest
    }

    /// Ends the sharing of a purchase with a member: the member left the family, or the buyer stopped sharing.
    ///
    /// - Parameter place: the member's transaction.
    mutating func stopSharing(_ place: Int) throws(StoreRefusal) {
        guard transactions[place].isFamilyShared, transactions[place].revocation == nil else {
            throw .notAllowed("no family shares transaction \(transactions[place].id)")
        }
        if let own = transactions[place].subscription {
            if let index = subscriptions[own].sharedFrom {
                subscriptions[index].members.removeAll { $0 == own }
            }
            try revokeFromMember(own)
        } else {
            revoke(place, familyRevocation)
            try notify(.revoke, transaction: place)
        }
    }

    /// Why a member loses a purchase: it is not a refund, so no share of a price is told.
    private var familyRevocation: TransactionRecord.Revocation {
        .init(date: now, reason: .other, type: .familyRevocation, percentage: nil)
    }

    /// Ends a member's subscription, and tells the server. The buyer's goes on.
    private mutating func revokeFromMember(_ own: Int) throws(StoreRefusal) {
        revoke(subscriptions[own].latest, familyRevocation)
        subscriptions[own].phase = .revoked
        try notify(.revoke, transaction: subscriptions[own].latest)
    }

    /// Has the members of the family follow a change of the buyer's subscription, with notifications of their own.
    ///
    /// A list of types decides: a member follows what concerns the period, and hears nothing of prices and
    /// offers.
    mutating func updateMembers(
        of index: Int, _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype?
    ) throws(StoreRefusal) {
        for own in subscriptions[index].members {
            switch type {
            case .refund:
                guard subscriptions[index].phase == .revoked else { return }
                subscriptions[index].members.removeAll { $0 == own }
                try revokeFromMember(own)
            case .didRenew, .expired, .didFailToRenew, .gracePeriodExpired, .didChangeRenewalPref,
                .didChangeRenewalStatus, .renewalExtended:
                if transactions[subscriptions[index].latest].purchaseDate
                    != transactions[subscriptions[own].latest].purchaseDate
                {
                    transactions[subscriptions[own].latest].isUpgraded = subtype == .upgrade
                    addMemberTransaction(own)
                }
                follow(own)
                try notify(type, subtype, subscription: own)
            default: break
            }
        }
    }

    /// Copies the buyer's latest transaction for the member.
    private mutating func addMemberTransaction(_ own: Int) {
        guard let index = subscriptions[own].sharedFrom else { return }
        subscriptions[own].latest = add(
            copy(
                of: transactions[subscriptions[index].latest], id: nextTransactionID,
                originalID: subscriptions[own].originalID, for: subscriptions[own].customer, own))
    }

    /// Copies the state of the buyer's subscription.
    private mutating func follow(_ own: Int) {
        guard let index = subscriptions[own].sharedFrom else { return }
        let source = subscriptions[index]
        subscriptions[own].phase = source.phase
        subscriptions[own].willRenew = source.willRenew
        subscriptions[own].nextProduct = source.nextProduct
        subscriptions[own].nextOffer = source.nextOffer
        subscriptions[own].gracePeriodEnd = source.gracePeriodEnd
        subscriptions[own].price = source.price
        transactions[subscriptions[own].latest].expiresDate = transactions[source.latest].expiresDate
        if isEnded(source) { subscriptions[index].members.removeAll { $0 == own } }
    }

    /// The price and the offer are the buyer's.
    private mutating func copy(
        of transaction: TransactionRecord, id: UInt64, originalID: UInt64, for member: Int,
        _ subscription: Int?
    ) -> TransactionRecord {
        TransactionRecord(
            id: id, originalID: originalID,
            webOrderLineItemID: transaction.webOrderLineItemID == nil ? nil : makeLineItem(),
            customer: member,
            product: transaction.product, quantity: transaction.quantity,
            purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: subscription.map { subscriptions[$0].originalPurchaseDate } ?? now,
            expiresDate: transaction.expiresDate, isRenewal: transaction.isRenewal, isFamilyShared: true,
            offer: transaction.offer, price: transaction.price, subscription: subscription,
            modificationDate: now)
    }
}
