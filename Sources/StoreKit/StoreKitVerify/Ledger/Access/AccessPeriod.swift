public import Essentials

/// A time in which a purchase entitled its customer to a product, in one state.
///
/// <doc:WhenIsACustomerEntitled> has the rules. At every instant, a purchase entitles its customer if and only if one of its
/// periods covers the instant.
public struct AccessPeriod: Hashable, Sendable {
    /// How a period ended.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
        /// The subscription renewed.
        case renewed
        /// Another transaction of the same period stands for it from then on: added seats, or a copy for another device.
        case continued
        /// The renewal failed, and a grace period began.
        case gracePeriod
        /// Another product of the same purchase took its place.
        case replaced
        /// The purchase became part of another one, such as of a bundle.
        case moved
        /// The customer turned renewal off.
        case voluntary
        /// The App Store could not charge the customer.
        case billing
        /// The customer did not consent to a higher price.
        case price
        /// The product was not for sale when it should have renewed.
        case unavailable
        /// The App Store refunded the purchase.
        case refund
        /// The end of Family Sharing, or of an assignment.
        case revoked
        /// No payload says why it was not renewed.
        case unknown
    }

    /// The purchase, with the app and the environment that all of its payloads give.
    public let purchase: PurchaseChain.ID
    /// The original transaction with which the customer's history began, before it moved to this one.
    public let firstOriginalTransactionID: UInt64
    /// The names of the customer who owns the purchase.
    public let customers: [Customer.Name]
    /// The state of an auto-renewable subscription, subscribed or in a grace period; `nil` for other products.
    public let state: Product.SubscriptionInfo.RenewalState?
    /// The first instant of the period.
    public internal(set) var begins: Date
    /// The first instant after the period; `nil` if it has no end.
    public internal(set) var ends: Date?
    /// How it ended; `nil` if it has not.
    public internal(set) var ending: Ending?
    /// The number of seats that the purchaser may use; `nil` for other purchases.
    public let seats: Int?
    /// The transaction that entitles the customer.
    public var transaction: Transaction { entitling }

    @Boxed private var entitling: Transaction

    init(
        _ status: PurchaseStatus, of chain: PurchaseChain, first: UInt64, customers: [Customer.Name],
        begins: Date
    ) {
        (purchase, firstOriginalTransactionID, self.customers) = (chain.id, first, customers)
        (state, self.begins) = (status.state, begins)
        seats = status.seats?.available
        entitling = status.transaction
    }

    /// Whether another period goes on in the same way.
    func isContinued(by status: PurchaseStatus) -> Bool {
        transaction.id == status.transaction.id && state == status.state
            && seats == status.seats?.available
    }
}
