internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints of the Advanced Commerce API that give a subscription other words, or begin to manage it.
extension ServerAPICall {
    /// Change Subscription Metadata.
    func changeMetadata() -> ServerAPIResponse {
        manage { (simulation, request) throws(AdvancedCommerceCode) in
            let change = try MetadataChange(request.body)
            var managed = try request.terms(in: simulation)
            let index = try request.subscription()
            guard !simulation.purchases[index].isEnded else { throw .inactiveACASub }
            managed.next = try change.applied(to: managed.next, immediatelyOnly: false)
            managed.present = try change.applied(to: managed.present, immediatelyOnly: true)
            managed.requestReferenceID = request.info.reference
            try AdvancedCommerceCode.refusing(.subscriptionNotEligible) { () throws(StoreRefusal) in
                try simulation.changeWords(index, to: managed)
            }
        }
    }

    /// Migrate a Subscription.
    ///
    /// The subscription keeps its product and its identifiers. Of several items, the first has the whole price: a request
    /// names no prices.
    func migrate() -> ServerAPIResponse {
        manage { (simulation, request) throws(AdvancedCommerceCode) in
            let body = request.body
            let words = try Self.migration(body)
            let index = try request.subscription()
            let subscription = simulation.purchases[index]
            guard subscription.advancedCommerce == nil else { throw .subscriptionAlreadyMigrated }
            guard subscription.phase == .active else { throw .inactiveACASub }
            guard subscription.priceIncrease == nil else {
                throw .migrationNotAllowedWhenPriceIncreaseCommunicated
            }
            let present = simulation.purchases.product(ofSubscription: index)
            guard (words.renewalItems != nil) == (subscription.nextProduct.id != present.id) else {
                throw .pendingChangesMismatch
            }
            var terms = words.terms
            terms.items[0].price = simulation.presentPrice(subscription)
            var next = terms
            next.items = words.renewalItems ?? terms.items
            next.items[0].price = simulation.chosenPrice(subscription)
            try AdvancedCommerceCode.refusing(.subscriptionNotEligible) { () throws(StoreRefusal) in
                try simulation.manage(index, by: request.info.reference, terms, next: next)
            }
        }
    }

    private typealias Migration = (
        terms: Simulation.AdvancedCommerce.Terms, renewalItems: [Simulation.AdvancedCommerce.Item]?
    )

    /// The words of a request to migrate. There is at least one item.
    private static func migration(_ body: JSONTree) throws(AdvancedCommerceCode) -> Migration {
        guard let target = body.present("targetProductId") else { throw .nullTargetProductID }
        guard let product = target.stringValue, !product.isEmpty else { throw .invalidTargetProductID }
        guard let taxCode = try body.taxCode() else { throw .nullTaxCode }
        guard let descriptors = body.present("descriptors") else { throw .nullDescriptors }
        let (name, text) = (try descriptors.text(.displayName), try descriptors.text(.description))
        guard let items = try body.items() else { throw .nullItems }
        let terms = Simulation.AdvancedCommerce.Terms(
            displayName: name, description: text, items: try Self.items(items), taxCode: taxCode)
        let renewal = try body.items("renewalItems")
        return (terms, try renewal.map { (list) throws(AdvancedCommerceCode) in try Self.items(list) })
    }

    private static func items(
        _ list: [JSONTree]
    ) throws(AdvancedCommerceCode) -> [Simulation.AdvancedCommerce.Item] {
        var items: [Simulation.AdvancedCommerce.Item] = []
        for (sku, item) in try list.bySKU() {
            items.append(
                .init(
                    sku: sku, displayName: try item.text(.displayName),
                    description: try item.text(.description), price: 0))
        }
        return items
    }
}

/// A request of Change Subscription Metadata.
private struct MetadataChange {
    private let descriptors: ChangedWords?
    private var items: [(current: String, words: ChangedWords)] = []
    private let taxCode: String?

    init(_ body: JSONTree) throws(AdvancedCommerceCode) {
        taxCode = try body.taxCode()
        descriptors = try ChangedWords(descriptorsOf: body)
        for item in try body.items() ?? [] {
            let current = try item.text(.currentSKU)
            guard !items.contains(where: { $0.current == current }) else {
                throw .itemCannotBeSpecifiedMultipleTimes
            }
            items.append((current, try ChangedWords(item, sku: try item.textIfPresent(.sku))))
        }
        guard descriptors != nil || !items.isEmpty || taxCode != nil else {
            throw .atLeastOneOfDisplayNameOrDescription
        }
    }

    /// - Parameter immediatelyOnly: whether what begins with the next billing cycle is left out.
    func applied(
        to terms: Simulation.AdvancedCommerce.Terms, immediatelyOnly: Bool
    ) throws(AdvancedCommerceCode) -> Simulation.AdvancedCommerce.Terms {
        var new = terms
        if let taxCode { new.taxCode = taxCode }
        if let words = descriptors, words.isImmediate || !immediatelyOnly { new.rename(words) }
        for (current, words) in items where words.isImmediate || !immediatelyOnly {
            guard let place = terms.items.firstIndex(where: { $0.sku == current }) else {
                throw .invalidProduct
            }
            new.items[place].sku = words.sku ?? current
            new.items[place].displayName = words.displayName ?? terms.items[place].displayName
            new.items[place].description = words.description ?? terms.items[place].description
        }
        guard Set(new.items.map(\.sku)).count == new.items.count else { throw .invalidProductChanges }
        return new
    }
}
