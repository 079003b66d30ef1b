internal import StoreKitVerify

/// Family Sharing: members get purchases of their own, with their own identifiers, that follow the buyer's.
extension Simulation {
    /// Shares a purchase with a member of the family. Returns the place of the member's transaction.
    mutating func share(
        _ place: TransactionPlace, with member: CustomerPlace
    ) throws(StoreRefusal) -> TransactionPlace {
        let transaction = purchases[place]
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
            var shared = copy(of: transaction, originalID: purchases.nextTransactionID, for: member, nil)
            shared.sharedFrom = place
            let own = purchases.add(shared)
            try notify(.oneTimeCharge, transaction: own)
            return own
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
        subscription index: SubscriptionPlace, with member: CustomerPlace, isAssigned: Bool = false
    ) throws(StoreRefusal) -> TransactionPlace {
        let source = purchases[index]
        // In billing retry there is nothing to share: the buyer has no access either.
        switch source.phase {
        case .active, .gracePeriod: break
        case .billingRetry: throw .notAllowed("the subscription is not paid for")
        case .expired, .revoked: throw .notAllowed("the subscription has ended")
        }
        let existing = purchases[member].sharedSubscriptions[source.groupID]
        guard existing.map({ purchases[$0].isEnded }) ?? true else {
            throw .notAllowed("the customer has a subscription of the group from the family already")
        }
        if let existing { purchases.leave(existing) }
        let isFirst = existing == nil && purchases[member].subscriptions[source.groupID] == nil
        // It is no continuation of a subscription that the member had before: it may have begun earlier.
        let own = purchases.add(
            SubscriptionRecord(
                customer: member, groupID: source.groupID, originalID: purchases.nextTransactionID,
                originalPurchaseDate: now, latest: purchases.nextPlace, isAssigned: isAssigned,
                nextProduct: source.nextProduct, recentStart: now, cycle: source.cycle, paidPeriods: 0,
                sharedFrom: index))
        addMemberTransaction(own)
        follow(own)
        try notify(.subscribed, isFirst ? .initialBuy : .resubscribe, subscription: own)
        return purchases[own].latest
    }

    /// Ends the sharing of a purchase with a member: the member left the family, or the buyer stopped sharing.
    ///
    /// - Parameter place: the member's transaction.
    mutating func stopSharing(_ place: TransactionPlace) throws(StoreRefusal) {
        guard purchases[place].isFamilyShared, purchases[place].revocation == nil else {
            throw .notAllowed("no family shares transaction \(purchases[place].id)")
        }
        if let own = purchases[place].subscription {
            purchases.leave(own)
            try revokeFromMember(own, .other)
        } else {
            purchases.leave(place)
            revoke(place, familyRevocation(.other))
            try notify(.revoke, transaction: place)
        }
    }

    /// Why a member loses a purchase: it is not a refund, so no share of a price is told.
    ///
    /// - Parameter reason: the buyer's, if the buyer got a refund.
    private func familyRevocation(
        _ reason: Transaction.RevocationReason, _ type: Transaction.RevocationType = .familyRevocation
    ) -> TransactionRecord.Revocation {
        .init(date: now, reason: reason, type: type, percentage: nil)
    }

    /// Ends a member's subscription, and tells the server. The buyer's goes on, or has ended already.
    mutating func revokeFromMember(
        _ own: SubscriptionPlace, _ reason: Transaction.RevocationReason
    ) throws(StoreRefusal) {
        let type: Transaction.RevocationType =
            purchases[own].isAssigned ? .assignmentRevocation : .familyRevocation
        revoke(purchases[own].latest, familyRevocation(reason, type))
        purchases[own].phase = .revoked
        try notify(.revoke, transaction: purchases[own].latest)
    }

    // MARK: - What does not renew

    /// Takes a refunded purchase from the family (Apple, `REVOKE`: the purchaser received a refund).
    mutating func revokeFromFamily(
        _ place: TransactionPlace, _ reason: Transaction.RevocationReason
    ) throws(StoreRefusal) {
        for shared in purchases.sharedPurchases[place] ?? [] where purchases[shared].revocation == nil {
            revoke(shared, familyRevocation(reason))
            try notify(.revoke, transaction: shared)
        }
    }

