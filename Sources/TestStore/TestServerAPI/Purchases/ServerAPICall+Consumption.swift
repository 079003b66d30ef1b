internal import Essentials
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints that take what an app knows about the use of a purchase. It is kept, and decides nothing.
extension ServerAPICall {
    /// Send Consumption Information.
    ///
    /// The checks come in a fixed order, so that a body with two mistakes always gets the same answer.
    func takeConsumption() throws(ServerAPIError) -> ServerAPIResponse {
        let transaction = try consumedTransaction()
        // Apple answers malformed JSON without a code here.
        guard let body = try? object() else { return ServerAPIResponse(status: 400) }
        guard body["customerConsented"] == .bool(true) else { throw .invalidCustomerConsented }
        guard case .bool? = body["sampleContentProvided"] else { throw .invalidSampleContentProvided }
        guard let delivery = body["deliveryStatus"]?.stringValue, Self.deliveries.contains(delivery) else {
            throw .invalidDeliveryStatus
        }
        let preference = body.present("refundPreference")
        guard preference == nil || Self.preferences.contains(preference?.stringValue ?? "") else {
            throw .invalidRefundPreference
        }
        if let percentage = body.present("consumptionPercentage") {
            guard transaction.product.type != .autoRenewable else {
                throw .consumptionPercentageAutoRenewableSubscription
            }
            // Apple has errors of their own for these; their codes are not known.
            guard let percentage = percentage.wholeNumber, (0...100_000).contains(percentage),
                percentage == 0 || delivery == "DELIVERED",
                preference?.stringValue != "GRANT_PRORATED" || (1..<100_000).contains(percentage)
            else { throw .generalBadRequest }
        }
        return keep(transaction)
    }

    /// Apple's names; no other is accepted.
    private static let deliveries: Set = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
        "UNDELIVERED_OTHER",
    ]
    private static let preferences: Set = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

    /// Send Consumption Information V1, which Apple has deprecated: numbers, of which all but one are required.
    func takeFormerConsumption() throws(ServerAPIError) -> ServerAPIResponse {
        let transaction = try consumedTransaction()
        switch transaction.product.type {
        case .consumable, .autoRenewable: break
        default: throw .invalidTransactionTypeNotSupported
        }
        guard let body = try? object() else { return ServerAPIResponse(status: 400) }
        guard body["customerConsented"] == .bool(true) else { throw .invalidCustomerConsented }
        guard case .bool? = body["sampleContentProvided"] else { throw .invalidSampleContentProvided }
        for (name, highest, error) in Self.formerNumbers {
            guard let number = body[name]?.wholeNumber, (0...highest).contains(number) else { throw error }
        }
        if let preference = body.present("refundPreference") {
            guard (0...3).contains(preference.wholeNumber ?? -1) else { throw .invalidRefundPreference }
        }
        guard let token = body["appAccountToken"]?.stringValue,
            token.isEmpty || UUID(canonicalForm: token) != nil
        else {
            throw .invalidAppAccountToken
        }
        return keep(transaction)
    }

    /// Each member with its highest number and Apple's error.
    private static let formerNumbers: [(String, Int, ServerAPIError)] = [
        ("consumptionStatus", 3, .invalidConsumptionStatus), ("platform", 2, .invalidPlatform),
        ("deliveryStatus", 5, .invalidDeliveryStatus), ("accountTenure", 7, .invalidAccountTenure),
        ("playTime", 7, .invalidPlayTime),
        ("lifetimeDollarsRefunded", 7, .invalidLifetimeDollarsRefunded),
        ("lifetimeDollarsPurchased", 7, .invalidLifetimeDollarsPurchased),
        ("userStatus", 4, .invalidUserStatus),
    ]

    private func consumedTransaction() throws(ServerAPIError) -> TransactionRecord {
        try appStore.read { (simulation) throws(ServerAPIError) in
            let transaction = simulation.purchases[try place(in: simulation)]
            guard !transaction.isAssigned else { throw .assignedTransactionNotSupported }
            guard !transaction.isFamilyShared else { throw .familyTransactionNotSupported }
            return transaction
        }
    }

    /// 202, as with Apple: the information was accepted, and nothing is said about a decision.
    private func keep(_ transaction: TransactionRecord) -> ServerAPIResponse {
        api.withState { $0.consumption[transaction.id] = request.body }
        return ServerAPIResponse(status: 202)
    }
}
