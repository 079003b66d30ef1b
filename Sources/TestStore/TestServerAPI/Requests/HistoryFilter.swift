internal import StoreKitTestSession
internal import StoreKitVerify

/// Which of a customer's transactions a request for the history asks for. Values of one filter are alternatives.
///
/// The names and the errors are those of Apple's page "Get Transaction History".
struct HistoryFilter {
    /// Purchase dates in milliseconds, without the end.
    private let dates: Range<Int>
    private let productIDs: [String]
    private let types: [Product.ProductType]
    private let groupIDs: [String]
    private let ownership: Transaction.OwnershipType?
    private let isRevoked: Bool?
    let isDescending: Bool

    /// Reads the query. A value that Apple refuses is refused with Apple's error.
    init(_ call: ServerAPICall) throws(ServerAPIError) {
        let start = try Self.date(call.queryValue("startDate"), else: .invalidStartDate) ?? .min
        let end = try Self.date(call.queryValue("endDate"), else: .invalidEndDate) ?? .max
        // An end before the start gives no transactions; Apple documents no error for it.
        dates = start..<max(start, end)
        productIDs = call.queryValues("productId")
        guard !productIDs.contains("") else { throw .invalidProductID }
        groupIDs = call.queryValues("subscriptionGroupIdentifier")
        guard !groupIDs.contains("") else { throw .invalidSubscriptionGroupIdentifier }
        var types: [Product.ProductType] = []
        for name in call.queryValues("productType") {
            guard let type = Self.types[name] else { throw .invalidProductType }
            types.append(type)
        }
        self.types = types
        isDescending =
            try Self.choice(
                call.queryValue("sort"), "ASCENDING", "DESCENDING", else: .invalidSort) ?? false
        ownership = try Self.ownership(call.queryValue("inAppOwnershipType"))
        // Apple's Python library writes True and False.
        let excluded = try Self.choice(
            call.queryValue("excludeRevoked")?.lowercased(), "false", "true", else: .invalidExcludeRevoked)
        let revoked = try Self.choice(
            call.queryValue("revoked")?.lowercased(), "false", "true", else: .invalidRevoked)
        // The former parameter, excludeRevoked, counts only where the present one is missing.
        isRevoked = revoked ?? (excluded == true ? false : nil)
    }

    /// Apple's names in the query, which differ from those in payloads.
    private static let types: [String: Product.ProductType] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewable, "CONSUMABLE": .consumable,
        "NON_CONSUMABLE": .nonConsumable,
    ]

    /// - Parameter error: Apple's error for a text that is no number of milliseconds.
    private static func date(_ text: String?, else error: ServerAPIError) throws(ServerAPIError) -> Int? {
        guard let text else { return nil }
        guard let date = Int(text), date >= 0 else { throw error }
        return date
    }

    /// Apple's page does not say whether the filter takes `ASSIGNED`; it is taken here.
    private static func ownership(_ name: String?) throws(ServerAPIError) -> Transaction.OwnershipType? {
        guard let name else { return nil }
        let known: [Transaction.OwnershipType] = [.purchased, .familyShared, .assigned]
        guard let ownership = known.first(where: { $0.rawValue == name }) else {
            throw .invalidInAppOwnershipType
        }
        return ownership
    }

    /// One of two values; `nil` if the query has none.
    private static func choice(
        _ text: String?, _ no: String, _ yes: String, else error: ServerAPIError
    ) throws(ServerAPIError) -> Bool? {
        switch text {
        case nil: nil
        case no: false
        case yes: true
        default: throw error
        }
    }

    /// Whether a transaction passes every filter.
    func contains(_ transaction: TransactionRecord) -> Bool {
        dates.contains(transaction.purchaseDate)
            && (productIDs.isEmpty || productIDs.contains(transaction.product.id))
            && (types.isEmpty || types.contains(transaction.product.type))
            && (groupIDs.isEmpty || groupIDs.contains(transaction.product.subscription?.groupID ?? ""))
            && (ownership == nil || ownership == transaction.ownership)
            && (isRevoked == nil || isRevoked == (transaction.revocation != nil))
    }
}
