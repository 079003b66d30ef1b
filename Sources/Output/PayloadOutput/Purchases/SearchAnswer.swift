package import Essentials
package import StoreKitVerify
package import WireFormats

/// The findings of a search for a customer, as a JSON object.
package struct SearchAnswer {
    private let query: String
    private var matches: [ObjectText] = []
    private var product: String?
    private var notification: UUID?
    /// Sentences about identifiers that were not found, or not looked at.
    private var notes: [String] = []

    /// - Parameter query: the identifier of the search.
    package init(_ query: String) { self.query = query }

    /// The answer. `product` is there if the text may be one: the list of customers takes it.
    package var object: ObjectText {
        var object = ObjectText()
        object.add("q", query)
        object.add("matches", all: matches)
        object.add("product", product)
        object.add("notificationUUID", notification)
        object.add("note", message: notes.isEmpty ? nil : notes.joined(separator: " "))
        return object
    }

    /// Adds a customer whose name was looked for, once for each app and environment.
    ///
    /// - Parameter history: the customer's purchases.
    package mutating func add(_ name: Customer.Name, _ history: PurchaseHistory) {
        for group in history.groupedByAppAndCustomer(areOneCustomers: true) {
            // For a customer with a seat alone, it is the purchaser's.
            let purchases = group.purchases.isEmpty ? group.claimedSeats.map(\.purchase) : group.purchases
            guard let purchase = purchases.first?.id else { continue }
            var object = Self.beginning([name.member], name)
            object.add("names", group.sharedNames.ordered.map(\.description))
            object.addUnlessEmpty("appBundleID", purchase.appBundleID)
            object.addUnlessEmpty("environment", purchase.environment.rawValue)
            object.add("purchases", group.purchases.count)
            matches.append(object)
        }
        if matches.isEmpty, !history.appTransactions.isEmpty { add(download: name) }
    }

    /// Adds a download that has no purchase.
    package mutating func add(download name: Customer.Name) {
        var object = Self.beginning([name.member], name)
        object.add("purchases", 0)
        matches.append(object)
    }

    /// Adds a purchase in whose payloads an identifier stands.
    ///
    /// - Parameters:
    ///   - members: the members that have it.
    ///   - transaction: the transaction that has it, or the latest one.
    package mutating func add(_ members: [String], _ purchase: PurchaseChain, _ transaction: Transaction?) {
        let names = purchase.customers.ordered
        guard let name = names.first else { return }
        var object = Self.beginning(members, name)
        object.add("names", names.map(\.description))
        object.addUnlessEmpty("appBundleID", purchase.id.appBundleID)
        object.addUnlessEmpty("environment", purchase.id.environment.rawValue)
        object.add("originalID", id: purchase.id.originalTransactionID)
        object.add("transactionID", id: transaction?.id)
        object.add("productID", transaction?.productID)
        object.add("purchaseDate", transaction?.purchaseDate)
        matches.append(object)
    }

    private static func beginning(_ members: [String], _ name: Customer.Name) -> ObjectText {
        var object = ObjectText()
        object.add("matched", all: members)
        object.add("name", name.description)
        return object
    }

    /// Adds a text that may be a product.
    package mutating func add(product text: String) {
        product = text
        notes.append("The list GET /v1/customers?product= has the customers of a product.")
    }

    /// Adds a notification that has come.
    package mutating func add(notification uuid: UUID) {
        notification = uuid
        notes.append(
            "A notification has this notificationUUID: see GET /v1/notifications/{notificationUUID}.")
    }

    /// Says why an order number finds nothing.
    package mutating func addOrder() {
        notes.append(
            "An order number of Apple's e-mails stands in no signed payload. Ask the App Store Server API: Look Up Order ID gives the order's transactions; send its answer to POST /v1/purchases, or search for a transaction of it."
        )
    }

    /// Says how much was searched for an identifier that no index has.
    ///
    /// - Parameters:
    ///   - payloads: how many payloads were searched.
    ///   - isPartial: whether older ones were not.
    package mutating func add(searchedPayloads payloads: Int, isPartial: Bool) {
        guard isPartial else { return }
        notes.append(
            "Only the latest \(payloads) payloads were searched for a web order line item; search for the transaction to find an older one."
        )
    }

    /// Says that there are more purchases than those of the answer.
    package mutating func addMore() {
        notes.append("There are more purchases with this identifier; these are some of them.")
    }
}

extension Customer.Name {
    /// The member of a payload that gives the name.
    fileprivate var member: String {
        switch self {
        case .appAccountToken: "appAccountToken"
        case .appTransactionID: "appTransactionId"
        case .originalTransactionID: "originalTransactionId"
        }
    }
}
