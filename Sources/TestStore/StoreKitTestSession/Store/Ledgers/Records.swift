package import Essentials
package import StoreKitVerify

/// A transaction of the simulated App Store.
///
/// It is `Hashable`, because a device compares what it has with what the App Store has now.
package struct TransactionRecord: Hashable {
    package let id: UInt64
    package let originalID: UInt64
    /// Only subscriptions have one.
    package let webOrderLineItemID: UInt64?
    package let customer: CustomerPlace
    package let product: ConfiguredProduct
    let quantity: Int
    package let purchaseDate: Int
    let originalPurchaseDate: Int
    package internal(set) var expiresDate: Int?
    let isRenewal: Bool
    /// Whether the purchase is another customer's: the family's, or with `isAssigned` a seat.
    package let isFamilyShared: Bool
    /// The offer of this period.
    let offer: ConfiguredOffer?
    /// The charge for the whole quantity, in thousandths of the currency's unit.
    package let price: Int
    package internal(set) var appAccountToken: UUID?
    package let subscription: SubscriptionPlace?
    /// The commitment that the period is a part of.
    var commitment: Commitment?
    /// The seats of a purchase for several people; a member's one repeats the buyer's.
    var seats: PurchasedSeats?
    package internal(set) var revocation: Revocation?
    /// Whether a transaction of a higher level has replaced it.
    var isUpgraded = false
    package internal(set) var isFinished = false
    /// The place of the buyer's purchase, for a member's one that does not renew.
    var sharedFrom: TransactionPlace?
    /// Whether it is a member's seat in a subscription that somebody else bought.
    package internal(set) var isAssigned = false
    /// When anything in the transaction changed last.
    package internal(set) var modificationDate: Int
    /// The refunds of items that an app's server sold by it.
    package internal(set) var itemRefunds: [Simulation.ItemRefund] = []

    /// The seats that no refund took back; `nil` for a purchase of one person.
    package var seatsLeft: Int? { seats.map(\.left) }

    package var ownership: Transaction.OwnershipType {
        isAssigned ? .assigned : isFamilyShared ? .familyShared : .purchased
    }

    package struct Revocation: Hashable {
        package let date: Int
        let reason: Transaction.RevocationReason
        let type: Transaction.RevocationType
        /// The refunded share, in thousandths of a percent; `nil` where nothing is paid back.
        package let percentage: Int?
    }
}

/// What another device gets of a purchase that it restores: the same purchase under another identifier.
package struct RestoredCopy: Hashable, Sendable {
    let id: UInt64
    /// When a product that does not renew was restored; `nil` for a subscription, whose period it leaves as it is.
    let date: Int?
}

/// A customer's commitment to a year that is billed month by month.
struct Commitment: Hashable, Sendable {
    /// How many months it has.
    static let months = 12

    /// The number of the present month, counted from 1.
    var number: Int
    /// When the last month ends.
    var end: Int
    /// The price of all months, in thousandths of the currency's unit.
    var price: Int?
    /// Whether another year follows.
    var willRenew = true
}

