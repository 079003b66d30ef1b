import Minting

/// `valid/`: renewal info, app transactions, realtime requests and payloads of no known kind.
enum ValidPayloadKinds {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [
            try renewalInfo(fixtures), try appTransactions(fixtures), try realtimeRequests(fixtures),
            try unknownKinds(fixtures),
        ]
    }

    private static func renewalInfo(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/renewal-info", "Renewal information of every shape", roots: ["pki/root.pem"])
        let old: JSONText = [
            "originalTransactionId": "2000000100000000",
            "autoRenewProductId": "com.example.garden.plus.monthly",
            "productId": "com.example.garden.plus.monthly", "autoRenewStatus": 1,
            "signedDate": .number(Payloads.date2022), "environment": "Sandbox",
        ]
        let new = Payloads.renewalInfo
        let expired = new.setting("autoRenewStatus", 0).removing("renewalPrice", "currency")
            .appending("expirationIntent", 1).appending("isInBillingRetryPeriod", false)
        let grace = new.appending("expirationIntent", 2).appending("isInBillingRetryPeriod", true)
            .appending("gracePeriodExpiresDate", 1_768_000_000_000)
        let offers = new.appending("offerType", 4).appending("offerIdentifier", "come-back")
            .appending("offerDiscountType", "FREE_TRIAL").appending("offerPeriod", "P2W")
            .appending("priceIncreaseStatus", 0).appending("eligibleWinBackOfferIds", ["a", "b"])
            .appending("appAccountToken", "3f2504e0-4f89-41d3-9a0c-0305e82c3301")
        let commitment = new.appending("renewalBillingPlanType", "MONTHLY").appending(
            "commitmentInfo",
            [
                "commitmentAutoRenewProductId": "com.example.garden.plus.monthly",
                "commitmentAutoRenewStatus": 1, "commitmentRenewalBillingPlanType": "MONTHLY",
                "commitmentRenewalDate": 1_793_857_590_000, "commitmentRenewalPrice": 47_880,
            ])
        let commerce = new.appending(
            "advancedCommerceInfo",
            [
                "consistencyToken": "dG9rZW4=",
                "items": [["SKU": "seeds-1", "priceIncreaseInfo": ["status": "PENDING"]]],
            ])
        try file.verified(
            "2022", .renewalInfo, fixtures.standard(old, leaf: 0),
            "A payload of 2022, before prices and renewal dates.")
        let rows: [(String, JSONText, String)] = [
            ("2025", new, "The shape of 2025: no bundle identifier at all."),
            ("expired", expired, "Cancelled by the customer."),
            ("grace", grace, "In the grace period."),
            ("offers", offers, "Every offer member."),
            ("commitment", commitment, "A monthly plan with a yearly commitment."),
            ("advanced-commerce", commerce, "Advanced commerce."),
            ("unknown-values", new.setting("autoRenewStatus", 7).appending("y", nil), "Unknown values."),
        ]
        for (name, payload, why) in rows {
            try file.verified(name, .renewalInfo, fixtures.standard(payload), why)
        }
        return file
    }

    private static func appTransactions(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/app-transactions", "App transactions; their date is receiptCreationDate",
            roots: ["pki/root.pem"])
        let production = Payloads.appTransaction
        let rows: [(String, JSONText, String)] = [
            ("production", production, "The shape of 2025."),
            ("sandbox", Payloads.sandboxAppTransaction, "Sandbox has no app Apple ID."),
            (
                "preorder",
                production.appending("preorderDate", 1_640_000_000_000)
                    .appending("requestDate", .number(Payloads.date)), "Ordered before release."
            ),
            (
                "with-foreign-signed-date", production.appending("signedDate", 1_000_000_000_000),
                "signedDate is not an app transaction's date, so its value of 2001 does not matter."
            ),
            (
                "with-signed-date-text", production.appending("signedDate", "never"),
                "Nor does its type."
            ),
            ("unknown-platform", production.setting("originalPlatform", "carOS"), "An unknown platform."),
        ]
        for (name, payload, why) in rows {
            try file.verified(name, .appTransaction, fixtures.standard(payload), why)
        }
        let old = production.setting("receiptCreationDate", .number(Payloads.date2022))
            .removing("appTransactionId", "originalPlatform")
        try file.verified(
            "2022", .appTransaction, fixtures.standard(old, leaf: 0), "As of 2022, under the oldest leaf.")
        return file
    }

    private static func realtimeRequests(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/realtime-requests", "Realtime (retention) requests", roots: ["pki/root.pem"])
        let request = Payloads.realtimeRequest
        try file.verified("2025", .realtimeRequest, fixtures.standard(request), "The documented members.")
        try file.verified(
            "production", .realtimeRequest,
            fixtures.standard(request.setting("environment", "Production")), "From production.")
        try file.verified(
            "non-ascii-locale", .realtimeRequest,
            fixtures.standard(request.setting("userLocale", "日本語")), "Text beyond ASCII.")
        return file
    }

    private static func unknownKinds(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/unknown-kinds", "Payloads of no known kind: signed, dated, and so verified")
        let date = JSONText.number(Payloads.date)
        try file.verified("date-only", .unknown, fixtures.small(["signedDate": date]), "Nothing but a date.")
        try file.verified(
            "future-kind", .unknown,
            fixtures.small(["gardenEvent": "HARVEST", "signedDate": date, "environment": "Sandbox"]),
            "A kind that does not exist yet.")
        try file.verified(
            "empty-name", .unknown, fixtures.small(["": "", "signedDate": date]), "An empty member name.")
        return file
    }
}
