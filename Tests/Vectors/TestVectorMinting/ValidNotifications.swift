import Minting

/// `valid/notifications`: server notifications with every kind of content.
enum ValidNotifications {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var file = VectorFile(
            "valid/notifications", "Notifications with and without signed payloads inside",
            roots: ["pki/root.pem"])
        for (name, payload, why) in try withData(fixtures) + withOtherContent(fixtures) {
            try file.verified(name, .notification, fixtures.standard(payload), why)
        }
        return [file]
    }

    private static func withData(
        _ fixtures: Fixtures
    ) throws(MintingError) -> [(String, JSONText, String)] {
        let transaction = JSONText.string(try fixtures.standard(Payloads.transaction))
        let old = JSONText.string(try fixtures.standard(Payloads.transaction2022, leaf: 0))
        let renewal = JSONText.string(try fixtures.standard(Payloads.renewalInfo))
        let later = Payloads.transaction.setting("signedDate", .number(Payloads.date + 60_000))
        let laterToken = JSONText.string(try fixtures.standard(later))
        let both = Payloads.data(transaction: transaction, renewalInfo: renewal)
        return [
            ("test", Payloads.testNotification, "Nothing inside."),
            (
                "one-time-charge",
                Payloads.notification("ONE_TIME_CHARGE", Payloads.data(transaction: transaction)),
                "One token inside."
            ),
            ("renewed", Payloads.notification("DID_RENEW", both), "Two tokens inside."),
            (
                "initial-buy", Payloads.notification("SUBSCRIBED", subtype: "INITIAL_BUY", both),
                "With a subtype."
            ),
            (
                "inner-signed-later",
                Payloads.notification("REFUND", Payloads.data(transaction: laterToken)),
                "The inner signedDate is a minute after its envelope's, as Apple's sometimes are."
            ),
            (
                "inner-of-an-older-leaf",
                Payloads.notification("REFUND", Payloads.data(transaction: old)),
                "The inner token was signed in 2022 under a leaf that had expired when the envelope was."
            ),
            (
                "null-inner",
                Payloads.notification(
                    "DID_RENEW", Payloads.data(transaction: nil as JSONText, renewalInfo: renewal)),
                "null is as good as absent."
            ),
            (
                "null-data", Payloads.notification("TEST", ["data": nil]), "The same for data itself."
            ),
        ]
    }

    private static func withOtherContent(
        _ fixtures: Fixtures
    ) throws(MintingError) -> [(String, JSONText, String)] {
        let transaction = JSONText.string(try fixtures.standard(Payloads.transaction))
        let app = JSONText.string(try fixtures.standard(Payloads.sandboxAppTransaction))
        return [
            (
                "summary", Payloads.summaryNotification, "A summary instead of data."
            ),
            (
                "external-purchase-token",
                Payloads.notification(
                    "EXTERNAL_PURCHASE_TOKEN", subtype: "UNREPORTED",
                    externalPurchase("c9a1d6f4-3b70-4e28-8d15-7f6e5a4b3c2d")), "A production token."
            ),
            (
                "external-purchase-token-sandbox",
                Payloads.notification(
                    "EXTERNAL_PURCHASE_TOKEN", subtype: "CREATED",
                    externalPurchase("SANDBOX_c9a1d6f4-3b70-4e28-8d15-7f6e5a4b3c2d")), "A sandbox token."
            ),
            (
                "app-data",
                Payloads.notification(
                    "RESCIND_CONSENT",
                    [
                        "appData": [
                            "bundleId": "com.example.garden", "environment": "Sandbox",
                            "signedAppTransactionInfo": app,
                        ]
                    ]), "An app transaction inside."
            ),
            (
                "unknown-type",
                Payloads.notification(
                    "GARDEN_PARTY", subtype: "RAIN", Payloads.data(transaction: transaction)),
                "Unknown types are kept."
            ),
            (
                "escaped-inner",
                Payloads.notification(
                    "REFUND", Payloads.data(transaction: .raw(try escapedToken(fixtures)))),
                "The inner token's JSON string spells its first letter and its full stops as escapes."
            ),
            (
                "unclaim-seats", Payloads.unclaimNotification, "Claims of seats instead of data."
            ),
            (
                "refund-seats",
                Payloads.notification("REFUND", subtype: "SEATS", Payloads.data(transaction: transaction)),
                "A refund of seats, whose transaction stays valid."
            ),
        ]
    }

    private static func externalPurchase(_ identifier: String) -> JSONText {
        [
            "externalPurchaseToken": [
                "externalPurchaseId": .string(identifier), "tokenCreationDate": 1_764_999_000_000,
                "appAppleId": .number(Payloads.appAppleIdentifier), "bundleId": "com.example.garden",
            ]
        ]
    }

    private static func escapedToken(_ fixtures: Fixtures) throws(MintingError) -> String {
        let token = try fixtures.standard(Payloads.transaction)
        return "\"\\u0065" + token.dropFirst().replacing(".", with: "\\u002E") + "\""
    }
}
