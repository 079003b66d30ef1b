import Minting

/// `valid/transactions`: transactions of every form.
enum ValidTransactions {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile(
            "valid/transactions", "Transactions from 2022 to 2027, with every documented member",
            roots: ["pki/root.pem"])
        let old = Payloads.transaction2022
        let new = Payloads.transaction
        let middle = new.setting("signedDate", .number(Payloads.date2024))
        try file.verified(
            "subscription-2022", .transaction, fixtures.standard(old, leaf: 0),
            "A payload of 2022 has neither price nor storefront; its leaf has expired since.")
        try file.verified(
            "subscription-2024", .transaction, fixtures.standard(middle, leaf: 1),
            "Valid when it was signed, expired now.")
        try file.verified(
            "subscription-2025", .transaction, fixtures.standard(new), "The shape of 2025.")
        for (name, payload, why) in products + additions {
            try file.verified(name, .transaction, fixtures.standard(payload), why)
        }
        try file.verified(
            "smallest", .transaction, fixtures.standard(Payloads.smallTransaction),
            "Every member is optional but the date.")
        for (name, payload, why) in seats {
            try file.verified(name, .transaction, fixtures.standard(payload), why)
        }
        return [file]
    }

    private static var products: [(String, JSONText, String)] {
        let new = Payloads.transaction
        let bought = new.removing(
            "webOrderLineItemId", "subscriptionGroupIdentifier", "expiresDate", "transactionReason")
        return [
            (
                "consumable", bought.setting("type", "Consumable").setting("quantity", 10),
                "A consumable has no expiry."
            ),
            (
                "non-consumable-family",
                bought.setting("type", "Non-Consumable")
                    .setting("inAppOwnershipType", "FAMILY_SHARED"), "Family sharing."
            ),
            (
                "non-renewing", bought.setting("type", "Non-Renewing Subscription"),
                "A non-renewing subscription."
            ),
            (
                "refunded",
                new.appending("revocationReason", 1).appending("revocationDate", 1_764_999_995_000)
                    .appending("revocationType", "REFUND_PRORATED")
                    .appending("revocationPercentage", 50_000),
                "A refunded purchase is a verified fact; whether it entitles is not asked here."
            ),
            (
                "upgraded", new.appending("isUpgraded", true), "Superseded by an upgrade."
            ),
            (
                "offer",
                new.appending("offerType", 2).appending("offerIdentifier", "spring")
                    .appending("offerDiscountType", "PAY_AS_YOU_GO").appending("offerPeriod", "P1M"),
                "A promotional offer."
            ),
            (
                "commitment",
                new.appending("billingPlanType", "MONTHLY").appending("commitmentInfo", commitment),
                "A monthly plan with a yearly commitment."
            ),
            (
                "advanced-commerce", new.appending("advancedCommerceInfo", advancedCommerce),
                "Advanced commerce: nested objects, negative nothing, a rate written as text."
            ),
        ]
    }

    private static var additions: [(String, JSONText, String)] {
        let new = Payloads.transaction
        return [
            (
                "device",
                new.appending(
                    "deviceVerification", "uq5Bf0m1p3Lk7zY9wT2sQ8nC4vX6bR1eJ0dG5hK3aM8oP7iU2yS6tW9xZ4cV1bNl"
                )
                .appending("deviceVerificationNonce", .string(Payloads.nonce)),
                "Device members are not looked at unless a device identifier is given."
            ),
            (
                "migrated",
                new.appending("previousOriginalTransactionId", "1000000900000000")
                    .appending("appAccountToken", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
                "Members of 2025."
            ),
            (
                "unknown-members",
                new.appending("bundleTransactionId", "2000000900000009").appending("x", ["y": [nil, false]])
                    .appending("data", ["signedTransactionInfo": "not a token"]),
                "Unknown members pass through, even one that another kind of payload would have checked."
            ),
            (
                "unknown-values",
                new.setting("type", "Rental").setting("inAppOwnershipType", "LENT")
                    .setting("environment", "Orbit").appending("revocationReason", 99),
                "Unknown values are kept where no check was asked for."
            ),
            (
                "odd-types",
                new.setting("quantity", "three").setting("price", nil).setting("storefront", [1, 2]),
                "No payload is refused for a member that no check reads."
            ),
        ]
    }

    private static var seats: [(String, JSONText, String)] {
        let bought = Payloads.transaction.setting("quantity", 8).setting("price", 9240)
        return [
            (
                "seats",
                bought.appending("multiSeatInfo", multiSeat)
                    .appending("additionalTransactionReason", "SEAT_ADDITION"),
                "Eight seats at two prices, two of them refunded, with the developer's invitations."
            ),
            (
                "seats-assigned",
                bought.setting("inAppOwnershipType", "ASSIGNED").appending("multiSeatInfo", multiSeat),
                "A member's transaction repeats the purchaser's numbers."
            ),
        ]
    }

    private static let multiSeat: JSONText = [
        "invitationManagement": "DEVELOPER",
        "priceTiers": [["price": 9990, "quantity": 5], ["price": 7990, "quantity": 3]],
        "revokedSeatQuantity": 2,
    ]

    private static let commitment: JSONText = [
        "billingPeriodNumber": 3, "commitmentExpiresDate": 1_793_857_590_000, "commitmentPrice": 47_880,
        "totalBillingPeriods": 12,
    ]

    private static let advancedCommerce: JSONText = [
        "descriptors": ["description": "Tools and seeds", "displayName": "Garden"], "estimatedTax": 190,
        "items": [
            [
                "SKU": "seeds-1", "description": "Seeds", "displayName": "Seeds", "price": 990,
                "offer": ["period": "P1M", "periodCount": 2, "price": 490, "reason": "WIN_BACK"],
                "refunds": [
                    [
                        "refundAmount": 490, "refundDate": 1_764_999_995_000, "refundReason": "LEGAL",
                        "refundType": "PRORATED",
                    ]
                ],
                "revocationDate": 1_764_999_995_000,
            ]
        ],
        "period": "P1M", "requestReferenceId": "a2b8f5d4-1c3e-4a6b-8d7f-90e1c2b3a4d5", "taxCode": "C003-00-2",
        "taxExclusivePrice": 800, "taxRate": "0.19",
    ]
}
