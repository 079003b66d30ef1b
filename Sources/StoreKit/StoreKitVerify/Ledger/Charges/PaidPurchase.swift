internal import Essentials
internal import WireFormats

/// A transaction that the customer paid for, with its copies, and what its charge and refunds are.
struct PaidPurchase {
    let id: PurchaseChain.ID
    /// The original transaction with which the customer's history began.
    let firstOriginal: UInt64
    let customers: [Customer.Name]
    /// The transaction that was paid for: the earliest of the copies.
    @Boxed var transaction: Transaction
    let copies: [Transaction]
    /// The transaction that began before the end of this one's period, and its product replaced this one's; `nil` if there is
    /// none, or if it is not known.
    @Boxed var successor: Transaction?
    /// The transaction that this one replaced.
    let predecessor: UInt64?
    /// Whether the purchase has an earlier paid period.
    let isLaterPeriod: Bool

    /// The charge, the refunds and the estimate.
    var charges: [Charge] {
        let items = refundsOfItems
        return [charge] + items
            + [refund(besides: items), refundOfSeats, estimate(besides: items)].compactMap(\.self)
    }

    /// What the customer paid, in thousandths of the currency's unit. Copies repeat it. A payload of before 2022 has no price.
    private var price: Int64? {
        copies.lazy.compactMap(\.charge).compactMap(\.thousandths).first { $0 >= 0 }
    }

    private var charge: Charge {
        let isRenewal =
            transaction.reason == .renewal
            || transaction.reason.rawValue.isEmpty && isLaterPeriod
        let kind: Charge.Kind = predecessor != nil ? .upgrade : isRenewal ? .renewal : .purchase
        return Charge(
            kind, transaction.purchaseDate, price.map(Decimal.init(thousandths:)), of: self, by: transaction,
            counterpart: predecessor)
    }

    // MARK: - What came back

    /// The refund of the purchase, or of a share of it. The copies have one refund; the earliest says when. Refunds of items
    /// are a part of it.
    private func refund(besides items: [Charge]) -> Charge? {
        let revoked = copies.filter { $0.revocationDate != nil }
        guard let first = revoked.min(by: Self.isRevokedBefore), let date = first.revocationDate else {
            return nil
        }
        let whole = price.map { first.revokedShare(of: $0) }
        let ofItems = items.compactMap(\.amount?.thousandths)
        // Each item may have been paid back by itself.
        if !items.isEmpty, ofItems.count == items.count, let whole, ofItems.reduce(0, +) >= whole {
            return nil
        }
        let amount = whole.map { max(0, $0 - ofItems.reduce(0, +)) }
        return Charge(.refund, date, amount.map(Decimal.init(thousandths:)), of: self, by: first)
    }

    private static func isRevokedBefore(_ one: Transaction, _ other: Transaction) -> Bool {
        guard let first = one.revocationDate, let second = other.revocationDate, first != second else {
            return other.follows(one)
        }
        return first < second
    }

    /// The copy that was signed last.
    private var latest: Transaction { copies.max { $1.isLater(than: $0) } ?? transaction }

    /// The refunds of items of an Advanced Commerce purchase, which the transaction has without a revocation date.
    private var refundsOfItems: [Charge] {
        let latest = latest
        var rest = price
        return (latest.advancedCommerceInfo?.items ?? []).flatMap { item in
            item.refunds.map { refund in
                let whole = refund.type == .full ? item.price : nil
                var amount = (refund.amount ?? whole)?.thousandths.flatMap { $0 < 0 ? nil : $0 }
                // Never more than was paid.
                if let left = rest, let known = amount {
                    amount = min(left, known)
                    rest = left - min(left, known)
                }
                return Charge(
                    .refundOfItem, refund.date ?? latest.signedDate, amount.map(Decimal.init(thousandths:)),
                    quantity: refund.revokedSeatQuantity ?? 1, item: item.details.sku, of: self, by: latest)
            }
        }
    }

    /// The refund of some seats. No payload has its amount or date. Seats fill the tiers from the highest price on, so those
    /// that were taken back are estimated at the lowest prices.
    private var refundOfSeats: Charge? {
        let latest = latest
        guard let info = latest.multiSeatInfo, let seats = info.revokedSeatQuantity, seats > 0,
            latest.revocationDate == nil
        else { return nil }
        return Charge(
            .refund, latest.signedDate, nil,
            estimate: info.price(ofLast: seats).map(Decimal.init(thousandths:)), quantity: seats, of: self,
            by: latest)
    }

