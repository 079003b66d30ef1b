internal import StoreKitVerify
internal import WireFormats

/// The endpoints of the Advanced Commerce API that pay back. A decision comes at once, and is for the refund unless the
/// request asks for `SIMULATE_REFUND_DECLINE`.
extension ServerAPICall {
    /// Revoke Subscription: it ends now, and all of its items are refunded. With `revokeSeatQuantity` it goes on with
    /// fewer seats.
    func revokeSubscription() throws(ServerAPIError) -> ServerAPIResponse {
        try manage { (simulation, request) throws(AdvancedCommerceCode) in
            let terms = try RefundTerms(request.body, types: ["FULL", "PRORATED"], simulation)
            let risking = try Self.risking(request.body)
            let seats = try Self.seats(request.body)
            let managed = try request.terms(in: simulation)
            let index = try request.subscription()
            let subscription = simulation.subscriptions[index]
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
                    if simulation.renews(subscription) { try simulation.cancel(index) }
                    return try simulation.declineRefund(of: latest)
                }
                // Seats that were added have transactions of their own.
                for place in subscription.period where simulation.transactions[place].revocation == nil {
                    let share = simulation.refundedShare(of: place, terms.type)
                    simulation.refundItems(
                        of: place, simulation.seatsLeft(of: place), share, terms.reason, terms.type,
                        revokes: true)
                    try simulation.refund(place, reason: terms.revocationReason, percentage: max(1, share))
                }
            }
        }
    }

    /// Request Transaction Refund, of some items of one transaction.
    func requestRefund() throws(ServerAPIError) -> ServerAPIResponse {
        try manage(isForCharges: true) { (simulation, request) throws(AdvancedCommerceCode) in
            guard let items = try request.body.items() else { throw .nullItems }
            let risking = try Self.risking(request.body)
            let place = request.place
            guard let managed = simulation.terms(ofTransaction: place) else { throw .subscriptionNotEligible }
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

    /// Whether seats are left after some were revoked. If none is, the whole subscription is revoked.
    private static func leavesSeats(
        _ count: Int, _ index: Int, _ simulation: Simulation
    ) throws(AdvancedCommerceCode) -> Bool {
        let subscription = simulation.subscriptions[index]
        let seats = simulation.seats(ofPeriod: subscription)
        guard seats > 0 else { throw .subscriptionNotEligible }
        guard count <= seats else { throw .invalidAmount }
        guard simulation.transactions[subscription.latest].price > 0 else { throw .transactionNotRefundable }
        return count < seats
    }

    /// Each item of a transaction is refunded once, and only if it was paid for. A refund of seats leaves the item.
    private static func checkRefundable(
        _ place: Int, _ skus: [String], _ simulation: Simulation
    ) throws(AdvancedCommerceCode) {
        let refunded = (simulation.itemRefunds[place] ?? []).filter { $0.seats == nil }.map(\.sku)
        guard simulation.transactions[place].revocation == nil, !skus.contains(where: refunded.contains)
        else {
            throw .alreadyRefunded
        }
        guard simulation.transactions[place].price > 0 else { throw .transactionNotRefundable }
    }
}

/// How a request wants an item to be refunded.
private struct RefundTerms {
    let reason: String
    let type: String

    /// Whether the request asks for a refusal, to test it.
    var isDeclined: Bool { reason == "SIMULATE_REFUND_DECLINE" }

    private static let reasons: Set = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
        "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE",
    ]

    /// - Parameter types: Apple's names that the endpoint allows.
    init(
        _ body: JSONTree, types: Set<String>, _ simulation: Simulation
    ) throws(AdvancedCommerceCode) {
        guard let reason = body.present("refundReason") else { throw .nullRefundReason }
        guard let text = reason.stringValue, Self.reasons.contains(text) else { throw .invalidRefundReason }
        guard let type = body.present("refundType") else { throw .nullRefundType }
        guard let name = type.stringValue, types.contains(name) else { throw .invalidRefundType }
        self.reason = text
        self.type = name
        guard !isDeclined || simulation.signer.environment != .production else {
            throw .simulateRefundDeclineOnlyInSandbox
        }
    }

    /// What the app's server is asked about. Two reasons have no question of their own.
    var consumptionReason: ConsumptionRequestReason {
        switch reason {
        case "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE": .other
        default: ConsumptionRequestReason(rawValue: reason)
        }
    }

    /// A problem of the app is the only reason that a transaction tells.
    var revocationReason: Transaction.RevocationReason {
        reason == "FULFILLMENT_ISSUE" ? .developerIssue : .other
    }

    func refund(
        of item: Simulation.AdvancedCommerce.Item, amount: Int, revokes: Bool, at date: Int
    ) -> Simulation.ItemRefund {
        .init(sku: item.sku, amount: amount, date: date, reason: reason, type: type, revokes: revokes)
    }

    /// What is paid back of an item, in thousandths of the currency's unit.
    func amount(
        _ body: JSONTree, of item: Simulation.AdvancedCommerce.Item, _ place: Int, _ simulation: Simulation
    ) throws(AdvancedCommerceCode) -> Int {
        let custom = body.present("refundAmount")
        switch type {
        case "CUSTOM":
            guard let amount = custom?.wholeNumber else { throw .nullRefundAmount }
            guard amount > 0 else { throw .negativeRefundAmount }
            guard amount <= item.price else { throw .invalidAmount }
            return amount
        case _ where custom != nil: throw .refundAmountWithoutCustom
        case "PRORATED":
            guard let index = simulation.transactions[place].subscription,
                simulation.subscriptions[index].latest == place
            else {
                throw .proratedOnlyLatestTransaction
            }
            return Simulation.ItemRefund.amount(item.price, simulation.unusedShare(of: place))
        default: return item.price
        }
    }
}

