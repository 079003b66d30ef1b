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
        guard transaction.seats == nil else {
            throw .notAllowed("the purchase is for several people: its seats are given one by one")
        }
        guard let index = transaction.subscription else {
            let shared = add(
                copy(of: transaction, id: nextTransactionID, originalID: nextTransactionID, for: member, nil))
            transactions[shared].sharedFrom = place
            sharedPurchases[place, default: []].append(shared)
            try notify(.oneTimeCharge, transaction: shared)
            return shared
        }
        return try share(subscription: index, with: member)
    }

    /// Gives a member a subscription that follows the buyer's, unless the family shares one of the group already.
    ///
    /// It stands beside an own one: the statuses of a group have an entry for each original transaction, own and shared
    /// (Apple's page "Get All Subscription Statuses").
    ///
    /// - Parameter isAssigned: whether the member gets a seat, and not a family's subscription.
    mutating func share(
        subscription index: Int, with member: Int, isAssigned: Bool = false
    ) throws(StoreRefusal) -> Int {
        let source = subscriptions[index]
        // In billing retry there is nothing to share: the buyer has no access either.
        switch source.phase {
        case .active, .gracePeriod: break
        case .billingRetry: throw .notAllowed("the subscription is not paid for")
        case .expired, .revoked: throw .notAllowed("the subscription has ended")
        }
        let existing = customers[member].sharedSubscriptions[source.groupID]
        guard existing.map({ isEnded(subscriptions[$0]) }) ?? true else {
            throw .notAllowed("the customer has a subscription of the group from the family already")
        }
        if let existing { leave(existing) }
        let isFirst = existing == nil && customers[member].subscriptions[source.groupID] == nil
        // It is no continuation of a subscription that the member had before: it may have begun earlier.
        let own = subscriptions.count
        subscriptions.append(
            SubscriptionRecord(
                customer: member, groupID: source.groupID, originalID: nextTransactionID,
                originalPurchaseDate: now, latest: transactions.count, nextProduct: source.nextProduct,
                recentStart: now, cycle: source.cycle, paidPeriods: 0))
        customers[member].sharedSubscriptions[source.groupID] = own
        subscriptions[own].sharedFrom = index
        subscriptions[own].isAssigned = isAssigned
        subscriptions[index].members.append(own)
        addMemberTransaction(own)
        follow(own)
        try notify(.subscribed, isFirst ? .initialBuy : .resubscribe, subscription: own)
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
            leave(own)
            try revokeFromMember(own, .other)
        } else {
            if let source = transactions[place].sharedFrom {
                sharedPurchases[source]?.removeAll { $0 == place }
            }
            revoke(place, familyRevocation(.other))
            try notify(.revoke, transaction: place)
        }
    }

    /// Cuts the tie between a member's subscription and the buyer's.
    mutating func leave(_ own: Int) {
        guard let index = subscriptions[own].sharedFrom else { return }
        subscriptions[index].members.removeAll { $0 == own }
    }

    /// Why a member loses a purchase: it is not a refund, so no share of a price is told.
    ///
    /// - Parameter reason: the buyer's, if the buyer got a refund.
    private func familyRevocation(
        _ reason: Transaction.RevocationReason
    ) -> TransactionRecord.Revocation {
        .init(date: now, reason: reason, type: .familyRevocation, percentage: nil)
    }

    /// Ends a member's subscription, and tells the server. The buyer's goes on, or has ended already.
    mutating func revokeFromMember(
        _ own: Int, _ reason: Transaction.RevocationReason
    ) throws(StoreRefusal) {
        let isAssigned = subscriptions[own].isAssigned
        revoke(
            subscriptions[own].latest,
            .init(
                date: now, reason: reason, type: isAssigned ? .assignmentRevocation : .familyRevocation,
                percentage: nil))
        subscriptions[own].phase = .revoked
        try notify(.revoke, transaction: subscriptions[own].latest)
    }

    // MARK: - What does not renew

    /// Takes a refunded purchase from the family (Apple, `REVOKE`: the purchaser received a refund).
    mutating func revokeFromFamily(_ place: Int, _ reason: Transaction.RevocationReason) throws(StoreRefusal)
    {
        for shared in sharedPurchases[place] ?? [] where transactions[shared].revocation == nil {
            revoke(shared, familyRevocation(reason))
            try notify(.revoke, transaction: shared)
        }
    }

    /// Gives the family back what it lost by a refund.
    mutating func restoreToFamily(_ place: Int) throws(StoreRefusal) {
        for shared in sharedPurchases[place] ?? [] where transactions[shared].revocation != nil {
            restore(shared)
            try notify(.refundReversed, transaction: shared)
        }
    }

    // MARK: - Subscriptions

    /// Has the members of the family follow a change of the buyer's subscription, with notifications of their own.
    ///
    /// A list of types decides: a member follows what concerns the period, and hears nothing of prices and
    /// offers.
    mutating func updateMembers(
        of index: Int, _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype?
    ) throws(StoreRefusal) {
        try endLostAssignments(index)
        for own in subscriptions[index].members {
            // Sharing ends with the first period of a product that a family cannot share.
            guard
                subscriptions[own].isAssigned
                    || transactions[subscriptions[index].latest].product.isFamilyShareable
            else {
                if !isEnded(subscriptions[own]) { try revokeFromMember(own, .other) }
                continue
            }
            switch type {
            // The number of seats is the buyer's.
            case .didChangeRenewalPref where subtype == .increaseQuantity || subtype == .decreaseQuantity:
                follow(own)
            case .refund:
                guard subscriptions[index].phase == .revoked, !isEnded(subscriptions[own]) else { continue }
                let buyers = transactions[subscriptions[index].latest].revocation
                try revokeFromMember(own, buyers?.reason ?? .other)
            case .refundReversed: try restoreMember(own)
            case .offerRedeemed where subtype != nil: try follow(own, .didChangeRenewalPref, subtype)
            case .subscribed, .didRenew, .expired, .didFailToRenew, .gracePeriodExpired,
                .didChangeRenewalPref,
                .didChangeRenewalStatus, .renewalExtended:
                try follow(own, type, subtype)
            default: if !isEnded(subscriptions[own]) { follow(own) }
            }
        }
    }

    /// Has a member follow the buyer, and tells the server. A member whose subscription ended is served again with the
    /// buyer's next period.
    private mutating func follow(
        _ own: Int, _ type: ServerNotification.NotificationType, _ subtype: ServerNotification.Subtype?
    ) throws(StoreRefusal) {
        guard let index = subscriptions[own].sharedFrom else { return }
        let hadEnded = isEnded(subscriptions[own])
        let isNew = subscriptions[own].followedPeriod != subscriptions[index].periodNumber
        guard !hadEnded || isNew && !isEnded(subscriptions[index]) else { return }
        if isNew {
            if subtype == .upgrade, !hadEnded { transactions[subscriptions[own].latest].isUpgraded = true }
            if hadEnded { subscriptions[own].recentStart = subscriptions[index].recentStart }
            addMemberTransaction(own)
        }
        follow(own)
        if hadEnded {
            try notify(.subscribed, .resubscribe, subscription: own)
        } else {
            try notify(type, subtype, subscription: own)
        }
    }

    /// Gives a member back the subscription that the buyer's refund took.
    private mutating func restoreMember(_ own: Int) throws(StoreRefusal) {
        guard subscriptions[own].phase == .revoked, let index = subscriptions[own].sharedFrom,
            subscriptions[index].phase != .revoked,
            subscriptions[own].followedPeriod == subscriptions[index].periodNumber
        else { return }
        restore(subscriptions[own].latest)
        follow(own)
        try notify(.refundReversed, transaction: subscriptions[own].latest)
    }

    /// Copies the buyer's latest transaction for the member.
    private mutating func addMemberTransaction(_ own: Int) {
        guard let index = subscriptions[own].sharedFrom else { return }
        subscriptions[own].latest = add(
            copy(
                of: transactions[subscriptions[index].latest], id: nextTransactionID,
                originalID: subscriptions[own].originalID, for: subscriptions[own].customer, own))
        subscriptions[own].period = [subscriptions[own].latest]
        subscriptions[own].followedPeriod = subscriptions[index].periodNumber
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
        subscriptions[own].commitment = source.commitment
        subscriptions[own].nextIsMonthly = source.nextIsMonthly
        transactions[subscriptions[own].latest].expiresDate = transactions[source.latest].expiresDate
    }

    /// The price and the offer are the buyer's.
    private mutating func copy(
        of transaction: TransactionRecord, id: UInt64, originalID: UInt64, for member: Int,
        _ subscription: Int?
    ) -> TransactionRecord {
        let isAssigned = subscription.map { subscriptions[$0].isAssigned } ?? false
        return TransactionRecord(
            id: id, originalID: originalID,
            webOrderLineItemID: transaction.webOrderLineItemID == nil ? nil : makeLineItem(),
            customer: member,
            product: transaction.product, quantity: transaction.quantity,
            purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: subscription.map { subscriptions[$0].originalPurchaseDate } ?? now,
            expiresDate: transaction.expiresDate, isRenewal: transaction.isRenewal, isFamilyShared: true,
            offer: transaction.offer, price: transaction.price, subscription: subscription,
            commitment: transaction.commitment, seats: transaction.seats, isAssigned: isAssigned,
            modificationDate: now)
    }
}
