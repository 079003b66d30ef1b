internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints of the Advanced Commerce API that pay back. A decision comes at once, and is for the refund unless the
/// request asks for `SIMULATE_REFUND_DECLINE`.
extension ServerAPICall {
    /// Revoke Subscription: it ends now, and all of its items are refunded. With `revokeSeatQuantity` it goes on with
    /// fewer seats.
    func revokeSubscription() -> ServerAPIResponse {
        manage { (simulation, request) throws(AdvancedCommerceCode) in
            let terms = try RefundTerms(request.body, types: ["FULL", "PRORATED"], simulation)
            let risking = try Self.risking(request.body)
            let seats = try Self.seats(request.body)
            let managed = try request.terms(in: simulation)
            let index = try request.subscription()
            let subscription = simulation.purchases[index]
            switch subscription.phase {
            case .active, .gracePeriod: break
            case .revoked: throw .alreadyRefunded
            case .billingRetry, .expired: throw .revokeOnInactiveSubscription
            }
            let latest = subscription.latest
            if let seats, try Self.leavesSeats(seats, index, simulation) {
                return try AdvancedCommerceCode.refusing(.transactionNotRefundable) {
                    () throws(StoreRefusal) in
                    if risking { try simulation.requestRefund(of: latest, reason: terms.consumptionReason) }
                    guard !terms.isDeclined else { return try simulation.declineRefund(of: latest) }
                    try simulation.revokeSeats(seats, of: index, terms.reason, terms.type)
                }
            }
            try Self.checkRefundable(latest, managed.present.items.map(\.sku), simulation)
            try AdvancedCommerceCode.refusing(.transactionNotRefundable) { () throws(StoreRefusal) in
                if risking { try simulation.requestRefund(of: latest, reason: terms.consumptionReason) }
                guard !terms.isDeclined else {
                    if subscription.renews { try simulation.cancel(index) }
                    return try simulation.declineRefund(of: latest)
                }
                // Seats that were added have transactions of their own.
                for place in subscription.period where simulation.purchases[place].revocation == nil {
                    let share = simulation.refundedShare(of: place, terms.type)
                    simulation.refundItems(
                        of: place, simulation.purchases[place].seatsLeft, share, terms.reason, terms.type,
                        revokes: true)
                    try simulation.refund(place, reason: terms.revocationReason, percentage: max(1, share))
                }
            }
        }
    }

    /// Request Transaction Refund, of some items of one transaction.
    func requestRefund() -> ServerAPIResponse {
        manage(isForCharges: true) { (simulation, request) throws(AdvancedCommerceCode) in
            guard let items = try request.body.items() else { throw .nullItems }
            let risking = try Self.risking(request.body)
            let place = request.place
            guard let managed = simulation.purchases.terms(ofTransaction: place) else {
                throw .subscriptionNotEligible
            }
            var refunds: [Simulation.ItemRefund] = []
            var all: [RefundTerms] = []
            for (sku, body) in try items.bySKU() {
                let terms = try RefundTerms(body, types: ["FULL", "PRORATED", "CUSTOM"], simulation)
                guard case .bool(let revokes)? = body.present("revoke") else { throw .malformedPayload }
                guard let item = managed.present.items.first(where: { $0.sku == sku }) else {
                    throw .invalidProduct
                }
                let amount = try terms.amount(body, of: item, place, simulation)
                refunds.append(terms.refund(of: item, amount: amount, revokes: revokes, at: simulation.now))
                all.append(terms)
            }
            let declined = all.filter(\.isDeclined).count
            guard declined == 0 || declined == all.count else { throw .partialSimulateRefundDecline }
            try Self.checkRefundable(place, refunds.map(\.sku), simulation)
            let revoked = refunds.filter(\.revokes).map(\.sku)
            guard !simulation.isPresent(place) || !managed.next.items.allSatisfy({ revoked.contains($0.sku) })
            else {
                throw .removalAllNotAllowed
            }
            try AdvancedCommerceCode.refusing(.transactionNotRefundable) { () throws(StoreRefusal) in
                if risking {
                    try simulation.requestRefund(of: place, reason: all.first?.consumptionReason ?? .other)
                }
                if declined > 0 {
                    try simulation.declineRefund(of: place)
                } else {
                    try simulation.refund(refunds, of: place)
                }
            }
        }
    }

    private static func risking(_ body: JSONTree) throws(AdvancedCommerceCode) -> Bool {
        guard case .bool(let risking)? = body.present("refundRiskingPreference") else {
            throw .nullRefundRisking
        }
        return risking
    }

    /// `revokeSeatQuantity`; `nil` if the whole subscription is revoked.
    private static func seats(_ body: JSONTree) throws(AdvancedCommerceCode) -> Int? {
        guard let value = body.present("revokeSeatQuantity") else { return nil }
        guard let count = value.wholeNumber, (1...Int(Int32.max)).contains(count) else {
            throw .malformedPayload
        }
        return count
    }

    /// Whether seats are left after some were revoked. If no seat is left, the whole subscription is revoked.
    private static func leavesSeats(
        _ count: Int, _ index: SubscriptionPlace, _ simulation: Simulation
    ) throws(AdvancedCommerceCode) -> Bool {
        let subscription = simulation.purchases[index]
        let seats = simulation.seats(ofPeriod: subscription)
        guard seats > 0 else { throw .subscriptionNotEligible }
        guard count <= seats else { throw .invalidAmount }
        guard simulation.purchases[subscription.latest].price > 0 else { throw .transactionNotRefundable }
        return count < seats
    }

    /// Each item of a transaction is refunded once, and only if it was paid for. A refund of seats leaves the item.
    private static func checkRefundable(
        _ place: TransactionPlace, _ skus: [String], _ simulation: Simulation
    ) throws(AdvancedCommerceCode) {
        let refunded = simulation.purchases[place].itemRefunds.filter { $0.seats == nil }.map(\.sku)
        guard simulation.purchases[place].revocation == nil, !skus.contains(where: refunded.contains)
        else {
            throw .alreadyRefunded
        }
        guard simulation.purchases[place].price > 0 else { throw .transactionNotRefundable }
    }
}
