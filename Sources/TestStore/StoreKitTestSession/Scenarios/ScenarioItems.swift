internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The actions of an app's server through the Advanced Commerce API.
enum AdvancedCommerceAction: Hashable, Sendable {
    case migrate(String?)
    case updateMetadata(displayName: String)
    case changePrice(Decimal)
    /// Sells items by a generic product. The scenario signs the request, as the app's server does.
    case sell(String, items: [Item])
    /// Pays an item of the latest purchase back; `nil` for its first one.
    case refund(sku: String?)

    struct Item: Hashable, Sendable {
        let sku: String
        let price: Decimal
    }
}

extension ScenarioLine {
    /// The action of a verb about the Advanced Commerce API.
    func advancedCommerceAction(
        _ verb: Substring, _ arguments: [Substring]
    ) throws(ScenarioError) -> AdvancedCommerceAction {
        let first = arguments.first.map { String($0) }
        switch verb {
        case "migrate": return .migrate(first)
        case "update-metadata":
            return .updateMetadata(displayName: try required(first, "update-metadata", "a name"))
        case "change-price":
            let text = try required(first, "change-price", "a price")
            guard let price = Decimal(price: text) else {
                throw error("\"\(text.abbreviated())\" is not a price")
            }
            return .changePrice(price)
        case "refund-item": return .refund(sku: first)
        default:
            let product = try required(first, "buy-items", "a product")
            var items: [AdvancedCommerceAction.Item] = []
            for text in arguments.dropFirst() { items.append(try item(text)) }
            guard !items.isEmpty else { throw error("buy-items needs an item, such as plant:4.99") }
            return .sell(product, items: items)
        }
    }

    /// An item and its price: `plant:4.99`.
    private func item(_ text: Substring) throws(ScenarioError) -> AdvancedCommerceAction.Item {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let price = Decimal(price: parts[1]) else {
            throw error("\"\(String(text).abbreviated())\" is not an item and its price, such as plant:4.99")
        }
        return .init(sku: String(parts[0]), price: price)
    }
}

extension Simulation {
    /// Does an action of an app's server for a customer.
    mutating func perform(_ action: AdvancedCommerceAction, by customer: CustomerPlace) throws(StoreRefusal) {
        switch action {
        case .migrate(let name): try migrate(subscription(named: name, of: customer))
        case .updateMetadata(let name):
            try updateMetadata(subscription(named: nil, of: customer), displayName: name)
        case .changePrice(let price):
            try changePrice(subscription(named: nil, of: customer), to: price.milliunits)
        case .sell(let name, let items):
            let product = try product(resolve(name, customer))
            var request = PurchaseRequest(productID: product.id)
            request.advancedCommerceData = try signedRequest(items, product, customers[customer].region)
            try purchase(request, by: customer)
        case .refund(let sku):
            try refundItem(sku, of: transaction(named: nil, of: customer))
        }
    }

    /// A request to sell items, signed by the App Store's own key. The SKU of an item is its name, too.
    private mutating func signedRequest(
        _ items: [AdvancedCommerceAction.Item], _ product: ConfiguredProduct, _ region: Region
    ) throws(StoreRefusal) -> [UInt8] {
        let list = items.map { item in
            var object = ObjectText()
            object.add("SKU", item.sku)
            object.add("displayName", item.sku)
            object.add("description", item.sku)
            object.add("price", item.price.milliunits)
            return object
        }
        var info = ObjectText()
        info.add("requestReferenceId", makeUUID().uuidString.lowercased())
        var body = ObjectText()
        body.add("version", "1")
        body.add("requestInfo", info)
        body.add("currency", region.currency)
        body.add("taxCode", "C003-00-2")
        if let subscription = product.subscription {
            var descriptors = ObjectText()
            let names = product.localizations.first
            descriptors.add("displayName", String((names?.displayName ?? product.id).prefix(30)))
            descriptors.add("description", String((names?.description ?? product.id).prefix(45)))
            body.add("operation", "CREATE_SUBSCRIPTION")
            body.add("descriptors", descriptors)
            body.add("items", all: list)
            body.add("period", subscription.period.iso8601)
        } else {
            guard list.count == 1 else {
                throw .notAllowed("\"\(product.id)\" does not renew: it sells one item at a time")
            }
            body.add("operation", "CREATE_ONE_TIME_CHARGE")
            body.add("item", list[0])
        }
        do throws(SigningFailure) {
            let key = try ServerAPIKey(of: signer.authority)
            let data = try key.advancedCommerceData(
                Data(body.utf8), for: signer.app.bundleID, at: Date(milliseconds: now), nonce: makeUUID())
            return [UInt8](data)
        } catch {
            throw .notAllowed(error.description)
        }
    }
}
