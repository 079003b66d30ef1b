import Minting

/// `valid/environment…`, `valid/bundle-id`, `valid/app-apple-id`, `valid/device-id`: identities that match.
enum ValidIdentity {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        try environments(fixtures) + [
            try bundleIdentifier(fixtures), try appAppleIdentifier(fixtures), try device(fixtures),
        ]
    }

    typealias Row = (name: String, kind: PayloadKind, payload: JSONText, why: String)

    private static func environments(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        var sandbox = VectorFile(
            "valid/environment-sandbox", "Payloads of the sandbox", options: ["--environment", "Sandbox"])
        let sandboxToken = ["externalPurchaseId": "SANDBOX_7", "bundleId": "com.example.garden"] as JSONText
        let inner = JSONText.string(try fixtures.small(Payloads.smallTransaction))
        let rows: [Row] = [
            ("transaction", .transaction, Payloads.transaction, "environment."),
            ("renewal-info", .renewalInfo, Payloads.renewalInfo, "environment."),
            ("realtime-request", .realtimeRequest, Payloads.realtimeRequest, "environment."),
            ("app-transaction", .appTransaction, Payloads.sandboxAppTransaction, "receiptType."),
            ("notification", .notification, Payloads.testNotification, "data.environment."),
            ("notification-summary", .notification, Payloads.summaryNotification, "summary.environment."),
            (
                "notification-app-data", .notification,
                Payloads.notification("RESCIND_CONSENT", ["appData": ["environment": "Sandbox"]]),
                "appData.environment."
            ),
            (
                "notification-inner", .notification,
                Payloads.notification("REFUND", Payloads.data(transaction: inner)), "And the inner one's."
            ),
            (
                "external-purchase-token", .notification,
                Payloads.notification("EXTERNAL_PURCHASE_TOKEN", ["externalPurchaseToken": sandboxToken]),
                "The identifier begins with SANDBOX."
            ),
            (
                "notification-unclaim-info", .notification, Payloads.unclaimNotification,
                "unclaimInfo.environment."
            ),
        ]
        for row in rows { try sandbox.verified(row.name, row.kind, fixtures.small(row.payload), row.why) }
        var either = VectorFile(
            "valid/environment-either", "Payloads of either of two environments",
            options: ["--environment", "Production", "--environment", "Sandbox"])
        try either.verified("sandbox", .transaction, fixtures.small(Payloads.transaction), "One of them.")
        try either.verified(
            "production", .transaction,
            fixtures.small(Payloads.transaction.setting("environment", "Production")), "The other.")
        return [sandbox, either]
    }

    private static func bundleIdentifier(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/bundle-id", "Payloads of one of two apps, or of a kind that names none",
            options: ["--bundle-id", "com.example.orchard", "--bundle-id", Payloads.bundleIdentifier])
        let orchard = Payloads.transaction.setting("bundleId", "com.example.orchard")
        let rows: [Row] = [
            ("transaction", .transaction, Payloads.transaction, "The second identifier given."),
            ("other-app", .transaction, orchard, "The first."),
            ("app-transaction", .appTransaction, Payloads.sandboxAppTransaction, "bundleId."),
            ("notification", .notification, Payloads.testNotification, "data.bundleId."),
            ("renewal-info", .renewalInfo, Payloads.renewalInfo, "No such member in this kind."),
            ("realtime-request", .realtimeRequest, Payloads.realtimeRequest, "Nor in this."),
            (
                "escaped", .transaction,
                Payloads.transaction.setting("bundleId", .raw(#""com\u002eexample.garden""#)),
                "An escape in the value."
            ),
            (
                "notification-unclaim-info", .notification, Payloads.unclaimNotification,
                "unclaimInfo.bundleId."
            ),
        ]
        for row in rows { try file.verified(row.name, row.kind, fixtures.small(row.payload), row.why) }
        return file
    }

    private static func appAppleIdentifier(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/app-apple-id", "The right app, or no app where none is named",
            options: ["--app-apple-id", String(Payloads.appAppleIdentifier)])
        let sandbox = Payloads.sandboxAppTransaction
        let own = JSONText.number(Payloads.appAppleIdentifier)
        let production = Payloads.notification(
            "TEST",
            ["data": ["appAppleId": own, "bundleId": "com.example.garden", "environment": "Production"]])
        let rows: [Row] = [
            ("production-app-transaction", .appTransaction, Payloads.appTransaction, "The right one."),
            ("production-notification", .notification, production, "The right one."),
            ("sandbox-absent", .appTransaction, sandbox, "Absent outside production."),
            ("sandbox-zero", .appTransaction, sandbox.setting("appAppleId", 0), "Zero outside production."),
            ("sandbox-right", .appTransaction, sandbox.setting("appAppleId", own), "Present and right."),
            ("sandbox-notification-absent", .notification, Payloads.testNotification, "Absent."),
            ("transaction", .transaction, Payloads.transaction, "No such member in this kind."),
            ("renewal-info", .renewalInfo, Payloads.renewalInfo, "Nor in this."),
            ("realtime-request", .realtimeRequest, Payloads.realtimeRequest, "The right one, if asked for."),
        ]
        for row in rows { try file.verified(row.name, row.kind, fixtures.small(row.payload), row.why) }
        return file
    }

    private static func device(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/device-id", "Payloads that belong to the device",
            options: ["--device-id", Payloads.deviceIdentifier.uppercased()])
        let hash = try DeviceHash.value(
            nonce: Payloads.nonce, deviceIdentifier: Payloads.deviceIdentifier)
        let members: JSONText = [
            "deviceVerification": .string(hash), "deviceVerificationNonce": .string(Payloads.nonce),
        ]
        let transaction = Payloads.transaction.appending(contentsOf: members)
        let app = Payloads.sandboxAppTransaction.setting("deviceVerification", .string(hash))
        let rows: [Row] = [
            ("transaction", .transaction, transaction, "The hash over nonce and device, both lower case."),
            (
                "upper-case-nonce", .transaction,
                transaction.setting("deviceVerificationNonce", .string(Payloads.nonce.uppercased())),
                "The nonce is lowercased before it is hashed."
            ),
            ("app-transaction", .appTransaction, app, "An app transaction."),
            (
                "renewal-info", .renewalInfo, Payloads.renewalInfo.appending(contentsOf: members),
                "A renewal info from a device."
            ),
            (
                "escaped-slash", .transaction,
                transaction.setting(
                    "deviceVerification", .raw("\"\(hash.replacing("/", with: #"\/"#))\"")),
                "Slashes escaped, as Xcode writes them."
            ),
        ]
        for row in rows { try file.verified(row.name, row.kind, fixtures.small(row.payload), row.why) }
        return file
    }
}
