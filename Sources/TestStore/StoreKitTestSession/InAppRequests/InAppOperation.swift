internal import Essentials
internal import WireFormats

/// The operation of a request of the Advanced Commerce API that an app hands to StoreKit.
struct InAppOperation {
    enum Kind: Hashable {
        case charge
        /// The length of a period, and a transaction of the subscription that was there before.
        case subscription(period: String, previous: UInt64?)
        /// A transaction of the subscription, and the items that renew again; `nil` for all.
        case reactivation(of: UInt64, items: [String]?)
        case modification(SubscriptionModification)
    }

    let kind: Kind
    let info: AdvancedCommerceRequestInfo
    /// The names and the items of a sale; empty for a change.
    let terms: Simulation.AdvancedCommerce.Terms

    /// Reads a request.
    ///
    /// - Parameter region: the customer's. Prices and the storefront must fit it.
    init(_ body: JSONTree, in region: Region) throws(AdvancedCommerceCode) {
        let name = body.present("operation")?.stringValue
        guard let version = body.present("version") else { throw .nullVersion }
        guard version == .string("1") else { throw .unexpectedVersion }
        info = try AdvancedCommerceRequestInfo(body)
        try body.checkStorefront(region)
        switch name {
        case "CREATE_ONE_TIME_CHARGE":
            kind = .charge
            guard let item = body.present("item") else { throw .nullItem }
            // What is sold once has no periods.
            guard item.present("offer") == nil else { throw .moreOffersThanAllowed }
            terms = try Self.terms([item], body, named: item, region)
        case "CREATE_SUBSCRIPTION":
            kind = try Self.subscription(body)
            guard let descriptors = body.present("descriptors") else { throw .nullDescriptors }
            guard let items = try body.items() else { throw .nullItems }
            terms = try Self.terms(items, body, named: descriptors, region)
        case "REACTIVATE_SUBSCRIPTION":
            kind = try Self.reactivation(body)
            terms = .init(displayName: "", description: "", items: [])
        case "MODIFY_SUBSCRIPTION":
            kind = .modification(try SubscriptionModification(body, in: region))
            terms = .init(displayName: "", description: "", items: [])
        default: throw .invalidOperation
        }
    }

    private static func subscription(_ body: JSONTree) throws(AdvancedCommerceCode) -> Kind {
        guard let period = body.present("period") else { throw .nullPeriod }
        guard let text = period.stringValue else { throw .invalidSalableDuration }
        guard let previous = body.present("previousTransactionId") else {
            return .subscription(period: text, previous: nil)
        }
        guard let identifier = UInt64(previous.stringValue ?? "") else { throw .invalidPreviousTransactionID }
        return .subscription(period: text, previous: identifier)
    }

    private static func reactivation(_ body: JSONTree) throws(AdvancedCommerceCode) -> Kind {
        let identifier = try body.transactionID()
        guard let items = try body.items() else { return .reactivation(of: identifier, items: nil) }
        return .reactivation(of: identifier, items: try items.bySKU().map(\.sku))
    }

    /// - Parameter named: the object with the names of the whole.
    private static func terms(
        _ list: [JSONTree], _ body: JSONTree, named: JSONTree, _ region: Region
    ) throws(AdvancedCommerceCode) -> Simulation.AdvancedCommerce.Terms {
        guard let currency = body.present("currency") else { throw .nullCurrency }
        guard currency.stringValue == region.currency else { throw .invalidCurrency }
        guard let taxCode = try body.taxCode() else { throw .nullTaxCode }
        var items: [Simulation.AdvancedCommerce.Item] = []
        for (_, item) in try list.bySKU() { items.append(try .init(sold: item, in: region)) }
        guard items.count <= Simulation.AdvancedCommerce.Terms.limit else { throw .moreItemsThanAllowed }
        return .init(
            displayName: try named.text(.displayName), description: try named.text(.description),
            items: items, taxCode: taxCode)
    }
}
