public import Essentials
internal import Libcrypto
package import Minting
internal import WireFormats

/// A key that may sign requests to the App Store Server API. It is worthless outside of tests: its private half is
/// derived from a public name.
public struct ServerAPIKey: Sendable {
    /// The key's identifier, `kid` of the requests' tokens.
    public let keyID: String
    /// The issuer's identifier, `iss` of the requests' tokens.
    public let issuerID: String
    package let key: TestKey

    /// The key identifier that is used unless another is chosen.
    public static let defaultKeyID = "TESTKEY123"
    /// The issuer identifier that is used unless another is chosen.
    public static let defaultIssuerID = "99b16628-15e4-4668-972b-eeff55eeff55"

    /// The key that belongs to an App Store: the same for the same root certificate.
    ///
    /// - Parameters:
    ///   - authority: the keys of the App Store.
    ///   - keyID: the key's identifier.
    ///   - issuerID: the issuer's identifier.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public init(
        of authority: TestAuthority, keyID: String = defaultKeyID, issuerID: String = defaultIssuerID
    ) throws(SigningFailure) {
        // The name of the key holds the root, so that two App Stores have different keys.
        let digest = Digest.sha256(authority.rootCertificate.span)
        key = try translating(
            try TestKey("server API key beside the root \(Base64.text(digest, alphabet: .standard))"),
            SigningFailure.init(_:))
        self.keyID = keyID
        self.issuerID = issuerID
    }

    /// The private key as the text of a `.p8` file (PKCS #8, RFC 5958), which Apple's libraries read.
    public var pem: String { key.privateKeyPEM }

    /// A token for the header `Authorization: Bearer …`, as Apple's libraries make it.
    ///
    /// - Parameters:
    ///   - bundleID: the app.
    ///   - date: when it begins to be valid. No clock is read.
    ///   - seconds: how long it is valid; the App Store accepts an hour at most.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public func token(
        for bundleID: String, at date: Date, lasting seconds: Int = 300
    ) throws(SigningFailure) -> String {
        let start = date.milliseconds / 1000
        var payload = ObjectText()
        payload.add("iss", issuerID)
        payload.add("iat", start)
        payload.add("exp", start + seconds)
        payload.add("aud", ServerTokens.audience)
        payload.add("bid", bundleID)
        return try token(payload)
    }

    /// Signs a payload, with the header that Apple's pages ask for.
    func token(_ payload: ObjectText) throws(SigningFailure) -> String {
        var header = ObjectText()
        header.add("alg", "ES256")
        header.add("kid", keyID)
        header.add("typ", "JWT")
        return try translating(
            try TokenMinter(key: key, header: header.utf8).token(payload: payload.utf8),
            SigningFailure.init(_:))
    }
}