    // MARK: - What an upgrade gave back

    /// The estimate of what was given back for the time that an upgrade cut off.
    ///
    /// The App Store gives back a part of the price in proportion to the time that is left
    /// (<https://developer.apple.com/app-store/subscriptions/>). If a payload has a refund, that one counts alone.
    private func estimate(besides items: [Charge]) -> Charge? {
        guard let end = transaction.expirationDate, let price,
            !copies.contains(where: { $0.revocationDate != nil }),
            let (date, evidence) = replacement(before: end)
        else { return nil }
        let whole = end.timeIntervalSince(transaction.purchaseDate)
        let left = end.timeIntervalSince(date)
        guard whole > 0, left > 0 else { return nil }
        // What came back before, or is estimated to, does not come back again.
        let back =
            items.compactMap(\.amount?.thousandths).reduce(0, +) + (refundOfSeats?.estimate?.thousandths ?? 0)
        let share = price.share(milliseconds(min(left, whole)), of: milliseconds(whole))
        return Charge(
            .prorated, date, nil, estimate: Decimal(thousandths: max(0, min(share, price - back))), of: self,
            by: evidence, counterpart: successor?.id)
    }

    /// When the period was replaced, and the transaction that says so.
    private func replacement(before end: Date) -> (Date, Transaction)? {
        if let successor { return (successor.purchaseDate, successor) }
        // The successor is not known: the mark was signed at the upgrade or later.
        let marked = copies.filter { $0.isUpgraded && $0.signedDate < end }.min {
            $0.signedDate < $1.signedDate
        }
        return marked.map { ($0.signedDate, $0) }
    }

    private func milliseconds(_ seconds: TimeInterval) -> Int64 {
        Int64(exactly: (seconds * 1000).rounded()) ?? .max
    }
}

extension Transaction {
    /// The share of a price that `revocationPercentage` has taken back, rounded to a thousandth. Without it, all of it.
    ///
    /// The percentage is rounded itself: a refund of one of three products has 33.333. So one that is the rounded share of some
    /// of the products, or of a third, is taken for that share.
    fileprivate func revokedShare(of price: Int64) -> Int64 {
        guard let percentage = revocationPercentage?.thousandths else { return price }
        let share = min(max(0, percentage), 100_000)
        for whole in [Int64(clamping: purchasedQuantity), 3] where (1...1_000_000).contains(whole) {
            let part = whole.share(share, of: 100_000)
            if Int64(100_000).share(part, of: whole) == share { return price.share(part, of: whole) }
        }
        return price.share(share, of: 100_000)
    }
}

extension Int64 {
    /// A share of an amount that is not below zero, rounded.
    ///
    /// - Parameter whole: above zero.
    fileprivate func share(_ part: Int64, of whole: Int64) -> Int64 {
        Int64(clamping: (Int128(self) * Int128(part) * 2 + Int128(whole)) / (Int128(whole) * 2))
    }
}

extension Transaction.MultiSeatInfo {
    /// The price of some seats, those of the lowest prices, in thousandths; `nil` if the tiers do not have it.
    fileprivate func price(ofLast seats: Int) -> Int64? {
        guard charge != nil else { return nil }
        var (left, sum) = (Int64(clamping: seats), Int64(0))
        for tier in priceTiers.ordered(by: { $0.price < $1.price }) where left > 0 {
            guard let price = tier.price.thousandths else { return nil }
            let taken = min(left, Int64(clamping: max(0, tier.quantity)))
            let (part, isTooMuch) = price.multipliedReportingOverflow(by: taken)
            let (total, overflows) = sum.addingReportingOverflow(part)
            guard !isTooMuch, !overflows else { return nil }
            (sum, left) = (total, left - taken)
        }
        return left == 0 ? sum : nil
    }
}

extension Decimal {
    /// The number in thousandths, if that is a whole number of 64 bits.
    fileprivate var thousandths: Int64? { Int64((self * 1000).description) }
}
