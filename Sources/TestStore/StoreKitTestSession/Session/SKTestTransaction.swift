public import Essentials

/// A transaction as a test session shows it (StoreKitTest's `SKTestTransaction`), also one that waits for an approval.
public struct SKTestTransaction: Hashable, Sendable {
    /// Where a purchase stands (StoreKit's `SKPaymentTransactionState`). The numbers are Apple's.
    public enum State: Int, Hashable, Sendable, CaseIterable {
        /// The App Store works on the purchase.
        case purchasing = 0
        /// The customer has the product.
        case purchased = 1
        /// The purchase failed.
        case failed = 2
        /// The customer has the product again.
        case restored = 3
        /// The purchase waits for an approval.
        case deferred = 4
    }

    /// The transaction's identifier.
    public let identifier: UInt
    /// The identifier of the purchase's first transaction.
    public let originalTransactionIdentifier: UInt
    /// The product.
    public let productIdentifier: String
    /// Where the purchase stands.
    public let state: State
    /// When the customer bought the product.
    public let purchaseDate: Date
    /// When the subscription's period ends; `nil` for other products.
    public let expirationDate: Date?
    /// When the purchase was refunded or revoked.
    public let cancelDate: Date?
    /// Whether the subscription renews.
    public let autoRenewingEnabled: Bool
    /// Whether the purchase was interrupted, or the renewal could not be paid for.
    public let hasPurchaseIssue: Bool
    /// Whether the purchase waits for a parent's approval.
    public let pendingAskToBuyConfirmation: Bool
    /// Whether a price increase waits for the customer's consent.
    public let isPendingPriceIncreaseConsent: Bool
}

extension SKTestTransaction {
    /// `UInt` is Apple's type. It holds every identifier on a platform of 64 bits.
    init(_ place: TransactionPlace, _ simulation: Simulation) {
        let transaction = simulation.purchases[place]
        let subscription = transaction.subscription.map { simulation.purchases[$0] }
        let isLatest = subscription?.latest == place
        identifier = UInt(clamping: transaction.id)
        originalTransactionIdentifier = UInt(clamping: transaction.originalID)
        productIdentifier = transaction.product.id
        state = .purchased
        purchaseDate = Date(milliseconds: transaction.purchaseDate)
        expirationDate = transaction.expiresDate.map { Date(milliseconds: $0) }
        cancelDate = transaction.revocation.map { Date(milliseconds: $0.date) }
        autoRenewingEnabled =
            subscription.map { !$0.isEnded && $0.customerRenews } ?? false
        hasPurchaseIssue =
            switch subscription?.phase {
            case .gracePeriod, .billingRetry: isLatest
            default: false
            }
        pendingAskToBuyConfirmation = false
        let isOver = subscription.map { $0.isEnded } ?? true
        isPendingPriceIncreaseConsent =
            isLatest && !isOver && subscription?.priceIncrease?.isAgreed == false
    }

    /// A purchase that has not succeeded: it waits for a parent, or for the customer to settle an issue, or was declined.
    init(_ waiting: WaitingPurchase) {
        identifier = waiting.identifier
        originalTransactionIdentifier = waiting.identifier
        productIdentifier = waiting.request.productID
        state = waiting.reason == .askToBuy ? .deferred : .failed
        purchaseDate = Date(milliseconds: waiting.date)
        (expirationDate, cancelDate) = (nil, nil)
        autoRenewingEnabled = false
        hasPurchaseIssue = waiting.reason == .interruption
        pendingAskToBuyConfirmation = waiting.reason == .askToBuy
        isPendingPriceIncreaseConsent = false
    }
}

/// A purchase that the customer began, and that did not succeed yet.
struct WaitingPurchase: Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        case askToBuy
        case interruption
        /// A parent has declined it. It will never succeed.
        case declined
    }

    /// The identifier that the transaction would have. The transaction gets one of its own.
    let identifier: UInt
    let request: PurchaseRequest
    /// Why it waits, and who can end that.
    var reason: Reason
    let date: Int
}
