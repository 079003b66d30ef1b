/// The effects of a modification on a subscription.
extension SubscriptionModification {
    /// Changes what the customer has, and what the next period brings.
    func apply(to managed: inout Simulation.AdvancedCommerce) throws(AdvancedCommerceCode) {
        try check(managed)
        for change in changes {
            managed.next.put(change.item, inPlaceOf: change.current)
            guard change.isImmediate else { continue }
            managed.present.put(change.item, inPlaceOf: change.current)
            managed.next.put(change.item.afterPeriod, inPlaceOf: change.item.sku)
        }
        managed.next.items.removeAll { removed.contains($0.sku) }
        // What was paid for stays until the period ends.
        if !retainsBillingCycle { managed.present.items.removeAll { removed.contains($0.sku) } }
        guard !managed.next.items.isEmpty else { throw .removalAllNotAllowed }
        for terms in [managed.present, managed.next] {
            guard terms.items.count <= Simulation.AdvancedCommerce.Terms.limit else {
                throw .moreItemsThanAllowed
            }
            guard Set(terms.items.map(\.sku)).count == terms.items.count else { throw .productAlreadyExists }
        }
        if let descriptors {
            managed.next.rename(descriptors)
            if descriptors.isImmediate { managed.present.rename(descriptors) }
        }
        managed.next.taxCode = taxCode ?? managed.next.taxCode
        if isImmediate || isOfWords { managed.present.taxCode = managed.next.taxCode }
    }

    private func check(_ managed: Simulation.AdvancedCommerce) throws(AdvancedCommerceCode) {
        let (present, next) = (managed.present.items, managed.next.items)
        for sku in removed where !next.contains(where: { $0.sku == sku }) { throw .removeItemNotFound }
        for change in changes {
            guard let current = change.current else { continue }
            guard let old = next.first(where: { $0.sku == current }) else { throw .changeItemNotFound }
            if change.isImmediate {
                guard let paid = present.first(where: { $0.sku == current }) else {
                    throw .changeItemNotFound
                }
                guard paid.offer == nil else { throw .offerPreventsItemMidCycleChange }
            }
            // A price changes by another request. Only another period brings another price.
            guard change.item.sku != current || change.item.price == old.price || periodChange != nil else {
                throw .priceChangeNotSupportedThroughModifyItems
            }
        }
        if periodChange != nil {
            let named = Set(changes.compactMap(\.current) + removed)
            guard next.allSatisfy({ named.contains($0.sku) }) else {
                throw .missingUpdatedItemsWithPeriodChange
            }
        }
    }

    /// The customer's payment at once, in thousandths of the currency's unit.
    ///
    /// - Parameters:
    ///   - present: what the customer has after the change.
    ///   - rest: the part of the period that is still to come, in thousandths of a percent.
    func charge(for present: Simulation.AdvancedCommerce.Terms, rest: Int) -> Int {
        let prorated = Dictionary(changes.map { ($0.item.sku, $0.proratedPrice) }) { first, _ in first }
        guard retainsBillingCycle else {
            return present.items.reduce(0) { $0 + ((prorated[$1.sku] ?? nil) ?? $1.charge) }
        }
        return changes.filter(\.isImmediate).reduce(0) { sum, change in
            let share = Simulation.ItemRefund.amount(change.item.charge, rest)
            return sum + (change.proratedPrice ?? change.item.offer?.price ?? share)
        }
    }
}

extension Simulation.AdvancedCommerce.Terms {
    /// Adds an item, or replaces the one that has this SKU.
    fileprivate mutating func put(_ item: Simulation.AdvancedCommerce.Item, inPlaceOf sku: String?) {
        if let sku, let place = items.firstIndex(where: { $0.sku == sku }) {
            items[place] = item
        } else {
            items.append(item)
        }
    }
}
