internal import WireFormats

/// `MODIFY_SUBSCRIPTION`: what a request of an app's server changes in a subscription.
struct SubscriptionModification: Hashable {
    /// An item that is added, or that takes the place of another one.
    struct Change: Hashable {
        /// The SKU of the item that is there; `nil` if the item is added.
        let current: String?
        let item: Simulation.AdvancedCommerce.Item
        /// Whether it begins at once, as what is added does.
        let isImmediate: Bool
        /// The customer's payment for the rest of the period, in thousandths of the currency's unit.
        let proratedPrice: Int?
    }

    /// Another length of the periods.
    struct PeriodChange: Hashable {
        let period: String
        let isImmediate: Bool
    }

    /// A transaction of the subscription.
    let transaction: UInt64
    /// Whether the present period ends when it was to end. Otherwise, a new one begins at once.
    let retainsBillingCycle: Bool
    let changes: [Change]
    /// The SKUs of items that end.
    let removed: [String]
    let periodChange: PeriodChange?
    let descriptors: ChangedWords?
    let taxCode: String?

    /// Whether anything of what the customer pays for changes at once.
    var isImmediate: Bool { changes.contains(where: \.isImmediate) || periodChange?.isImmediate == true }
    /// Whether nothing changes except words.
    var isOfWords: Bool { changes.isEmpty && periodChange == nil }

    /// - Parameter region: the customer's. Prices and the currency must fit it.
    init(_ body: JSONTree, in region: Region) throws(AdvancedCommerceCode) {
        transaction = try body.transactionID()
        guard let retains = body.present("retainBillingCycle") else { throw .nullRetainBillingCycle }
        guard case .bool(let retainsBillingCycle) = retains else { throw .malformedPayload }
        self.retainsBillingCycle = retainsBillingCycle
        guard (body.present("currency") ?? .string(region.currency)).stringValue == region.currency else {
            throw .invalidCurrency
        }
        taxCode = try body.taxCode()
        descriptors = try ChangedWords(descriptorsOf: body)
        periodChange = try Self.periodChange(body)
        removed = try body.items("removeItems")?.bySKU().map(\.sku) ?? []
        changes = try Self.added(body, region) + Self.changed(body, region)
        guard removed.isEmpty || !changes.isEmpty else { throw .removeItemsWithoutAddOrChangeItems }
        guard !isOfWords || descriptors != nil else { throw .oneItemNeededInModify }
        let skus = changes.map { $0.current ?? $0.item.sku } + removed
        guard Set(skus).count == skus.count else { throw .multipleOperationsOnSingleSKU }
        try checkTimes()
    }

    private static func periodChange(_ body: JSONTree) throws(AdvancedCommerceCode) -> PeriodChange? {
        guard let change = body.present("periodChange") else { return nil }
        guard let period = change.present("period") else { throw .nullPeriod }
        guard let text = period.stringValue else { throw .invalidRenewalPeriod }
        return PeriodChange(period: text, isImmediate: try change.isImmediate())
    }

    private static func added(_ body: JSONTree, _ region: Region) throws(AdvancedCommerceCode) -> [Change] {
        var changes: [Change] = []
        for (_, object) in try body.items("addItems", ifEmpty: .emptyAddChangeItems)?.bySKU() ?? [] {
            changes.append(try change(object, current: nil, isImmediate: true, region))
        }
        return changes
    }

    private static func changed(_ body: JSONTree, _ region: Region) throws(AdvancedCommerceCode) -> [Change] {
        var changes: [Change] = []
        for object in try body.items("changeItems", ifEmpty: .emptyAddChangeItems) ?? [] {
            let current = try object.text(.currentSKU)
            guard object.present("SKU") != nil else { throw .nullNewSKU }
            guard let reason = object.present("reason") else { throw .nullReason }
            guard ["UPGRADE", "DOWNGRADE", "APPLY_OFFER"].contains(reason.stringValue) else {
                throw .invalidChangeReason
            }
            let change = try change(
                object, current: current, isImmediate: try object.isImmediate(), region)
            guard reason.stringValue != "APPLY_OFFER" || change.item.offer != nil else {
                throw .invalidChangeReason
            }
            changes.append(change)
        }
        return changes
    }

    private static func change(
        _ object: JSONTree, current: String?, isImmediate: Bool, _ region: Region
    ) throws(AdvancedCommerceCode) -> Change {
        let item = try Simulation.AdvancedCommerce.Item(sold: object, in: region)
        let price = try object.proratedPrice(in: region)
        guard price == nil || item.offer == nil else { throw .multiplePrices }
        guard price == nil || isImmediate else { throw .invalidProratedPriceForChangeItemWithEffectiveLater }
        return Change(current: current, item: item, isImmediate: isImmediate, proratedPrice: price)
    }

    /// Whether the times of the changes fit each other.
    private func checkTimes() throws(AdvancedCommerceCode) {
        if let periodChange {
            guard !periodChange.isImmediate || !retainsBillingCycle else {
                throw .periodResetWithRetainBillingCycle
            }
            guard !periodChange.isImmediate || changes.allSatisfy(\.isImmediate) else {
                throw .periodChangeImmediateWithEffectiveAtNextBillingCycle
            }
            guard periodChange.isImmediate || !changes.contains(where: { $0.current == nil }) else {
                throw .periodChangeEffectiveConflict
            }
        }
        guard retainsBillingCycle || isImmediate && changes.allSatisfy(\.isImmediate) else {
            throw .billingCycleResetWithEffectiveLater
        }
    }
}
