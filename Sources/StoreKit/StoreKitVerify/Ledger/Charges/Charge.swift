public import Essentials

/// An amount that a customer paid for a purchase, or got back.
///
/// <doc:WhatWasPaid> has the rules. Apple advises against the use of these amounts for accounting: its financial reports are
/// for that.
public struct Charge: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The customer bought a product, began a subscription, or added seats.
        case purchase
        /// A subscription renewed.
        case renewal
        /// The customer went from one subscription to another, which began at once.
        case upgrade
        /// The App Store paid back the purchase, a share of it, or some of its seats.
        case refund
        /// The App Store paid back an item of an Advanced Commerce purchase.
        case refundOfItem
        /// An upgrade cut off a period, and no payload says what was given back for the rest. The amount is an estimate, by
        /// time.
        case prorated
    }

    /// What happened.
    public let kind: Kind
    /// When it happened.
    public let date: Date
    /// The amount, in units of the currency and never below zero; `nil` if no payload has it, and of an estimate.
    public let amount: Decimal?
    /// The estimate of an amount that no payload has, in units of the currency.
    public let estimate: Decimal?
    /// The number of products or seats.
    public let quantity: Int
    /// The SKU of the item, of a refund of one.
    public let item: String?
    /// The purchase, with the app and the environment that all of its payloads give.
    public let purchase: PurchaseChain.ID
    /// The original transaction with which the customer's history began, before it moved to this one.
    public let firstOriginalTransactionID: UInt64
    /// The names of the customer who owns the purchase.
    public let customers: [Customer.Name]
    /// The transaction that was paid for.
    public var transaction: Transaction { paid }
    /// The transaction whose payload says so: for a refund, it may be a copy of the one that was paid for.
    public var evidence: Transaction { decides }
    /// The transaction whose period an upgrade has cut off, or of an estimate the one that has cut it off.
    public let counterpart: UInt64?

    @Boxed private var paid: Transaction
    @Boxed private var decides: Transaction

    init(
        _ kind: Kind, _ date: Date, _ amount: Decimal?, estimate: Decimal? = nil, quantity: Int? = nil,
        item: String? = nil, of purchase: PaidPurchase, by evidence: Transaction, counterpart: UInt64? = nil
    ) {
        (self.kind, self.date, self.amount, self.estimate) = (kind, date, amount, estimate)
        (self.quantity, self.item) = (quantity ?? purchase.transaction.purchasedQuantity, item)
        self.purchase = purchase.id
        firstOriginalTransactionID = purchase.firstOriginal
        customers = purchase.customers
        self.counterpart = counterpart
        (paid, decides) = (purchase.transaction, evidence)
    }

    /// Whether this one comes before another: by date, and at one date by the transaction, then in the order of the kinds.
    func precedes(_ other: Charge) -> Bool {
        if date != other.date { return date < other.date }
        if transaction != other.transaction { return other.transaction.follows(transaction) }
        let (one, two) = (kind.order, other.kind.order)
        return one == two ? (item ?? "") < (other.item ?? "") : one < two
    }
}

extension Charge.Kind {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
