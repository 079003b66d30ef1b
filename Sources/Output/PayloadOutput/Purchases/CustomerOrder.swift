package import StoreKitVerify

/// Puts what is said about all customers in order, when some customers come at a time: by each customer's lowest original
/// transaction. A customer is one in each app and environment.
package struct CustomerOrder<Element> {
    /// Gives what is said about the purchases of one customer, in order.
    private let elements: (PurchaseHistory) -> [Element]
    /// Customers that wait, because others may come before them in the order.
    private var waiting: [(first: PurchaseChain.ID, elements: [Element])] = []

    package init(_ elements: @escaping (PurchaseHistory) -> [Element]) { self.elements = elements }

    /// Adds the purchases of some customers, all that each has.
    ///
    /// - Parameter next: the lowest original transaction of those that follow; `nil` if none follows.
    /// - Returns: the next elements in the order.
    package mutating func add(_ history: PurchaseHistory, before next: UInt64?) -> [Element] {
        history.forEachAppAndCustomer { group in
            // Most customers have nothing to list, or one element.
            guard let first = group.firstPurchase, case let elements = elements(group), !elements.isEmpty
            else { return }
            waiting.append((first, elements))
        }
        waiting = waiting.ordered { $0.first.precedes($1.first) }
        let count = waiting.prefix { customer in
            next.map { customer.first.originalTransactionID < $0 } ?? true
        }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).flatMap(\.elements)
    }
}

extension PurchaseHistory {
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