    /// Gives the family back what it lost by a refund.
    mutating func restoreToFamily(_ place: TransactionPlace) throws(StoreRefusal) {
        for shared in purchases.sharedPurchases[place] ?? [] where purchases[shared].revocation != nil {
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
        of index: SubscriptionPlace, _ type: ServerNotification.NotificationType,
        _ subtype: ServerNotification.Subtype?
    ) throws(StoreRefusal) {
        try endLostAssignments(index)
        for own in purchases[index].members {
            // Sharing ends with the first period of a product that a family cannot share.
            guard
                purchases[own].isAssigned
                    || purchases[purchases[index].latest].product.isFamilyShareable
            else {
                if !purchases[own].isEnded { try revokeFromMember(own, .other) }
                continue
            }
            switch type {
            // The number of seats is the buyer's.
            case .didChangeRenewalPref where subtype == .increaseQuantity || subtype == .decreaseQuantity:
                follow(own)
            case .refund:
                guard purchases[index].phase == .revoked, !purchases[own].isEnded else { continue }
                let buyers = purchases[purchases[index].latest].revocation
                try revokeFromMember(own, buyers?.reason ?? .other)
            case .refundReversed: try restoreMember(own)
            case .offerRedeemed where subtype != nil: try follow(own, .didChangeRenewalPref, subtype)
            case .subscribed, .didRenew, .expired, .didFailToRenew, .gracePeriodExpired,
                .didChangeRenewalPref,
                .didChangeRenewalStatus, .renewalExtended:
                try follow(own, type, subtype)
            default: if !purchases[own].isEnded { follow(own) }
            }
        }
    }

    /// Has a member follow the buyer, and tells the server. A member whose subscription ended is served again with the
    /// buyer's next period.
    private mutating func follow(
        _ own: SubscriptionPlace, _ type: ServerNotification.NotificationType,
        _ subtype: ServerNotification.Subtype?
    ) throws(StoreRefusal) {
        guard let index = purchases[own].sharedFrom else { return }
        let hadEnded = purchases[own].isEnded
        let isNew = purchases[own].followedPeriod != purchases[index].periodNumber
        guard !hadEnded || isNew && !purchases[index].isEnded else { return }
        if isNew {
            if subtype == .upgrade, !hadEnded { purchases[purchases[own].latest].isUpgraded = true }
            if hadEnded { purchases[own].recentStart = purchases[index].recentStart }
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
    private mutating func restoreMember(_ own: SubscriptionPlace) throws(StoreRefusal) {
        guard purchases[own].phase == .revoked, let index = purchases[own].sharedFrom,
            purchases[index].phase != .revoked,
            purchases[own].followedPeriod == purchases[index].periodNumber
        else { return }
        restore(purchases[own].latest)
        follow(own)
        try notify(.refundReversed, transaction: purchases[own].latest)
    }

    /// Copies the buyer's latest transaction for the member.
    private mutating func addMemberTransaction(_ own: SubscriptionPlace) {
        guard let index = purchases[own].sharedFrom else { return }
        purchases[own].latest = purchases.add(
            copy(
                of: purchases[purchases[index].latest], originalID: purchases[own].originalID,
                for: purchases[own].customer, own))
        purchases[own].period = [purchases[own].latest]
        purchases[own].followedPeriod = purchases[index].periodNumber
    }

    /// Copies the state of the buyer's subscription.
    private mutating func follow(_ own: SubscriptionPlace) {
        guard let index = purchases[own].sharedFrom else { return }
        let source = purchases[index]
        purchases[own].phase = source.phase
        purchases[own].willRenew = source.willRenew
        purchases[own].nextProduct = source.nextProduct
        purchases[own].nextOffer = source.nextOffer
        purchases[own].gracePeriodEnd = source.gracePeriodEnd
        purchases[own].price = source.price
        purchases[own].commitment = source.commitment
        purchases[own].nextIsMonthly = source.nextIsMonthly
        purchases[purchases[own].latest].expiresDate = purchases[source.latest].expiresDate
    }

    /// The price and the offer are the buyer's.
    private mutating func copy(
        of transaction: TransactionRecord, originalID: UInt64, for member: CustomerPlace,
        _ subscription: SubscriptionPlace?
    ) -> TransactionRecord {
        let isAssigned = subscription.map { purchases[$0].isAssigned } ?? false
        return TransactionRecord(
            id: purchases.nextTransactionID, originalID: originalID,
            webOrderLineItemID: transaction.webOrderLineItemID == nil ? nil : purchases.makeLineItem(),
            customer: member,
            product: transaction.product, quantity: transaction.quantity,
            purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: subscription.map { purchases[$0].originalPurchaseDate } ?? now,
            expiresDate: transaction.expiresDate, isRenewal: transaction.isRenewal, isFamilyShared: true,
            offer: transaction.offer, price: transaction.price, subscription: subscription,
            commitment: transaction.commitment, seats: transaction.seats, isAssigned: isAssigned,
            modificationDate: now)
    }
}