/// A customer's subscription in one group.
package struct SubscriptionRecord {
    /// Where the subscription is in its life.
    package enum Phase: Hashable {
        case active
        /// The payment failed, and the customer keeps the service until this time.
        case gracePeriod(end: Int)
        /// The payment failed, and the App Store tries until this time.
        case billingRetry(end: Int)
        case expired(Product.SubscriptionInfo.RenewalInfo.ExpirationReason)
        case revoked
    }

    /// A new price that the customer was told of.
    package struct PriceIncrease: Hashable {
        let price: Int
        var isAgreed: Bool
    }

    /// An offer, and for how many more periods it holds.
    struct RunningOffer: Hashable {
        let offer: ConfiguredOffer
        var periods: Int
    }

    package let customer: CustomerPlace
    /// The group never changes. A product of another group is another subscription.
    package let groupID: String
    package let originalID: UInt64
    /// The original transaction under which it began, if it moved.
    var previousOriginalID: UInt64?
    /// The subscription as which it goes on under another original transaction.
    var movedTo: SubscriptionPlace?
    let originalPurchaseDate: Int
    /// The transaction that stands for the present period: of several, the first one that is not revoked.
    package internal(set) var latest: TransactionPlace
    /// All transactions of the present period: more than one after seats were added.
    package internal(set) var period: [TransactionPlace] = []
    /// Counts the periods.
    var periodNumber = 0
    /// The number of the buyer's period that a member's latest transaction is of.
    var followedPeriod = 0
    /// How the subscription is sold for several people; it stays as it was at the purchase.
    var seatSale: SeatSale?
    /// The seats of the next period; `nil` if it is for one person.
    var nextSeats: Int?
    /// Whether it is a member's seat in a subscription that somebody else bought.
    var isAssigned = false
    /// The product that renews next: after the present period, or after the last month of a commitment.
    package internal(set) var nextProduct: ConfiguredProduct
    /// Whether `nextProduct` is billed month by month.
    var nextIsMonthly = false
    var willRenew = true
    package internal(set) var phase = Phase.active
    package internal(set) var priceIncrease: PriceIncrease?
    /// The price of this subscription, in thousandths of the unit, if it is no longer the product's.
    var price: Int?
    /// The commitment to a year that is billed month by month; `nil` for other plans.
    var commitment: Commitment?
    /// The offer for the next periods.
    var nextOffer: RunningOffer?
    /// When the present run without long gaps began.
    var recentStart: Int
    /// Where the present cycle of equal periods began, and how many it has had.
    var cycle: (start: Int, periods: Int)
    /// How often it has renewed since it was bought.
    var renewals = 0
    /// How many periods were paid for.
    var paidPeriods: Int
    /// When the renewal date was extended, by each extension.
    var extensions: [Int] = []
    /// When the last grace period ended or will end.
    var gracePeriodEnd: Int?
    package internal(set) var appAccountToken: UUID?
    /// The subscriptions that members of the family have because of this one, until they leave. An end of the buyer's
    /// subscription ends them, and its new beginning serves them again.
    ///
    /// `sharedFrom` is the other direction of the same tie.
    var members: [SubscriptionPlace] = []
    /// The subscription that the family shares.
    var sharedFrom: SubscriptionPlace?
    /// The state that a refund's reversal restores.
    var beforeRevocation: (phase: Phase, willRenew: Bool)?
    /// The terms of the app's server for the subscription; `nil` unless it manages it.
    package internal(set) var advancedCommerce: Simulation.AdvancedCommerce?
    /// Whether the product was taken off sale.
    var isOffSale = false
    /// Whether the group of people who have the seats is an organization.
    package internal(set) var isOrganization = false
    /// The version of the subscription's next event. An event on the agenda with an older version is void.
    var dueVersion = 0
}

extension SubscriptionRecord {
    /// A grace period and billing retry are no end: a payment can still renew the subscription.
    package var isEnded: Bool {
        switch phase {
        case .expired, .revoked: true
        case .active, .gracePeriod, .billingRetry: false
        }
    }

    /// Whether the present month is not the last one, so that the next one follows whatever the customer chose.
    var isBound: Bool {
        guard let commitment, !isEnded else { return false }
        return commitment.number < Commitment.months
    }

    /// Whether another period follows the present one.
    package var renews: Bool { !isEnded && (isBound || customerRenews) }

    /// Whether the customer wants the subscription, or the commitment, to renew.
    var customerRenews: Bool {
        get { commitment?.willRenew ?? willRenew }
        set { if commitment == nil { willRenew = newValue } else { commitment?.willRenew = newValue } }
    }

    /// The state, as `status` of the App Store Server API.
    package var state: Product.SubscriptionInfo.RenewalState {
        switch phase {
        case .active: .subscribed
        case .gracePeriod: .inGracePeriod
        case .billingRetry: .inBillingRetryPeriod
        case .expired: .expired
        case .revoked: .revoked
        }
    }
}
