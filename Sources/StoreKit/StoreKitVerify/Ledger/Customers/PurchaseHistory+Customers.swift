extension PurchaseHistory {
    /// The purchases of one customer, of all apps and environments.
    public func purchases(of customer: Customer) -> PurchaseHistory {
        let chains = purchases.filter { customer.owns(Set($0.customers)) }
        let names = chains.reduce(into: customer.names) { $0.formUnion($1.customers) }
        let appTransactions = appTransactions.filter {
            customer == .everyone || names.contains(.appTransactionID($0.appTransactionID))
        }
        let seats = claimedSeats.filter { customer.owns($0.claim.members) }
        return PurchaseHistory(chains, appTransactions, claimedSeats: seats)
    }

    /// The names that these purchases give their customer, besides those of one purchase and the ones known.
    ///
    /// A query by one name finds the purchases that carry it. The same person may have more purchases, which were made
    /// without an account token or before the app used tokens.
    package func names(besides customer: Customer) -> Set<Customer.Name> {
        // The first name is that of the purchase itself.
        Set(purchases.flatMap { $0.customers.dropFirst() }).subtracting(customer.names)
    }

    /// Of these names, those under which there are purchases that are not the customer's, in the apps and environments
    /// of these purchases; sorted. Two persons may share a download, so no answer follows the names by itself.
    ///
    /// - Parameters:
    ///   - customer: whose these purchases are.
    ///   - wider: has the purchases of the names, too.
    package func otherNames(of customer: Customer, in wider: PurchaseHistory) -> [Customer.Name] {
        let apps = Set(purchases.map(\.id.app))
        let others = wider.purchases.filter { !customer.owns(Set($0.customers)) && apps.contains($0.id.app) }
        let names = names(besides: customer).intersection(others.flatMap(\.customers))
        return names.ordered { $0.description < $1.description }
    }

    /// One history for each app and environment, and in these for each customer, without app transactions.
    ///
    /// Purchases are one customer's if they have an account token or a download in common, directly or through
    /// others, or if one moved to the other. Any other purchase is a customer's of its own. The time is linear.
    ///
    /// - Parameter areOneCustomers: whether all purchases are one customer's, whatever their names.
    public func groupedByAppAndCustomer(areOneCustomers: Bool = false) -> [PurchaseHistory] {
        var groups: [PurchaseHistory] = []
        forEachAppAndCustomer(areOneCustomers: areOneCustomers) { groups.append($0) }
        return groups
    }

    /// Gives the histories of `groupedByAppAndCustomer(areOneCustomers:)` one after the other, in no order: together they take
    /// as much memory as this one.
    package func forEachAppAndCustomer(areOneCustomers: Bool = false, _ body: (PurchaseHistory) -> Void) {
        var groups = DisjointSets()
        var firstOfName: [NameInApp: Int] = [:]
        func unite(_ names: some Sequence<Customer.Name>, in app: PurchaseChain.ID) {
            let group = groups.addSet()
            for name in areOneCustomers ? [nil] : names.map(Optional.some) {
                let name = NameInApp(app: app, name: name)
                if let first = firstOfName[name] {
                    groups.unite(first, group)
                } else {
                    firstOfName[name] = group
                }
            }
        }
        let (purchases, seats) = (purchases, Array(claimedSeats))
        let moved = Set(purchases.flatMap(\.otherOriginals))
        for chain in purchases {
            // The first name is that of the purchase itself.
            let names = chain.customers
            unite(
                moved.contains(chain.id.originalTransactionID) ? names[...] : names.dropFirst(),
                in: chain.id.app)
        }
        for seat in seats { unite(seat.claim.members, in: seat.purchase.id.app) }
        firstOfName = [:]
        let sets = (0..<purchases.count + seats.count).map { groups.set(of: $0) }
        for group in sets.indices.sorted(by: { (sets[$0], $0) < (sets[$1], $1) }).slices(where: {
            sets[$0] == sets[$1]
        }) {
            body(
                PurchaseHistory(
                    group.lazy.filter { $0 < purchases.count }.map { purchases[$0] },
                    claimedSeats: Set(
                        group.lazy.filter { $0 >= purchases.count }.map { seats[$0 - purchases.count] })))
        }
    }

    /// A customer's name in one app and environment; `nil` for the only customer.
    private struct NameInApp: Hashable {
        let app: PurchaseChain.ID
        let name: Customer.Name?
    }
}

extension PurchaseChain.ID {
    /// The same for all purchases of an app in an environment.
    fileprivate var app: PurchaseChain.ID {
        PurchaseChain.ID(originalTransactionID: 0, environment: environment, appBundleID: appBundleID)
    }
}

extension Array {
    /// The array in slices, whose elements are alike.
    fileprivate func slices(where areAlike: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var (slices, start): ([ArraySlice<Element>], Int) = ([], 0)
        for place in indices where place + 1 == count || !areAlike(self[place], self[place + 1]) {
            slices.append(self[start...place])
            start = place + 1
        }
        return slices
    }
}
