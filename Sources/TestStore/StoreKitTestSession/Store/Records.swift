package import Essentials
package import StoreKitVerify

/// A customer of the simulated App Store. Times are in milliseconds since 1970.
package struct CustomerRecord {
    /// The number of the download, which all of the customer's payloads name.
    package let appTransactionID: UInt64
    package var region: Region
    /// When the customer got the app.
    let downloadDate: Int
    /// Whether payments of renewals fail.
    var paymentsFail = false
    /// Whether purchases fail, too.
    var purchasesFail = false
    /// The customer's transactions, oldest first, as places in the list of all.
    package var transactions: [Int] = []
    /// The customer's own subscription in each group, as places in the list of all.
    var subscriptions: [String: Int] = [:]
    /// The subscription in each group that the family shares with the customer, beside an own one.
    var sharedSubscriptions: [String: Int] = [:]
    /// Both kinds, in the order in which they began.
    package var allSubscriptions: [Int] {
        (Array(subscriptions.values) + Array(sharedSubscriptions.values)).sorted()
    }
    /// The groups in which the customer has used an introductory offer.
    var groupsWithIntroductoryOffer: Set<String> = []
}

/// A transaction of the simulated App Store.
///
/// It is `Hashable`, because a device compares what it has with what the App Store has now.
package struct TransactionRecord: Hashable {
    package let id: UInt64
    package let originalID: UInt64
    /// Only subscriptions have one.
    package let webOrderLineItemID: UInt64?
    package let customer: Int
    package let product: ConfiguredProduct
    let quantity: Int
    package let purchaseDate: Int
    let originalPurchaseDate: Int
    package var expiresDate: Int?
    let isRenewal: Bool
    /// Whether the purchase is another customer's: the family's, or with `isAssigned` a seat.
    package let isFamilyShared: Bool
    /// The offer of this period.
    let offer: ConfiguredOffer?
    /// The charge for the whole quantity, in thousandths of the currency's unit.
    package let price: Int
    package var appAccountToken: UUID?
    /// The place of the subscription in the list of all.
    package let subscription: Int?
    /// The commitment that the period is a part of.
    var commitment: Commitment?
    /// The seats of a purchase for several people; a member's one repeats the buyer's.
    var seats: PurchasedSeats?
    package var revocation: Revocation?
    /// Whether a transaction of a higher level has replaced it.
    var isUpgraded = false
    package var isFinished = false
    /// The place of the buyer's purchase, for a member's one that does not renew.
    var sharedFrom: Int?
    /// Whether it is a member's seat in a subscription that somebody else bought.
    package var isAssigned = false
    /// When anything in the transaction changed last.
    package var modificationDate: Int

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

    package let customer: Int
    /// The group never changes. A product of another group is another subscription.
    package let groupID: String
    package let originalID: UInt64
    let originalPurchaseDate: Int
    /// The transaction that stands for the present period, as a place in the list of all: of several, the first one that
    /// is not revoked.
    package var latest: Int
    /// All transactions of the present period: more than one after seats were added.
    package var period: [Int] = []
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
    package var nextProduct: ConfiguredProduct
    /// Whether `nextProduct` is billed month by month.
    var nextIsMonthly = false
    var willRenew = true
    package var phase = Phase.active
    package var priceIncrease: PriceIncrease?
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
    package var appAccountToken: UUID?
    /// The subscriptions that members of the family have because of this one, until they leave. An end of the buyer's
    /// subscription ends them, and its new beginning serves them again.
    ///
    /// `sharedFrom` is the other direction of the same tie.
    var members: [Int] = []
    /// The subscription that the family shares.
    var sharedFrom: Int?
    /// The state that a refund's reversal restores.
    var beforeRevocation: (phase: Phase, willRenew: Bool)?
    /// The terms of the app's server for the subscription; `nil` unless it manages it.
    package var advancedCommerce: Simulation.AdvancedCommerce?
    /// Whether the product was taken off sale.
    var isOffSale = false
    /// The version of the subscription's next event. An event on the agenda with an older version is void.
    var dueVersion = 0
}
