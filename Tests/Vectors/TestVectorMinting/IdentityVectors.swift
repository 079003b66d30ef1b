import Minting
import TestMinting

/// `invalid/09-…` and `invalid/10-device`: payloads for another environment, app or device.
enum IdentityVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [
            try environment(fixtures), try bundleIdentifier(fixtures), try appAppleIdentifier(fixtures),
            try device(fixtures),
        ]
    }

    private static func environment(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/09-environment", "Payloads of another environment, or of none",
            options: ["--environment", "Production"])
        let transaction = Payloads.transaction
        let purchase = ["externalPurchaseId": "SANDBOX_7", "bundleId": "com.example.garden"] as JSONText
        let rows: [(String, JSONText, String)] = [
            ("sandbox", transaction, "Sandbox."),
            ("absent", transaction.removing("environment"), "No environment."),
            ("null", transaction.setting("environment", nil), "null."),
            ("number", transaction.setting("environment", 1), "A number."),
            ("array", transaction.setting("environment", ["Production"]), "An array."),
            ("lower-case", transaction.setting("environment", "production"), "In lower case."),
            ("upper-case", transaction.setting("environment", "PRODUCTION"), "In upper case."),
            ("space", transaction.setting("environment", "Production "), "A space behind."),
            ("unknown", transaction.setting("environment", "Staging"), "An unknown one."),
            ("xcode", transaction.setting("environment", "Xcode"), "Xcode's."),
            ("empty", transaction.setting("environment", ""), "Empty."),
            ("renewal-info", Payloads.renewalInfo, "Renewal info."),
            ("realtime-request", Payloads.realtimeRequest, "Realtime request."),
            ("app-transaction", Payloads.sandboxAppTransaction, "receiptType."),
            (
                "app-transaction-environment",
                Payloads.sandboxAppTransaction.appending("environment", "Production"),
                "An app transaction's environment is receiptType, not environment."
            ),
            ("notification", Payloads.testNotification, "data.environment."),
            ("notification-summary", Payloads.summaryNotification, "summary.environment."),
            (
                "notification-app-data",
                Payloads.notification("RESCIND_CONSENT", ["appData": ["environment": "Sandbox"]]),
                "appData.environment."
            ),
            (
                "notification-top-level", Payloads.testNotification.appending("environment", "Production"),
                "A notification's environment is in data, not beside it."
            ),
            (
                "external-purchase-token",
                Payloads.notification("EXTERNAL_PURCHASE_TOKEN", ["externalPurchaseToken": purchase]),
                "The identifier begins with SANDBOX."
            ),
            ("notification-unclaim-info", Payloads.unclaimNotification, "unclaimInfo.environment."),
        ]
        for (name, payload, why) in rows {
            try file.rejected(name, .wrongEnvironment, fixtures.small(payload), why)
        }
        return file
    }

    private static func bundleIdentifier(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/09-bundle-id", "Payloads of another app",
            options: ["--bundle-id", Payloads.bundleIdentifier])
        let transaction = Payloads.transaction
        let values: [(String, JSONText, String)] = [
            ("other", "com.example.orchard", "Another app."), ("prefix", "com.example.gard", "A prefix."),
            ("longer", "com.example.garden.extension", "A longer one."),
            ("case", "com.example.Garden", "Another case."), ("space", " com.example.garden", "A space."),
            ("empty", "", "Empty."), ("null", nil, "null."), ("number", 7, "A number."),
            ("array", ["com.example.garden"], "An array."), ("nul", "com.example.garden\0", "A NUL behind."),
        ]
        for (name, value, why) in values {
            try file.rejected(
                name, .wrongBundleIdentifier, fixtures.small(transaction.setting("bundleId", value)), why)
        }
        try file.rejected(
            "absent", .wrongBundleIdentifier, fixtures.small(transaction.removing("bundleId")),
            "A transaction that names no app.")
        try file.rejected(
            "app-transaction", .wrongBundleIdentifier,
            fixtures.small(Payloads.sandboxAppTransaction.setting("bundleId", "com.example.orchard")),
            "An app transaction.")
        let data: JSONText = ["data": ["bundleId": "com.example.orchard", "environment": "Sandbox"]]
        try file.rejected(
            "notification", .wrongBundleIdentifier, fixtures.small(Payloads.notification("TEST", data)),
            "data.bundleId.")
        try file.rejected(
            "duplicate", .invalidEncoding,
            fixtures.small(transaction.appending("bundleId", "com.example.garden")),
            "bundleId twice, now that a check reads it.")
        for (name, app) in [("other", ["bundleId": "com.example.orchard"]), ("unnamed", [:])]
            as [(String, JSONText)]
        {
            try file.rejected(
                "unclaim-info-\(name)", .wrongBundleIdentifier,
                fixtures.small(Payloads.notification("UNCLAIM_SEATS", ["unclaimInfo": app])),
                "unclaimInfo.bundleId: claims of another app, or of none.")
        }
        return file
    }

    private static func appAppleIdentifier(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/09-app-apple-id", "Another app Apple ID, or none in production",
            options: ["--app-apple-id", String(Payloads.appAppleIdentifier)])
        let production = Payloads.appTransaction
        let data: JSONText = ["bundleId": "com.example.garden", "environment": "Production"]
        let rows: [(String, JSONText, String)] = [
            ("other", production.setting("appAppleId", 1_234_567_891), "Another app."),
            ("absent", production.removing("appAppleId"), "Absent in production."),
            ("zero", production.setting("appAppleId", 0), "Zero in production."),
            ("null", production.setting("appAppleId", nil), "null in production."),
            ("text", production.setting("appAppleId", "1234567890"), "A string of the digits."),
            ("negative", production.setting("appAppleId", -1_234_567_890), "Negative."),
            (
                "sandbox-other", Payloads.sandboxAppTransaction.setting("appAppleId", 7),
                "Another app is refused outside production too."
            ),
            ("notification-absent", Payloads.notification("TEST", ["data": data]), "Absent in production."),
            (
                "notification-other",
                Payloads.notification("TEST", ["data": data.setting("appAppleId", 7)]), "Another app."
            ),
            (
                "notification-sandbox-other",
                Payloads.notification(
                    "TEST",
                    ["data": data.setting("environment", "Sandbox").setting("appAppleId", 7)]),
                "Another app in the sandbox."
            ),
        ]
        for (name, payload, why) in rows {
            try file.rejected(name, .wrongAppAppleIdentifier, fixtures.small(payload), why)
        }
        return file
    }

    private static func device(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/10-device", "Payloads of another device, or of none",
            options: ["--device-id", Payloads.deviceIdentifier])
        let (device, nonce) = (Payloads.deviceIdentifier, Payloads.nonce)
        let hash = try DeviceHash.value(nonce: nonce, deviceIdentifier: device)
        let otherDevice = "00000000-0000-4000-8000-000000000000"
        let reversed = try DeviceHash.value(nonce: device, deviceIdentifier: nonce)
        let upper = Base64.encoded(
            try HashFunction.sha384.digest(Array((nonce + device).uppercased().utf8)))
        let sha256 = Base64.encoded(try HashFunction.sha256.digest(Array((nonce + device).utf8)))
        let hashes: [(String, JSONText, String)] = [
            (
                "other-device", .string(try DeviceHash.value(nonce: nonce, deviceIdentifier: otherDevice)),
                "The hash of another device."
            ),
            (
                "other-nonce", .string(try DeviceHash.value(nonce: otherDevice, deviceIdentifier: device)),
                "The hash over another nonce."
            ),
            ("reversed", .string(reversed), "Device before nonce."),
            ("upper-case-hashed", .string(upper), "A hash over upper case."),
            ("sha256", .string(sha256), "SHA-256."), ("empty", "", "Empty."), ("null", nil, "null."),
            ("number", 1, "A number."),
            ("truncated", .string(String(hash.dropLast(4))), "Three bytes short."),
            ("longer", .string(hash + "AAAA"), "Three bytes more."),
            ("lower-case", .string(hash.lowercased()), "The right text in lower case."),
        ]
        let payload = Payloads.transaction
        let nonceMember = ("deviceVerificationNonce", JSONText.string(nonce))
        for (name, value, why) in hashes {
            let members = JSONText.object([("deviceVerification", value), nonceMember])
            try file.rejected(
                "hash-\(name)", .invalidDeviceVerification,
                fixtures.small(payload.appending(contentsOf: members)), why)
        }
        try deviceNonces(fixtures, hash, &file)
        return file
    }

    private static func deviceNonces(
        _ fixtures: Fixtures, _ hash: String, _ file: inout VectorFile
    ) throws(MintingError) {
        let device = Payloads.deviceIdentifier
        let notUUID = "not-a-uuid"
        let notUUIDHash = try DeviceHash.value(nonce: notUUID, deviceIdentifier: device)
        let bare = Payloads.nonce.replacing("-", with: "")
        let bareHash = try DeviceHash.value(nonce: bare, deviceIdentifier: device)
        let emptyHash = try DeviceHash.value(nonce: "", deviceIdentifier: device)
        let rows: [(String, JSONText, String)] = [
            ("nonce-absent", ["deviceVerification": .string(hash)], "No nonce."),
            (
                "hash-absent", ["deviceVerificationNonce": .string(Payloads.nonce)], "No hash."
            ),
            (
                "nonce-not-uuid",
                ["deviceVerification": .string(notUUIDHash), "deviceVerificationNonce": .string(notUUID)],
                "A nonce that is no UUID, rightly hashed."
            ),
            (
                "nonce-without-hyphens",
                ["deviceVerification": .string(bareHash), "deviceVerificationNonce": .string(bare)],
                "A nonce without its hyphens, rightly hashed."
            ),
            (
                "nonce-empty",
                ["deviceVerification": .string(emptyHash), "deviceVerificationNonce": ""],
                "An empty nonce, rightly hashed."
            ),
            (
                "nonce-null", ["deviceVerification": .string(hash), "deviceVerificationNonce": nil],
                "null for the nonce."
            ),
            (
                "nonce-number", ["deviceVerification": .string(hash), "deviceVerificationNonce": 7],
                "A number for the nonce."
            ),
            ("both-absent", .object([]), "A payload from a server belongs to no device."),
        ]
        for (name, members, why) in rows {
            try file.rejected(
                name, .invalidDeviceVerification,
                fixtures.small(Payloads.transaction.appending(contentsOf: members)), why)
        }
        for (name, payload) in [
            ("renewal-info", Payloads.renewalInfo), ("notification", Payloads.testNotification),
            ("realtime-request", Payloads.realtimeRequest),
        ] {
            try file.rejected(
                name, .invalidDeviceVerification, fixtures.small(payload),
                "The option concerns every payload, this kind too.")
        }
    }
}
