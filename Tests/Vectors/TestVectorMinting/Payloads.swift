/// Payloads in the forms that the App Store signs, about an app that does not exist.
enum Payloads {
    static let bundleIdentifier = "com.example.garden"
    static let appAppleIdentifier = 1_234_567_890
    static let deviceIdentifier = "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"
    static let nonce = "0b8e4c2d-7a61-4f3b-95d8-c1e2f3a4b5c6"

    /// 2025-12-06, 2024-06-10 and 2022-08-20: one instant in the period of each leaf, newest first.
    static let date = 1_765_000_000_123
    static let date2024 = 1_718_000_000_456
    static let date2022 = 1_661_000_000_789

    /// A subscription as of 2025.
    static let transaction: JSONText = [
        "transactionId": "2000000900000001", "originalTransactionId": "2000000900000000",
        "webOrderLineItemId": "2000000080000001", "bundleId": "com.example.garden",
        "productId": "com.example.garden.plus.monthly", "subscriptionGroupIdentifier": "21000001",
        "purchaseDate": 1_764_999_990_000, "originalPurchaseDate": 1_762_321_590_000,
        "expiresDate": 1_767_678_390_000, "quantity": 1, "type": "Auto-Renewable Subscription",
        "inAppOwnershipType": "PURCHASED", "signedDate": .number(date), "environment": "Sandbox",
        "transactionReason": "RENEWAL", "storefront": "DEU", "storefrontId": "143443", "price": 4990,
        "currency": "EUR", "appTransactionId": "704000000000000001",
    ]

    /// The fewest members that still identify the kind.
    static let smallTransaction: JSONText = [
        "transactionId": "2000000900000002", "bundleId": "com.example.garden",
        "productId": "com.example.garden.seeds", "environment": "Sandbox", "signedDate": .number(date),
    ]

    /// A subscription as of 2022: no price, no storefront.
    static let transaction2022: JSONText = [
        "transactionId": "2000000100000001", "originalTransactionId": "2000000100000000",
        "webOrderLineItemId": "2000000001000001", "bundleId": "com.example.garden",
        "productId": "com.example.garden.plus.monthly", "subscriptionGroupIdentifier": "21000001",
        "purchaseDate": 1_660_999_990_000, "originalPurchaseDate": 1_658_321_590_000,
        "expiresDate": 1_663_678_390_000, "quantity": 1, "type": "Auto-Renewable Subscription",
        "inAppOwnershipType": "PURCHASED", "signedDate": .number(date2022), "environment": "Sandbox",
    ]

    static let renewalInfo: JSONText = [
        "originalTransactionId": "2000000900000000", "autoRenewProductId": "com.example.garden.plus.monthly",
        "productId": "com.example.garden.plus.monthly", "autoRenewStatus": 1, "renewalPrice": 4990,
        "currency": "EUR", "signedDate": .number(date), "environment": "Sandbox",
        "recentSubscriptionStartDate": 1_762_321_590_000, "renewalDate": 1_767_678_390_000,
        "appTransactionId": "704000000000000001",
    ]

    static let appTransaction: JSONText = [
        "receiptType": "Production", "appAppleId": .number(appAppleIdentifier),
        "bundleId": "com.example.garden", "applicationVersion": "3.1",
        "versionExternalIdentifier": 860_000_001, "receiptCreationDate": .number(date),
        "originalPurchaseDate": 1_640_995_200_000, "originalApplicationVersion": "1.0",
        "deviceVerification": "8jwvJZ0k1k3w2Jm0kq9m3m9y3v0sJ0o0Zr1o7C3pR2ZQ3r4n5x6y7z8A9B0C1D2E",
        "deviceVerificationNonce": .string(nonce), "appTransactionId": "704000000000000001",
        "originalPlatform": "iOS",
    ]

    static let sandboxAppTransaction =
        appTransaction
        .setting("receiptType", "Sandbox").removing("appAppleId")

    static let realtimeRequest: JSONText = [
        "originalTransactionId": "2000000900000000", "appAppleId": .number(appAppleIdentifier),
        "productId": "com.example.garden.plus.monthly", "userLocale": "de-DE",
        "requestIdentifier": "d1b7f0c2-4e5a-4c3b-8f6d-7e8091a2b3c4", "signedDate": .number(date),
        "environment": "Sandbox",
    ]

    /// A notification with `data`, or with any other content.
    static func notification(_ type: String, subtype: String? = nil, _ content: JSONText) -> JSONText {
        var members: [(name: String, value: JSONText)] = [("notificationType", .string(type))]
        if let subtype { members.append(("subtype", .string(subtype))) }
        members.append(("notificationUUID", "7c5f1e0a-2b3d-4c6e-9f80-1a2b3c4d5e6f"))
        guard case .object(let inner) = content else { return .object(members) }
        members += inner
        members += [("version", "2.0"), ("signedDate", .number(date))]
        return .object(members)
    }

    /// The `data` of a notification with these inner tokens.
    static func data(transaction: JSONText? = nil, renewalInfo: JSONText? = nil) -> JSONText {
        var data: JSONText = [
            "appAppleId": .number(appAppleIdentifier), "bundleId": "com.example.garden",
            "bundleVersion": "31", "environment": "Sandbox",
        ]
        if let transaction { data = data.appending("signedTransactionInfo", transaction) }
        if let renewalInfo { data = data.appending("signedRenewalInfo", renewalInfo) }
        return ["data": data.appending("status", 1)]
    }

    /// A test notification: `data` without inner tokens.
    static let testNotification = notification(
        "TEST", ["data": ["bundleId": "com.example.garden", "environment": "Sandbox"]])

    /// The end of a mass extension of renewal dates: `summary` instead of `data`.
    static let summaryNotification = notification(
        "RENEWAL_EXTENSION", subtype: "SUMMARY",
        [
            "summary": [
                "requestIdentifier": "e1c0b7f2-5d4a-4e3c-9b8f-6a7d8c9e0f12", "environment": "Sandbox",
                "appAppleId": .number(appAppleIdentifier), "bundleId": "com.example.garden",
                "productId": "com.example.garden.plus.monthly", "storefrontCountryCodes": ["DEU", "FRA"],
                "succeededCount": 5, "failedCount": 0,
            ]
        ])

    static let unclaimNotification = notification(
        "UNCLAIM_SEATS",
        [
            "unclaimInfo": [
                "originalTransactionId": "2000000900000000",
                "unclaimSeatIds": [
                    "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "8c1d6a5e-0b7f-4c2a-9d3e-5f6071829304",
                ],
                "environment": "Sandbox", "bundleId": "com.example.garden",
            ]
        ])

    /// `{"x":[[…]]}`, nested to this depth; the object itself counts as one level.
    static func nested(to depth: Int) -> JSONText {
        .raw(String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1))
    }
}
