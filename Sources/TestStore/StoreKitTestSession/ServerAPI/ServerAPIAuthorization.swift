internal import CompactJWS
internal import Libcrypto
internal import Minting
internal import P256Verification
internal import WireFormats

/// Checks the tokens of requests as the App Store does.
///
/// The header names the algorithm ES256 and a known key. The payload names that key's issuer, the audience of the API
/// and the app, and ends at most an hour after it begins.
struct ServerAPIAuthorization: Sendable {
    /// The value of `aud`.
    static let audience = "appstoreconnect-v1"
    /// The longest time for which a token may be valid, in seconds.
    private static let longestLifetime = 3600
    /// How far the client's clock may be ahead of the server's, in seconds. This is a choice of this package.
    private static let tolerance = 60

    private let bundleID: String
    /// The tables speed up each check. Windows of five bits make them small, and fast to build.
    private let keys: [(key: ServerAPIKey, table: P256KeyTable)]
    private let verifier: P256Verifier

    init(_ keys: [ServerAPIKey], bundleID: String) {
        self.bundleID = bundleID
        self.keys = keys.compactMap { key in
            P256PublicKey(uncompressedPoint: key.key.uncompressedPoint.span)
                .map { (key, P256KeyTable($0, windowBits: 5)) }
        }
        verifier = P256Verifier(generatorWindowBits: 5)
    }

    /// Whether a request may be answered.
    ///
    /// - Parameters:
    ///   - header: the value of `Authorization`.
    ///   - now: the real time, in seconds since 1970.
    func accepts(_ header: String?, at now: Int) -> Bool {
        let words = header?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        let token = Array(words[1].utf8)
        // The signature comes last: it costs most, and a wrong member needs none.
        guard let jws = try? CompactJWS(token.span),
            let headerBytes = try? Base64.decode(token.span, in: jws.header, alphabet: .url),
            let header = try? JSONTree(headerBytes.span), let payload = try? JSONTree(jws.payloadBytes.span),
            let (key, table) = key(of: header), holds(payload, key, now)
        else { return false }
        let digest = Digest.sha256(token.span.extracting(jws.signingInput))
        return verifier.isValid(signature: jws.signatureBytes.span, digest: digest.span, key: table)
    }

    /// The key that a header names. `typ` may be absent.
    private func key(of header: JSONTree) -> (ServerAPIKey, P256KeyTable)? {
        guard header["alg"] == .string("ES256"), header["crit"] == nil,
            header["typ"].map({ $0 == .string("JWT") }) ?? true
        else { return nil }
        return keys.first { header["kid"] == .string($0.key.keyID) }
    }

    /// The members are those of Apple's page "Generating JSON Web Tokens for API requests".
    private func holds(_ payload: JSONTree, _ key: ServerAPIKey, _ now: Int) -> Bool {
        guard payload["iss"] == .string(key.issuerID), payload["aud"] == .string(Self.audience),
            payload["bid"] == .string(bundleID), let end = payload["exp"]?.wholeNumber, end > now
        else { return false }
        // Apple's Python library sends no `iat`.
        let start = payload["iat"].map { $0.wholeNumber ?? .max } ?? now
        return (0...now + Self.tolerance).contains(start) && end - start <= Self.longestLifetime
    }
}
