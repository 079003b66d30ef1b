import Minting
import TestMinting

/// `invalid/11-inner…`: notifications whose inner tokens fail.
enum InnerVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [try plain(fixtures), try identity(fixtures)]
    }

    private static let transactionMember = "data.signedTransactionInfo"
    private static let renewalMember = "data.signedRenewalInfo"
    private static let appMember = "appData.signedAppTransactionInfo"

    /// A notification around one inner token.
    private static func around(_ member: String, _ value: JSONText) -> JSONText {
        switch member {
        case transactionMember: Payloads.notification("REFUND", Payloads.data(transaction: value))
        case renewalMember: Payloads.notification("DID_RENEW", Payloads.data(renewalInfo: value))
        default:
            Payloads.notification(
                "RESCIND_CONSENT",
                [
                    "appData": [
                        "bundleId": "com.example.garden", "environment": "Sandbox",
                        "signedAppTransactionInfo": value,
                    ]
                ])
        }
    }

    private static func plain(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile("invalid/11-inner", "Good notifications around bad tokens")
        let members: [(String, JSONText)] = [
            (transactionMember, Payloads.smallTransaction), (renewalMember, Payloads.renewalInfo),
            (appMember, Payloads.sandboxAppTransaction),
        ]
        for (member, payload) in members {
            let short = member.split(separator: ".").last ?? ""
            for (name, code, value, why) in try flaws(fixtures, payload) {
                try file.rejected(
                    "\(short)-\(name)", code, at: member, fixtures.small(around(member, value)), why)
            }
        }
        try combinations(fixtures, &file)
        return file
    }

    private static func flaws(
        _ fixtures: Fixtures, _ payload: JSONText
    ) throws(MintingError) -> [(String, ErrorCode, JSONText, String)] {
        let good = try fixtures.smallMinter.segments(payload: payload.bytes)
        let early = payload.setting("signedDate", 1_000_000_000_000)
            .setting("receiptCreationDate", 1_000_000_000_000)
        let dateless = payload.removing("signedDate", "receiptCreationDate")
        var markerless = fixtures.p256
        markerless.leaf.template.remove(CertificateExtension.Identifier.leafMarker)
        return [
            ("garbage", .invalidEncoding, "garbage", "No token."),
            ("empty", .invalidEncoding, "", "An empty string."),
            ("number", .invalidEncoding, 1, "A number."), ("true", .invalidEncoding, true, "A literal."),
            ("object", .invalidEncoding, [:], "An object."), ("array", .invalidEncoding, [], "An array."),
            ("trailing-space", .invalidEncoding, .string(good.compact + " "), "A space behind the token."),
            ("trailing-cr", .invalidEncoding, .string(good.compact + "\r"), "A CR behind the token."),
            ("two-segments", .invalidEncoding, .string("\(good.header).\(good.payload)"), "No signature."),
            (
                "signature", .invalidSignature, .string(good.flippingSignatureBit.compact),
                "One bit of the inner signature differs."
            ),
            (
                "forged", .invalidCertificateChain,
                .string(try fixtures.forged.minter().token(payload: payload.text)), "A forger's chain."
            ),
            (
                "marker", .invalidCertificateChain,
                .string(try markerless.minter().token(payload: payload.text)), "An unmarked leaf."
            ),
            ("null-payload", .invalidEncoding, .string(try fixtures.small("null")), "The payload is null."),
            ("no-date", .missingRequiredProperties, .string(try fixtures.small(dateless)), "No inner date."),
            ("early", .invalidCertificateChain, .string(try fixtures.small(early)), "An inner date of 2001."),
        ]
    }

    private static func combinations(
        _ fixtures: Fixtures, _ file: inout VectorFile
    ) throws(MintingError) {
        let transaction = JSONText.string(try fixtures.small(Payloads.smallTransaction))
        let renewal = JSONText.string(try fixtures.small(Payloads.renewalInfo))
        let garbage: JSONText = "garbage"
        try file.rejected(
            "second-of-two", .invalidEncoding, at: renewalMember,
            fixtures.small(
                Payloads.notification(
                    "DID_RENEW", Payloads.data(transaction: transaction, renewalInfo: garbage))),
            "The first is good, the second is not.")
        try file.rejected(
            "first-of-two", .invalidEncoding, at: transactionMember,
            fixtures.small(
                Payloads.notification(
                    "DID_RENEW", Payloads.data(transaction: garbage, renewalInfo: renewal))),
            "The second is good, the first is not.")
        var outer = try fixtures.smallMinter
            .segments(payload: around(transactionMember, garbage).bytes)
        outer = outer.flippingSignatureBit
        file.rejected(
            "outer-signature-first", .invalidSignature, outer.compact,
            "The envelope's own failure comes first, and has no 'at'.")
        for (name, value) in [("text", "x"), ("array", []), ("number", 1), ("true", true)]
            as [(String, JSONText)]
        {
            for member in ["data", "appData"] {
                try file.rejected(
                    "\(member)-\(name)", .invalidEncoding,
                    fixtures.small(Payloads.notification("TEST", [(member): value])),
                    "\(member) is no object, so that nobody knows what was inside.")
            }
        }
        let twice = Payloads.data(transaction: transaction).text
            .replacing("\"status\":1", with: "\"signedTransactionInfo\":\(transaction.text)")
        let content = Payloads.notification("REFUND", ["data": nil]).text
            .replacing("\"data\":null", with: twice.dropFirst().dropLast())
        try file.rejected(
            "duplicate-token", .invalidEncoding, fixtures.small(content), "An inner token twice.")
        try file.rejected(
            "unclaimInfo-array", .invalidEncoding,
            fixtures.small(Payloads.notification("UNCLAIM_SEATS", ["unclaimInfo": []])),
            "unclaimInfo is a part of a notification too, and no object here.")
    }

    private static func identity(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/11-inner-identity", "Right envelopes around tokens of another environment or app",
            options: ["--environment", "Sandbox", "--bundle-id", Payloads.bundleIdentifier])
        let other = JSONText.string("com.example.orchard")
        let transaction = Payloads.smallTransaction
        let app = Payloads.sandboxAppTransaction
        let rows: [(String, ErrorCode, String, JSONText)] = [
            (
                "transaction-environment", .wrongEnvironment, transactionMember,
                transaction.setting("environment", "Production")
            ),
            (
                "transaction-bundle-id", .wrongBundleIdentifier, transactionMember,
                transaction.setting("bundleId", other)
            ),
            (
                "renewal-info-environment", .wrongEnvironment, renewalMember,
                Payloads.renewalInfo.setting("environment", "Production")
            ),
            (
                "app-transaction-environment", .wrongEnvironment, appMember,
                app.setting("receiptType", "Production")
            ),
            ("app-transaction-bundle-id", .wrongBundleIdentifier, appMember, app.setting("bundleId", other)),
        ]
        for (name, code, member, payload) in rows {
            let inner = JSONText.string(try fixtures.small(payload))
            try file.rejected(
                name, code, at: member, fixtures.small(around(member, inner)),
                "The envelope says otherwise than its content.")
        }
        try file.verified(
            "all-right", .notification,
            fixtures.small(around(transactionMember, .string(try fixtures.small(transaction)))),
            "Both are right.")
        return file
    }
}
