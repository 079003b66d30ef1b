package import Essentials
package import StoreKitVerify
package import WireFormats

/// A product that a customer owns, and until when if that is known.
package struct Entitlement {
    private let status: PurchaseStatus
    /// The names of the customer who owns it.
    package let customers: [Customer.Name]

    package var transaction: Transaction { status.transaction }
    package var renewalInfo: Product.SubscriptionInfo.RenewalInfo? { status.renewalInfo }
    package var end: Date? { status.end }

    /// The entitlements at an instant, latest purchase first: those of each customer in each app and environment.
    ///
    /// - Parameter areOneCustomers: whether all purchases are one customer's.
    package static func all(
        in history: PurchaseHistory, areOneCustomers: Bool, at instant: Date
    ) -> [Entitlement] {
        history.groupedByAppAndCustomer(areOneCustomers: areOneCustomers).flatMap { group in
            let names = group.sharedNames
            return group.entitlements(at: instant).map { status in
                Entitlement(
                    status: status,
                    customers: names.sorted { $0.description < $1.description }
                        + (status.seatClaim == nil
                            ? [.originalTransactionID(status.transaction.originalID)] : []))
            }
        }.sorted { $0.transaction.follows($1.transaction) }
    }

    /// The entitlements of each customer in each app and environment, latest purchase first, and the customer's lowest
    /// original transaction; sorted by that.
    fileprivate static func byCustomer(
        in history: PurchaseHistory, at instant: Date
    ) -> [(first: PurchaseChain.ID, entitlements: [Entitlement])] {
        history.groupedByAppAndCustomer().compactMap { group in
            group.firstPurchase.map { first in
                (first, all(in: group, areOneCustomers: true, at: instant))
            }
        }.sorted { $0.first.precedes($1.first) }
    }

    /// The state as StoreKit names it.
    package var stateName: String? { status.stateName }

    /// The entitlement as a JSON object, with StoreKit's names.
    package var object: ObjectText {
        var object = ObjectText()
        status.addProduct(to: &object)
        status.addPurchase(to: &object)
        object.add("customers", customers.map(\.description))
        return object
    }
}

/// Puts the entitlements of all customers in order, when some customers come at a time: by each customer's lowest original
/// transaction, and of one customer the latest purchase first.
package struct EntitlementOrder {
    private let instant: Date
    /// Customers that wait, because others may come before them in the order.
    private var waiting: [(first: PurchaseChain.ID, entitlements: [Entitlement])] = []

    package init(at instant: Date) { self.instant = instant }

    /// Adds the purchases of some customers, all that each has.
    ///
    /// - Parameter next: the lowest original transaction of those that follow; `nil` if none follows.
    /// - Returns: the next entitlements in the order.
    package mutating func add(_ history: PurchaseHistory, before next: UInt64?) -> [Entitlement] {
        waiting += Entitlement.byCustomer(in: history, at: instant)
        waiting.sort { $0.first.precedes($1.first) }
        let count = waiting.prefix { customer in
            next.map { customer.first.originalTransactionID < $0 } ?? true
        }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).flatMap(\.entitlements)
    }
}

/// What a customer's purchases in one app and environment have in common.
extension PurchaseHistory {
    /// The names of the customer, without those of single purchases.
    var sharedNames: Set<Customer.Name> {
        Set(purchases.flatMap { $0.customers.dropFirst() }).union(claimedSeats.flatMap(\.claim.members))
    }

    /// The lowest purchase. A member of somebody else's subscription may have none: then it is that of a seat.
    var firstPurchase: PurchaseChain.ID? {
        let ids = purchases.isEmpty ? claimedSeats.map(\.purchase.id) : purchases.map(\.id)
        return ids.min { $0.precedes($1) }
    }
}

extension PurchaseChain.ID {
    func precedes(_ other: PurchaseChain.ID) -> Bool {
        (originalTransactionID, appBundleID, environment.rawValue)
            < (other.originalTransactionID, other.appBundleID, other.environment.rawValue)
    }
}
