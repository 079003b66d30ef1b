import Minting

/// Payloads in the forms and sizes that the App Store signs today, each with its own numbers.
struct CorpusPayload: Sendable {
    /// The payloads of a corpus.
    enum Content: String, CaseIterable, Sendable {
        case transactions, renewals
        case appTransactions = "app-transactions"
        case realtimeRequests = "realtime-requests"
        /// Each has a transaction and renewal information inside.
        case notifications
        /// 60 % notifications, 30 % transactions, and 10 % of the other three.
        case mixed

        /// The kind of the payload with this number: never `mixed`.
        ///
        /// From one hundred to the next, the kinds move on by a line. So spoilt lines, which are at one place
        /// of a hundred, are of all kinds.
        func kind(_ number: Int) -> Content {
            guard self == .mixed else { return self }
            return switch (number + number / 100) % 10 {
            case 0..<6: .notifications
            case 6..<9: .transactions
            default: [.renewals, .appTransactions, .realtimeRequests][number / 10 % 3]
            }
        }

        /// The member that has the token where a webhook or an endpoint's answer is logged.
        var wrapper: String {
            switch self {
            case .transactions: "signedTransactionInfo"
            case .renewals: "signedRenewalInfo"
            case .appTransactions: "signedAppTransactionInfo"
            case .realtimeRequests, .notifications, .mixed: "signedPayload"
            }
        }
    }

    /// 2025-12-06, in the period of the newest leaf.
    private static let firstDate = 1_765_000_000_123
    /// The device of all app transactions.
    private static let device = "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"

    private let number: Int
    /// Whether there are nested, null and escaped members, and some are absent.
    private let isVaried: Bool
    private let signed: Int
    private let purchased: Int

    init(_ number: Int, isVaried: Bool = false) {
        self.number = number
        self.isVaried = isVaried
        signed = Self.firstDate + number * 977 % 30_000_000_000
        purchased = signed - 10_133
    }

    /// The JSON of a payload of this kind. A notification's inner payloads have the signer of the notification.
    func json(_ kind: Content, signer: TokenMinter) throws(MintingError) -> String {
        switch kind {
        case .transactions: transaction
        case .renewals: renewal
        case .appTransactions: try appTransaction()
        case .realtimeRequests: realtimeRequest
        case .notifications, .mixed:
            try notification(
                signer.token(payload: transaction), signer.token(payload: renewal))
        }
    }

    /// The renewal of a subscription under an offer, as of 2025.
    var transaction: String {
        """
        {"transactionId":"\(2_000_000_900_000_001 + number)",\
        "originalTransactionId":"\(originalTransaction)",\
        "webOrderLineItemId":"\(2_000_000_080_000_001 + number)","bundleId":"com.example.garden",\
        "productId":"\(product)",\
        "subscriptionGroupIdentifier":"21000001","purchaseDate":\(purchased),\
        "originalPurchaseDate":\(purchased - 2_678_400_000),"expiresDate":\(purchased + 2_678_400_000),\
        "quantity":1,"type":"Auto-Renewable Subscription","appAccountToken":"\(account)",\
        "inAppOwnershipType":"PURCHASED","signedDate":\(signed),\(offer)\
        "environment":"Sandbox","transactionReason":"RENEWAL","storefront":"DEU",\
        "storefrontId":"143443","price":\(price),"currency":"EUR",\
        \(isVaried ? #""revocationDate":null,"revocationReason":null,"# + nested("", "ExpiresDate") : "")\
        "appTransactionId":"\(appTransactionIdentifier)"}
        """
    }

    private var renewal: String {
        """
        {"originalTransactionId":"\(originalTransaction)","autoRenewProductId":"\(product)",\
        "productId":"\(product)","autoRenewStatus":1,"renewalPrice":\(price),"currency":"EUR",\
        "signedDate":\(signed),"environment":"Sandbox",\
        \(isVaried ? #""priceIncreaseStatus":null,"# + offer + nested("Renewal", "RenewalDate") : "")\
        "recentSubscriptionStartDate":\(purchased - 2_678_400_000),\
        "renewalDate":\(purchased + 2_678_400_000),"appTransactionId":"\(appTransactionIdentifier)"}
        """
    }

