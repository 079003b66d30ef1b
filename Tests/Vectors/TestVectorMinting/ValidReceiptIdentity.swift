import Minting
import TestMinting

/// `valid/receipts-environment…`, `…-bundle-id`, `…-app-apple-id`, `…-device-id`: identities that match.
enum ValidReceiptIdentity {
    static func files(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        try environments(fixtures) + [
            try bundleIdentifier(fixtures), try appAppleIdentifier(fixtures), try device(fixtures),
        ]
    }

    private typealias App = ReceiptAttribute.App

    private static func environments(_ fixtures: ReceiptFixtures) throws(MintingError) -> [VectorFile] {
        let rows: [(String, [String], [String])] = [
            ("production", ["Production"], ["Production", "ProductionVPP"]),
            ("sandbox", ["Sandbox"], ["ProductionSandbox", "ProductionVPPSandbox", "Sandbox"]),
            (
                "either", ["Production", "Sandbox"],
                ["Production", "ProductionVPP", "ProductionSandbox", "ProductionVPPSandbox", "Sandbox"]
            ),
        ]
        var files: [VectorFile] = []
        for (name, asked, present) in rows {
            var file = VectorFile.receipts(
                "valid/receipts-environment-\(name)",
                "Receipts of \(asked.map(\.localName).joined(separator: " or of "))",
                options: asked.flatMap { ["--environment", $0] })
            for value in present {
                try file.verified(
                    value.lowercased(), .receipt,
                    fixtures.small(Receipts.small.setting(App.environment, text: value)), "\(value).")
            }
            files.append(file)
        }
        return files
    }

    private static func bundleIdentifier(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-bundle-id", "Receipts of one of two apps",
            options: ["--bundle-id", "com.example.orchard", "--bundle-id", Payloads.bundleIdentifier])
        try file.verified("second", .receipt, fixtures.small(Receipts.small), "The second app given.")
        try file.verified(
            "first", .receipt,
            fixtures.small(Receipts.small.setting(App.bundleIdentifier, text: "com.example.orchard")),
            "The first.")
        return file
    }

    private static func appAppleIdentifier(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-app-apple-id", "The right app, or no app outside production",
            options: ["--app-apple-id", String(Payloads.appAppleIdentifier)])
        let rows: [(String, ReceiptContent, String)] = [
            ("production", Receipts.smallProduction, "The right one."),
            (
                "production-vpp", Receipts.smallProduction.setting(App.environment, text: "ProductionVPP"),
                "The right one, of volume purchase."
            ),
            ("sandbox-absent", Receipts.small, "Absent outside production."),
            (
                "sandbox-zero", Receipts.small.setting(App.appIdentifier, number: 0),
                "Zero outside production."
            ),
            (
                "sandbox-right",
                Receipts.small.setting(App.appIdentifier, number: Payloads.appAppleIdentifier),
                "Present and right."
            ),
            (
                "sandbox-vpp-zero",
                Receipts.small.setting(App.appIdentifier, number: 0)
                    .setting(App.environment, text: "ProductionVPPSandbox"),
                "Zero in the sandbox of volume purchase."
            ),
        ]
        for (name, content, why) in rows {
            try file.verified(name, .receipt, fixtures.small(content), why)
        }
        return file
    }

    private static func device(_ fixtures: ReceiptFixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile.receipts(
            "valid/receipts-device-id", "Receipts that belong to the device",
            options: ["--device-id", Payloads.deviceIdentifier.uppercased()])
        let rows: [(String, ReceiptContent, String)] = [
            ("small", Receipts.small, "The hash over device, opaque value and bundle identifier."),
            ("sandbox", Receipts.sandbox, "A whole receipt."),
            (
                "long-opaque-value",
                Receipts.small.setting(App.opaqueValue, [UInt8](repeating: 0x5A, count: 300)),
                "An opaque value of 300 bytes."
            ),
        ]
        for (name, content, why) in rows {
            try file.verified(
                name, .receipt, fixtures.small(content.settingDeviceHash(Receipts.device)), why)
        }
        return file
    }
}

extension String {
    /// The environment's name inside a sentence.
    fileprivate var localName: String { self == "Sandbox" ? "the sandbox" : "production" }
}
