import Minting

/// `valid/xcode`, `valid/local-testing` and `invalid/12-xcode…`: payloads that Xcode signs.
enum XcodeVectors {
    static func files(_ fixtures: Fixtures) throws(MintingError) -> [VectorFile] {
        [
            try valid(fixtures), try localTesting(fixtures), try invalid(fixtures), try notPinned(fixtures),
            try withoutEnvironment(fixtures, []),
            try withoutEnvironment(fixtures, ["Production", "Sandbox"]),
        ]
    }

    private static let pinned = ["pki/xcode.pem"]
    private static let asked = ["--environment", "Xcode"]

    static let transaction: JSONText = [
        "inAppOwnershipType": "PURCHASED", "purchaseDate": .raw("1764999999123.7297"),
        "subscriptionGroupIdentifier": "AB12CD34", "signedDate": .raw("1765000000123.485"),
        "originalPurchaseDate": .raw("1764999999123.7297"), "isUpgraded": false,
        "deviceVerification": .raw(#""d29ydGhsZXNzIHRlc3QgdmFsdWUgb2YgZm9ydHktZWlnaHQgYnl0ZXMh\/\/8+\/v79""#),
        "offerType": 1, "quantity": 1, "transactionId": "0", "type": "Auto-Renewable Subscription",
        "transactionReason": "PURCHASE", "productId": "com.example.garden.plus.monthly",
        "expiresDate": .raw("1767678399123.7297"), "environment": "Xcode", "storefrontId": "143441",
        "originalTransactionId": "0", "bundleId": "com.example.garden",
        "deviceVerificationNonce": .string(Payloads.nonce), "webOrderLineItemId": "0", "storefront": "USA",
    ]

    private static let appTransaction: JSONText = [
        "bundleId": "com.example.garden", "applicationVersion": "1",
        "deviceVerificationNonce": .string(Payloads.nonce), "receiptType": "Xcode",
        "receiptCreationDate": .raw("1765000000123.447"), "deviceVerification": "AAAA",
        "requestDate": .raw("1765000000123.447"), "originalApplicationVersion": "1",
        "originalPurchaseDate": -62_135_769_600_000,
    ]

    private static func valid(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/xcode", "Payloads under the one pinned certificate of Xcode", roots: pinned, options: asked
        )
        let minter = try fixtures.xcode.minter()
        let renewal = Payloads.renewalInfo.setting("environment", "Xcode")
        let rows: [(String, PayloadKind, JSONText, String)] = [
            ("transaction", .transaction, transaction, "Fractions of milliseconds and escaped slashes."),
            (
                "app-transaction", .appTransaction, appTransaction,
                "A negative originalPurchaseDate, which no check reads."
            ),
            ("renewal-info", .renewalInfo, renewal, "Renewal info."),
        ]
        for (name, kind, payload, why) in rows {
            try file.verified(name, kind, minter.token(payload: payload.text), why)
        }
        let plain = TokenMinter(key: fixtures.xcode.key, x5c: [try fixtures.xcode.template.der()])
        try file.verified(
            "plain-header", .transaction, plain.token(payload: transaction.text),
            "The form depends on x5c alone, not on kid.")
        return file
    }