    private func appTransaction() throws(MintingError) -> String {
        let hash = try DeviceHash.value(nonce: identifier, deviceIdentifier: Self.device)
        return """
            {"receiptType":"Production","appAppleId":1234567890,"bundleId":"com.example.garden",\
            "applicationVersion":"3.1","versionExternalIdentifier":860000001,\
            "receiptCreationDate":\(signed),"originalPurchaseDate":1640995200000,\
            "originalApplicationVersion":"1.0",\(isVaried ? #""preorderDate":null,"# : "")\
            "deviceVerification":"\(isVaried ? hash.replacing("/", with: #"\/"#) : hash)",\
            "deviceVerificationNonce":"\(identifier)",\
            "appTransactionId":"\(appTransactionIdentifier)","originalPlatform":"iOS"}
            """
    }

    private var realtimeRequest: String {
        """
        {"originalTransactionId":"\(originalTransaction)","appAppleId":1234567890,\
        "productId":"\(product)","userLocale":"\(isVaried ? #"de\u002DDE"# : "de-DE")",\
        "requestIdentifier":"\(identifier)","signedDate":\(signed),"environment":"Sandbox"}
        """
    }

    private func notification(_ transaction: String, _ renewal: String) -> String {
        """
        {"notificationType":"DID_RENEW",\(isVaried ? #""subtype":null,"# : "")\
        "notificationUUID":"\(identifier)","data":{"appAppleId":1234567890,\
        "bundleId":"com.example.garden","bundleVersion":"31","environment":"Sandbox",\
        "signedTransactionInfo":"\(transaction)","signedRenewalInfo":"\(renewal)","status":1},\
        "version":"2.0","signedDate":\(signed)}
        """
    }

    /// The members of an offer. Among varied payloads, one in three has none.
    private var offer: String {
        guard !isVaried || number % 3 > 0 else { return "" }
        let name = isVaried ? #"fr\u00fchling\/"# : "spring-"
        return """
            "offerType":2,"offerIdentifier":"\(name)\(number % 100)","offerDiscountType":"PAY_AS_YOU_GO",\
            "offerPeriod":"P1M",
            """
    }

    /// `advancedCommerceInfo` with items in half of the payloads, and `null` in the others, which have
    /// `commitmentInfo` instead. The arguments are parts of names that differ between transactions and renewals.
    private func nested(_ price: String, _ date: String) -> String {
        number % 2 == 0
            ? #"""
            "advancedCommerceInfo":{"requestReferenceId":"\#(identifier)","taxCode":"C003-00-2","period":"P1M",\#
            "descriptors":{"displayName":"Garden \"Plus\"","description":"Beete\n& Kr\u00e4uter"},\#
            "items":[{"SKU":"herbs-\#(number % 7)","displayName":"Kr\u00e4uter","description":"Salbei \\ Minze",\#
            "offer":null,"price":990},{"SKU":"seeds","displayName":"Samen","description":"","offer":\#
            {"period":"P1M","periodCount":1,"price":490,"reason":"ACQUISITION"},"price":4990}]},
            """#
            : """
            "advancedCommerceInfo":null,"commitmentInfo":{"commitment\(date)":\(purchased + 31_536_000_000),\
            "billingPeriodNumber":\(number % 12 + 1),"totalBillingPeriods":12,\
            "commitment\(price)Price":\(self.price * 12)},
            """
    }

    private var originalTransaction: Int { 2_000_000_400_000_000 + number / 7 }
    private var appTransactionIdentifier: Int { 704_000_000_000_000_001 + number / 7 }
    private var product: String { "com.example.garden.plus.\(number % 5 == 0 ? "yearly" : "monthly")" }
    private var price: Int { 990 + number % 9 * 1000 }

    /// The account token for each number, which is no other payload's identifier.
    private var account: String { "ac" + identifier.dropFirst(2) }

    /// A UUID for each number.
    private var identifier: String {
        let digits = String(number, radix: 16)
        return "7c5f1e0a-2b3d-4c6e-9f80-" + String(repeating: "0", count: 12 - min(digits.count, 12)) + digits
    }
}
