import Minting
import TestMinting

/// `invalid/09-receipt-…` and `invalid/10-receipt-device`: receipts for another environment, app or device.
enum ReceiptIdentityVectors {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        [
            try production(fixtures), try sandbox(fixtures), try bundleIdentifier(fixtures),
            try appAppleIdentifier(fixtures), try order(fixtures), try device(fixtures),
        ]
    }

    private typealias App = ReceiptAttribute.App
    private typealias Row = (name: String, content: ReceiptContent, why: String)

    private static func production(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/09-receipt-environment", "Receipts of another environment than production, or of none",
            options: ["--environment", "Production"])
        for (name, value, why) in [
            ("sandbox", "ProductionSandbox", "The sandbox, under the name that receipts have for it."),
            ("sandbox-plain", "Sandbox", "The sandbox."),
            ("vpp-sandbox", "ProductionVPPSandbox", "The sandbox of volume purchase."),
            ("xcode", "Xcode", "Xcode's, under the App Store's chain."), ("empty", "", "Empty."),
            ("lower-case", "production", "In lower case."), ("space", "Production ", "A space behind."),
            ("nul", "Production\0", "A NUL behind."), ("unknown", "ProductionStaging", "An unknown one."),
        ] {
            try file.rejected(
                name, .wrongEnvironment,
                fixtures.small(Receipts.smallProduction.setting(App.environment, text: value)), why)
        }
        try file.rejected(
            "absent", .wrongEnvironment, fixtures.small(Receipts.smallProduction.removing(App.environment)),
            "No environment.")
        try file.rejected(
            "integer", .wrongEnvironment,
            fixtures.small(Receipts.smallProduction.setting(App.environment, number: 1)), "An INTEGER.")
        return file
    }

    private static func sandbox(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/09-receipt-environment-sandbox", "Receipts of production, where the sandbox is wanted",
            options: ["--environment", "Sandbox"])
        for value in ["Production", "ProductionVPP", "Xcode"] {
            try file.rejected(
                value.lowercased(), .wrongEnvironment,
                fixtures.small(Receipts.small.setting(App.environment, text: value)), "\(value).")
        }
        return file
    }

    private static func bundleIdentifier(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/09-receipt-bundle-id", "Receipts of another app",
            options: ["--bundle-id", Payloads.bundleIdentifier])
        for (name, value, why) in [
            ("other", "com.example.orchard", "Another app."), ("prefix", "com.example.gard", "A prefix."),
            ("longer", "com.example.garden.extension", "A longer one."),
            ("case", "com.example.Garden", "Another case."), ("space", " com.example.garden", "A space."),
            ("empty", "", "Empty."), ("nul", "com.example.garden\0", "A NUL behind."),
        ] {
            try file.rejected(
                name, .wrongBundleIdentifier,
                fixtures.small(Receipts.small.setting(App.bundleIdentifier, text: value)), why)
        }
        let rows: [Row] = [
            ("absent", Receipts.small.removing(App.bundleIdentifier), "A receipt that names no app."),
            ("integer", Receipts.small.setting(App.bundleIdentifier, number: 7), "An INTEGER."),
            (
                "bare", Receipts.small.setting(App.bundleIdentifier, Array(Payloads.bundleIdentifier.utf8)),
                "The text without a tag and a length."
            ),
        ]
        for (name, content, why) in rows {
            try file.rejected(name, .wrongBundleIdentifier, fixtures.small(content), why)
        }
        return file
    }

    private static func appAppleIdentifier(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/09-receipt-app-apple-id", "Another app Apple ID, or none in production",
            options: ["--app-apple-id", String(Payloads.appAppleIdentifier)])
        let production = Receipts.smallProduction
        let low: [UInt8] = [0x49, 0x96, 0x02, 0xD2]
        let rows: [Row] = [
            ("other", production.setting(App.appIdentifier, number: 1_234_567_891), "Another app."),
            ("absent", production.removing(App.appIdentifier), "Absent in production."),
            ("zero", production.setting(App.appIdentifier, number: 0), "Zero in production."),
            (
                "vpp-zero",
                production.setting(App.appIdentifier, number: 0)
                    .setting(App.environment, text: "ProductionVPP"), "Zero in production's volume purchase."
            ),
            (
                "vpp-absent",
                production.removing(App.appIdentifier).setting(App.environment, text: "ProductionVPP"),
                "Absent in production's volume purchase."
            ),
            (
                "huge", production.setting(App.appIdentifier, DER.integer(contents: [1, 0, 0, 0, 0] + low)),
                "The right number and 2⁶⁴."
            ),
            (
                "negative",
                production.setting(App.appIdentifier, DER.integer(contents: [0xB6, 0x69, 0xFD, 0x2E])),
                "The right number, negative."
            ),
            ("text", production.setting(App.appIdentifier, text: "1234567890"), "A text of the digits."),
            (
                "sandbox-other", Receipts.small.setting(App.appIdentifier, number: 7),
                "Another in the sandbox."
            ),
        ]
        for (name, content, why) in rows {
            try file.rejected(name, .wrongAppAppleIdentifier, fixtures.small(content), why)
        }
        return file
    }

    private static func order(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/09-receipt-order", "Wrong in more than one thing: the first check speaks",
            options: [
                "--environment", "Production", "--bundle-id", Payloads.bundleIdentifier, "--app-apple-id",
                String(Payloads.appAppleIdentifier), "--device-id", Payloads.deviceIdentifier,
            ])
        let app = Receipts.smallProduction.setting(App.appIdentifier, number: 7)
        let bundle = app.setting(App.bundleIdentifier, text: "com.example.orchard")
        let environment = bundle.setting(App.environment, text: "ProductionSandbox")
        let rows: [(String, ErrorCode, ReceiptContent, String)] = [
            ("environment", .wrongEnvironment, environment, "Environment, bundle identifier, app, device."),
            ("bundle-id", .wrongBundleIdentifier, bundle, "Bundle identifier, app, device."),
            ("app-apple-id", .wrongAppAppleIdentifier, app, "App, device."),
            ("device", .invalidDeviceVerification, Receipts.smallProduction, "Device alone."),
            (
                "date", .missingRequiredProperties, environment.removing(App.creationDate),
                "All of it, and no date."
            ),
        ]
        for (name, code, content, why) in rows {
            try file.rejected(name, code, fixtures.small(content), why)
        }
        return file
    }

    private static func device(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "invalid/10-receipt-device", "Receipts of another device, or of none",
            options: ["--device-id", Payloads.deviceIdentifier])
        let good = try Receipts.small.settingDeviceHash(Receipts.device)
        for (name, hash, why) in try hashes(good) {
            try file.rejected(
                name, .invalidDeviceVerification, fixtures.small(good.setting(App.deviceHash, hash)), why)
        }
        let rows: [Row] = [
            (
                "other-device", try Receipts.small.settingDeviceHash(Receipts.device.reversed()),
                "The hash of another device."
            ),
            ("no-hash", good.removing(App.deviceHash), "No hash."),
            ("no-opaque-value", good.removing(App.opaqueValue), "A hash, and no opaque value."),
            (
                "no-opaque-value-hashed",
                try good.removing(App.opaqueValue).settingDeviceHash(Receipts.device),
                "No opaque value, and a hash without one."
            ),
            ("no-bundle-id", good.removing(App.bundleIdentifier), "A hash, and no bundle identifier."),
            ("neither", good.removing(App.deviceHash, App.opaqueValue), "Neither hash nor opaque value."),
            (
                "other-opaque-value", good.setting(App.opaqueValue, Array("another opaque 1".utf8)),
                "Another opaque value."
            ),
            (
                "other-bundle-id", good.setting(App.bundleIdentifier, text: "com.example.orchard"),
                "Another bundle identifier, which the hash covers."
            ),
        ]
        for (name, content, why) in rows {
            try file.rejected(name, .invalidDeviceVerification, fixtures.small(content), why)
        }
        return file
    }

    private static func hashes(
        _ good: ReceiptContent
    ) throws(MintingError) -> [(String, [UInt8], String)] {
        let (opaque, bundle) = (good.value(of: App.opaqueValue), good.value(of: App.bundleIdentifier))
        let right = good.value(of: App.deviceHash)
        let messages: [(String, [UInt8], String)] = [
            (
                "bundle-text", Receipts.device + opaque + DER.contents(bundle),
                "without the tag and the length"
            ),
            ("bundle-first", bundle + opaque + Receipts.device, "the other way round"),
            (
                "bundle-before-opaque", Receipts.device + bundle + opaque,
                "bundle identifier before opaque value"
            ),
            (
                "device-text", Array(Payloads.deviceIdentifier.utf8) + opaque + bundle,
                "over the device's text"
            ),
            (
                "device-text-upper", Array(Payloads.deviceIdentifier.uppercased().utf8) + opaque + bundle,
                "over its text in upper case"
            ),
            (
                "opaque-tagged", Receipts.device + DER.octetString(opaque) + bundle,
                "with the opaque value's tag and length"
            ),
            ("device-alone", Receipts.device, "over the device alone"),
        ]
        var rows: [(String, [UInt8], String)] = [
            ("hash-empty", [], "A hash of no bytes."), ("hash-shorter", right.dropLast(), "A byte too few."),
            ("hash-longer", right + [0], "A byte too many."),
            ("hash-flipped", right.flipping(19), "A bit of it flipped."),
            ("hash-tagged", DER.octetString(right), "The hash within another OCTET STRING."),
            (
                "hash-sha256", try HashFunction.sha256.digest(Receipts.device + opaque + bundle), "SHA-256."
            ),
            (
                "hash-sha256-truncated",
                Array(try HashFunction.sha256.digest(Receipts.device + opaque + bundle).prefix(20)),
                "20 bytes of SHA-256."
            ),
        ]
        for (name, message, why) in messages {
            rows.append(("hash-\(name)", try HashFunction.sha1.digest(message), "A hash \(why)."))
        }
        return rows
    }
}
