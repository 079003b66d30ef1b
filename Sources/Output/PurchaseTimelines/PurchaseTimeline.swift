package import Essentials
package import StoreKitVerify

/// A customer's purchases over time: spans with one status each, and events.
///
/// The spans are the answers of `PurchaseChain.status(at:)` from one instant to the next, and those of a purchase that moved to
/// another one are its periods of access. So a picture agrees with the entitlements, and has no rule of its own. The minute of
/// tolerance before a purchase is not in it.
package struct PurchaseTimeline: Sendable {
    /// How much of a history is looked at: its latest part. Transactions and purchases that are left out are counted.
    package struct Limits: Hashable, Sendable {
        /// The most transactions: 41 years of months, or 9 of weeks. The time grows with the square of this number.
        package var transactions = 500
        /// The most lanes: more do not fit on a page.
        package var lanes = 40

        package init() {}
    }

    /// One purchase; or all purchases of a consumable.
    package struct Lane: Sendable {
        /// The transaction that gives the lane its product and names.
        package let latest: Transaction
        /// The environment, which the purchase's other payloads may give.
        package let environment: AppStore.Environment
        /// The spans, in the order of time. They do not overlap.
        package private(set) var spans: [Span]
        /// The events, in the order of time.
        package let events: [Event]
        /// The status of the purchase at the timeline's instant; `nil` before it, after it moved to another one, and for
        /// consumables.
        package private(set) var status: PurchaseStatus?
        /// Whether the purchase moved to another one, which gives access in its place.
        package private(set) var hasMoved = false
        /// How many of its transactions, the earliest, are left out.
        package let omittedTransactions: Int
    }

    /// The lanes, latest purchase first.
    package let lanes: [Lane]
    /// The instant that counts as today.
    package let instant: Date
    /// How many lanes are left out: those without a late purchase.
    package let omittedLanes: Int

    /// - Parameters:
    ///   - history: the purchases to look at.
    ///   - instant: the instant that counts as today.
    ///   - limits: how much of the history to look at.
    /// - Complexity: quadratic in the transactions that are kept: each instant of change asks for the
    ///   status.
    package init(of history: PurchaseHistory, at instant: Date, limits: Limits = Limits()) {
        self.instant = instant
        let groups = Self.groups(of: history, limits)
        let shown = groups.prefix(limits.lanes)
        var counts: [Int: Int] = [:]
        let all = shown.enumerated().flatMap { group in
            group.element.transactions.map { (group: group.offset, transaction: $0) }
        }
        let kept = all.ordered { $0.transaction.follows($1.transaction) }.prefix(limits.transactions)
        for (group, _) in kept { counts[group, default: 0] += 1 }
        let seats = history.claimedSeats.ordered {
            ($0.claim.date, $0.claim.id.uuidString) > ($1.claim.date, $1.claim.id.uuidString)
        }
        let moved = history.movedPurchases
        let standing =
            moved.isEmpty ? [] : Set(history.purchaseStatuses(at: instant).map(\.id)).intersection(moved)
        let periods =
            moved.isEmpty ? [:] : Dictionary(grouping: history.accessPeriods(at: instant), by: \.purchase)
        lanes =
            shown.enumerated().compactMap { place, group in
                guard let count = counts[place] else { return nil }
                var lane = Lane(group, keeping: count, at: instant)
                let id = group.purchase.id
                if moved.contains(id) { lane.leave(for: periods[id] ?? [], stands: standing.contains(id)) }
                return lane
            }
            + seats.prefix(limits.lanes - shown.count).compactMap {
                Lane($0, keeping: limits.transactions, at: instant)
            }
        omittedLanes = groups.count + seats.count - lanes.count
    }

    /// The purchases that share a lane.
    fileprivate struct Group {
        /// One purchase; any of them, if they are consumables.
        let purchase: PurchaseChain
        /// The latest transactions, latest first.
        var transactions: [Transaction]
        /// The number of all transactions.
        var count: Int
    }

    /// All purchases of one consumable in one app share a lane. Any other purchase has its own.
    private struct Key: Hashable {
        let product: String
        let id: PurchaseChain.ID
    }

    /// The limit is applied to each purchase here, and to all lanes together in the initializer.
    private static func groups(of history: PurchaseHistory, _ limits: Limits) -> [Group] {
        var groups: [Key: Group] = [:]
        for purchase in history.purchases {
            let transactions = Array(purchase.transactions.prefix(limits.transactions))
            guard let latest = transactions.first else { continue }
            let isConsumable = latest.productType == .consumable
            let key = Key(
                product: isConsumable ? latest.productID : "",
                id: PurchaseChain.ID(
                    originalTransactionID: isConsumable ? 0 : purchase.id.originalTransactionID,
                    environment: purchase.id.environment, appBundleID: purchase.id.appBundleID))
            groups[key, default: Group(purchase: purchase, transactions: [], count: 0)]
                .add(transactions, of: purchase.transactionCount)
        }
        return groups.values.map { group in
            var group = group
            group.transactions = group.transactions.ordered { $0.follows($1) }
            return group
        }.ordered { first, second in
            guard let first = first.transactions.first, let second = second.transactions.first else {
                return false
            }
            return first.follows(second)
        }
    }
}

extension PurchaseTimeline.Group {
    fileprivate mutating func add(_ transactions: [Transaction], of count: Int) {
        self.transactions += transactions
        self.count += count
    }
}

extension PurchaseTimeline.Lane {
    /// - Parameter count: how many of the group's transactions to look at, at least one.
    fileprivate init(_ group: PurchaseTimeline.Group, keeping count: Int, at instant: Date) {
        let transactions = group.transactions.prefix(count)
        latest = transactions[0]
        environment = group.purchase.id.environment
        omittedTransactions = group.count - transactions.count
        guard latest.productType != .consumable else {
            spans = []
            events = PurchaseTimeline.Event.ofConsumables(transactions.reversed())
            status = nil
            return
        }
        let kept = group.purchase.keeping(latest: transactions)
        let course = StatusCourse(of: kept, from: transactions[transactions.count - 1].purchaseDate)
        spans = course.spans
        events = PurchaseTimeline.Event.all(
            in: transactions.reversed(), kept, course, at: instant, isWhole: omittedTransactions == 0)
        status = group.purchase.status(at: instant).flatMap {
            $0.transaction.purchaseDate <= instant ? $0 : nil
        }
    }

    /// Leaves to another purchase what it gives access to in place of this one, which moved to it.
    ///
    /// - Parameters:
    ///   - periods: when this purchase gave access.
    ///   - stands: whether it counts at the timeline's instant.
    fileprivate mutating func leave(for periods: [AccessPeriod], stands: Bool) {
        spans = spans.flatMap { span in
            span.kind.givesAccess ? periods.compactMap { span.within($0.begins, $0.ends) } : [span]
        }
        guard status != nil, !stands else { return }
        (status, hasMoved) = (nil, true)
    }

    /// A seat of somebody else's purchase: when it gives access, without that purchase's events, which are the purchaser's.
    fileprivate init?(_ seat: ClaimedSeat, keeping count: Int, at instant: Date) {
        let transactions = seat.purchase.transactions.prefix(count)
        guard let latest = transactions.first else { return nil }
        self.latest = latest
        environment = seat.purchase.id.environment
        omittedTransactions = seat.purchase.transactionCount - transactions.count
        spans = StatusCourse(of: seat, in: seat.purchase.keeping(latest: transactions)).spans
        events = []
        status = seat.status(at: instant)
    }
}
