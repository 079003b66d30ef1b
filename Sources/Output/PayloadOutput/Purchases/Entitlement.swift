package import Essentials
package import StoreKitVerify
package import WireFormats

/// A product that a customer owns, and until when if that is known.
package struct Entitlement {
    private let status: PurchaseStatus
    /// The names of the customer who owns it.
    package let customers: [Customer.Name]

    package var purchase: PurchaseChain.ID { status.purchase }
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
                    customers: names.ordered { $0.description < $1.description }
                        + (status.seatClaim == nil
                            ? [.originalTransactionID(status.transaction.originalID)] : []))
            }
        }.ordered { $0.transaction.follows($1.transaction) }
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

/// What a customer's purchases in one app and environment have in common.
extension PurchaseHistory {
    /// The names of the customer, without those of single purchases.
    var sharedNames: Set<Customer.Name> {
        Set(purchases.flatMap { $0.customers.dropFirst() }).union(claimedSeats.flatMap(\.claim.members))
    }
}