    private static func localTesting(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "valid/local-testing", "The same for the environment LocalTesting", roots: pinned,
            options: ["--environment", "LocalTesting", "--environment", "Xcode"])
        let minter = try fixtures.xcode.minter()
        let local = transaction.setting("environment", "LocalTesting")
        try file.verified("transaction", .transaction, minter.token(payload: local.text), "LocalTesting.")
        try file.verified("xcode", .transaction, minter.token(payload: transaction.text), "Xcode.")
        return file
    }

    private static func invalid(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/12-xcode", "Pinned and asked for, and wrong all the same", roots: pinned, options: asked)
        let minter = try fixtures.xcode.minter()
        for other in ["Sandbox", "Production", "LocalTesting", "xcode"] {
            try file.rejected(
                "says-\(other.lowercased())-\(other == "xcode" ? "in-lower-case" : "instead")",
                .wrongEnvironment,
                minter.token(payload: transaction.setting("environment", .string(other)).text),
                "The payload says \(other), which was not asked for.")
        }
        try file.rejected(
            "says-nothing", .wrongEnvironment,
            minter.token(payload: transaction.removing("environment").text), "It names no environment.")
        try file.rejected(
            "signature", .invalidSignature,
            minter.segments(payload: transaction.bytes).flippingSignatureBit.compact,
            "One bit of the signature differs.")
        try file.rejected(
            "no-date", .missingRequiredProperties,
            minter.token(payload: transaction.removing("signedDate").text), "No date.")
        try file.rejected(
            "not-json", .invalidEncoding, minter.token(payload: "null"), "The payload is null.")
        for (name, date) in [
            ("expired", fixtures.xcode.template.notAfter.advanced(by: 1)),
            ("not-yet-valid", fixtures.xcode.template.notBefore.advanced(by: -1)),
        ] {
            let payload = transaction.setting("signedDate", .number(date.milliseconds))
            try file.rejected(
                name, .invalidCertificateChain, minter.token(payload: payload.text),
                "A second outside the certificate's year.")
        }
        try otherCertificates(fixtures, &file)
        return file
    }

    private static func otherCertificates(
        _ fixtures: Fixtures, _ file: inout VectorFile
    ) throws(MintingError) {
        let other = try XcodeIdentity("another Xcode")
        try file.rejected(
            "other-certificate", .invalidCertificateChain,
            other.minter().token(payload: transaction.text), "Another certificate of the same name.")
        var reissued = fixtures.xcode
        reissued.template.serialNumber = [2]
        try file.rejected(
            "same-key-other-bytes", .invalidCertificateChain,
            reissued.minter().token(payload: transaction.text),
            "The pinned key in a certificate of another serial number: not byte for byte the anchor.")
        let pinnedDER = try fixtures.xcode.template.der()
        for count in [0, 2, 4] {
            let x5c = [[UInt8]](repeating: pinnedDER, count: count)
            try file.rejected(
                "x5c-of-\(count)", .invalidEncoding,
                TokenMinter(key: fixtures.xcode.key, x5c: x5c).token(payload: transaction.text),
                "x5c of \(count) certificates is neither form.")
        }
        try file.rejected(
            "x5c-of-3", .invalidCertificateChain,
            TokenMinter(key: fixtures.xcode.key, x5c: [pinnedDER, pinnedDER, pinnedDER])
                .token(payload: transaction.text),
            "Three times the pinned certificate is a chain, and one without Apple's markers.")
        try file.rejected(
            "app-store-leaf-alone", .invalidCertificateChain,
            TokenMinter(key: fixtures.p256.leaf.key, x5c: [try fixtures.p256.leaf.der()])
                .token(payload: transaction.text), "A leaf of another PKI by itself.")
    }

    private static func notPinned(_ fixtures: Fixtures) throws(MintingError) -> VectorFile {
        var file = VectorFile(
            "invalid/12-xcode-not-pinned", "Asked for, but the certificate is no anchor",
            roots: ["pki/root.pem"], options: asked)
        try file.rejected(
            "transaction", .invalidCertificateChain,
            fixtures.xcode.minter().token(payload: transaction.text), "The certificate is no anchor.")
        let leaf = TokenMinter(key: fixtures.standard.leaf.key, x5c: [try fixtures.standard.leaf.der()])
        try file.rejected(
            "leaf-alone", .invalidCertificateChain, leaf.token(payload: transaction.text),
            "A leaf whose root is an anchor is not itself one.")
        return file
    }

    private static func withoutEnvironment(
        _ fixtures: Fixtures, _ environments: [String]
    ) throws(MintingError) -> VectorFile {
        let suffix = environments.isEmpty ? "no-environment" : "other-environment"
        var file = VectorFile(
            "invalid/12-xcode-\(suffix)", "Pinned, but Xcode was not asked for", roots: pinned,
            options: environments.flatMap { ["--environment", $0] })
        let minter = try fixtures.xcode.minter()
        try file.rejected(
            "transaction", .invalidEncoding, minter.token(payload: transaction.text),
            "One certificate in x5c is accepted only where Xcode or LocalTesting was asked for.")
        try file.rejected(
            "says-sandbox", .invalidEncoding,
            minter.token(payload: transaction.setting("environment", "Sandbox").text),
            "Whatever the payload says.")
        return file
    }
}

extension TokenSegments {
    /// A copy with the lowest bit of the signature's first byte flipped.
    var flippingSignatureBit: TokenSegments {
        // The first two characters hold the first byte. Its lowest bit is worth 16 in the second one.
        var copy = self
        let digits = Array(signature)
        guard digits.count > 2 else { return self }
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let value = alphabet.firstIndex(of: digits[1]) ?? 0
        copy.signature = String(digits[0]) + String(alphabet[value ^ 16]) + String(digits[2...])
        return copy
    }
}
