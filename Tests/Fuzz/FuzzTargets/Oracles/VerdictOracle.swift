import CertificateChain
package import SignedPayloads

/// Everything that a caller can see of a verdict, to compare two verdicts.
struct Outcome: Equatable, CustomStringConvertible {
    let description: String

    init(_ verdict: Result<VerifiedPayload, PayloadError>) {
        switch verdict {
        case .success(let payload): description = Self.description(of: payload)
        case .failure(let error):
            description = "\(error.code) \(error.detail) \(error.member ?? "") \(error.message)"
        }
    }

    private static func description(of payload: VerifiedPayload) -> String {
        let nested = payload.nested.map { "\($0.member): \(Self.description(of: $0.payload))" }
        return "\(payload.kind) \(payload.effectiveDateMilliseconds) \(payload.json) "
            + "\(payload.certificates.map(\.sha256Fingerprint)) \(nested)"
    }
}

/// Checks independently the properties of a token that was reported as verified.
package struct VerdictOracle: Sendable {
    /// The anchors of chains.
    package let roots: [[UInt8]]
    /// The pinned certificates, in Xcode's form.
    package let pinned: [[UInt8]]

    package init(roots: [[UInt8]], pinned: [[UInt8]] = []) {
        self.roots = roots
        self.pinned = pinned
    }

    /// Compares a verified payload with its token.
    package func check(_ payload: VerifiedPayload, of token: [UInt8]) throws(Violation) {
        guard let segments = Base64URL.segments(token), let header = PlainJSON(segments.header),
            let json = PlainJSON(segments.payload), let chain = HeaderTarget.certificates(header)
        else { throw Violation("verifies what cannot be read") }
        try expect(payload.json == segments.payload, "verifies another payload than the one that was signed")
        let signed = Array(token.prefix(token.lastIndex(of: UInt8(ascii: ".")) ?? 0))
        try expect(
            CertificateOracle.isSigned(signed, segments.signature, by: chain[0]),
            "verifies a signature that libcrypto does not")
        if chain.count == 3 {
            try expect(
                CertificateOracle.leads(chain[0], through: chain[1], to: roots),
                "verifies under a chain that libcrypto does not trust")
        } else {
            let environments = ["environment", "receiptType"].flatMap { json.members($0) }
            let names = environments.compactMap(\.stringBytes).map { String(decoding: $0, as: UTF8.self) }
            try expect(
                pinned.contains(chain[0]) && !Set(names).isDisjoint(with: ["Xcode", "LocalTesting"]),
                "verifies one certificate that was not asked for")
        }
        let second = payload.effectiveDateMilliseconds / 1000
        for certificate in payload.certificates {
            try expect(
                certificate.notBefore <= second && second <= certificate.notAfter,
                "verifies at a date at which a certificate is not valid")
        }
        try checkNested(payload, json)
    }

    /// Checks that all payloads inside a notification were verified, and nothing else.
    private func checkNested(_ payload: VerifiedPayload, _ json: PlainJSON) throws(Violation) {
        guard payload.kind == .notification else {
            return try expect(payload.nested.isEmpty, "payloads inside what is no notification")
        }
        let places = [
            ("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"),
            ("appData", "signedAppTransactionInfo"),
        ]
        var expected: [(String, [UInt8])] = []
        for (part, member) in places {
            guard let value = json.members(part).first?.members(member).first, value != .null else {
                continue
            }
            guard let token = value.stringBytes else { throw Violation("verifies around what is no token") }
            expected.append(("\(part).\(member)", token))
        }
        try expect(payload.nested.map(\.member) == expected.map(\.0), "verifies other payloads inside")
        for (nested, token) in zip(payload.nested, expected) { try check(nested.payload, of: token.1) }
    }
}
