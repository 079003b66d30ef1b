/// Transactions in the form and size that the App Store signs today, each with its own numbers.
enum CorpusPayload {
    /// 2025-12-06, in the period of the newest leaf.
    private static let firstDate = 1_765_000_000_123

    /// The JSON of one transaction: the renewal of a subscription under an offer, as of 2025.
    static func transaction(_ number: Int) -> String {
        let signed = firstDate + number * 977 % 30_000_000_000
        let purchased = signed - 10_133
        let account = String(number, radix: 16)
        let padding = String(repeating: "0", count: 12 - min(account.count, 12))
        return """
            {"transactionId":"\(2_000_000_900_000_001 + number)",\
            "originalTransactionId":"\(2_000_000_400_000_000 + number / 7)",\
            "webOrderLineItemId":"\(2_000_000_080_000_001 + number)","bundleId":"com.example.garden",\
            "productId":"com.example.garden.plus.\(number % 5 == 0 ? "yearly" : "monthly")",\
            "subscriptionGroupIdentifier":"21000001","purchaseDate":\(purchased),\
            "originalPurchaseDate":\(purchased - 2_678_400_000),"expiresDate":\(purchased + 2_678_400_000),\
            "quantity":1,"type":"Auto-Renewable Subscription",\
            "appAccountToken":"7c5f1e0a-2b3d-4c6e-9f80-\(padding)\(account)",\
            "inAppOwnershipType":"PURCHASED","signedDate":\(signed),"offerType":2,\
            "offerIdentifier":"spring-\(number % 100)","offerDiscountType":"PAY_AS_YOU_GO",\
            "offerPeriod":"P1M","environment":"Sandbox","transactionReason":"RENEWAL","storefront":"DEU",\
            "storefrontId":"143443","price":\(990 + number % 9 * 1000),"currency":"EUR",\
            "appTransactionId":"\(704_000_000_000_000_001 + number / 7)"}
            """
    }
}
