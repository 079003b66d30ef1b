package import WireFormats

/// New words for a subscription, or for one of its items, and when they begin.
package struct ChangedWords: Hashable {
    /// The item's new SKU; `nil` if it keeps its own.
    package let sku: String?
    package let displayName: String?
    package let description: String?
    /// Whether the present transaction has them, or only the next period.
    package let isImmediate: Bool

    package init(_ object: JSONTree, sku: String? = nil) throws(AdvancedCommerceCode) {
        isImmediate = try object.isImmediate()
        self.sku = sku
        displayName = try object.textIfPresent(.displayName)
        description = try object.textIfPresent(.description)
    }

    /// The words of a request for the subscription; `nil` if it has none.
    package init?(descriptorsOf body: JSONTree) throws(AdvancedCommerceCode) {
        guard let object = body.present("descriptors") else { return nil }
        try self.init(object)
        guard displayName != nil || description != nil else { throw .atLeastOneOfDisplayNameOrDescription }
    }
}

extension Simulation.AdvancedCommerce.Terms {
    /// Gives the subscription other words.
    package mutating func rename(_ words: ChangedWords) {
        displayName = words.displayName ?? displayName
        description = words.description ?? description
    }
}

extension JSONTree {
    /// Whether a change begins at once, and not with the next period.
    package func isImmediate() throws(AdvancedCommerceCode) -> Bool {
        guard let effective = present("effective") else { throw .nullEffective }
        switch effective.stringValue {
        case "IMMEDIATELY": return true
        case "NEXT_BILL_CYCLE": return false
        default: throw .malformedPayload
        }
    }
}