extension Simulation {
    /// What an app's server sold by a transaction; `nil` for other purchases.
    func terms(ofTransaction place: Int) -> AdvancedCommerce? {
        soldTerms[place] ?? transactions[place].subscription.flatMap { subscriptions[$0].advancedCommerce }
    }

    /// Whether a transaction stands for the present period of a subscription that has not ended.
    fileprivate func isPresent(_ place: Int) -> Bool {
        guard let index = transactions[place].subscription else { return false }
        return subscriptions[index].latest == place && !isEnded(subscriptions[index])
    }

    /// Takes back some seats of the present period, from the transaction that was added last on, and tells of it in the
    /// refunds of the items.
    ///
    /// - Parameters:
    ///   - count: less than the seats that there are.
    ///   - reason, type: Apple's names.
    fileprivate mutating func revokeSeats(
        _ count: Int, of index: Int, _ reason: String, _ type: String
    ) throws(StoreRefusal) {
        var left = count
        for place in subscriptions[index].period.reversed() where left > 0 {
            let taken = min(left, seatsLeft(of: place) ?? 0)
            guard taken > 0, transactions[place].revocation == nil else { continue }
            refundItems(of: place, taken, refundedShare(of: place, type), reason, type, revokes: false)
            left -= taken
            try refundSeats(place, taken)
        }
    }

    /// Notes a refund of all items of a transaction.
    ///
    /// - Parameters:
    ///   - seats: how many are paid back; `nil` for an item of one person.
    ///   - share: the part that is paid back, in thousandths of a percent.
    ///   - reason, type: Apple's names.
    fileprivate mutating func refundItems(
        of place: Int, _ seats: Int?, _ share: Int, _ reason: String, _ type: String, revokes: Bool
    ) {
        for item in terms(ofTransaction: place)?.present.items ?? [] {
            let price = min(item.price, SeatSale.highestPrice) * (seats ?? 1)
            itemRefunds[place, default: []].append(
                ItemRefund(
                    sku: item.sku, amount: ItemRefund.amount(price, share), date: now, reason: reason,
                    type: type, revokes: revokes, seats: revokes ? nil : seats))
        }
    }

    /// The seats of a transaction that no refund took back; `nil` for a purchase of one person.
    fileprivate func seatsLeft(of place: Int) -> Int? {
        transactions[place].seats.map { $0.quantity - $0.revoked }
    }

    /// The part of a price that a refund of a type pays back, in thousandths of a percent.
    fileprivate func refundedShare(of place: Int, _ type: String) -> Int {
        type == "FULL" ? 100_000 : unusedShare(of: place)
    }

    /// The part of a transaction's period that is still to come, in thousandths of a percent.
    func unusedShare(of place: Int) -> Int {
        let transaction = transactions[place]
        guard let end = transaction.expiresDate, end > transaction.purchaseDate else { return 0 }
        let rest = min(max(0, end - now), end - transaction.purchaseDate)
        return Int((Double(rest) / Double(end - transaction.purchaseDate) * 100_000).rounded(.down))
    }
}
