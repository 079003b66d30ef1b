internal import CompactJWS
internal import Essentials
internal import Libcrypto
internal import Minting
internal import P256Verification
package import WireFormats

/// Opens the tokens that an app's server signs with its keys of App Store Connect: those of requests to the API, and
/// those that the app hands to StoreKit. Checks the signatures of offers in their first form, too.
package struct ServerTokens: Sendable {
    /// Why a token is not opened.
    package enum Failure: Error {
        /// It is no compact JWS of two JSON objects.
        case malformed
        /// Its header names another algorithm than ES256, or an unknown key.
        case unknownKey
        /// The caller refuses its payload.
        case payload
        /// The signature is not that of the key.
        case signature
    }

    /// The value of `aud`.
    package static let audience = "appstoreconnect-v1"
    /// How far the signer's clock may be ahead of the App Store's, in seconds. This is a choice of this package.
    package static let tolerance = 60

    /// The tables speed up each check. Windows of five bits make them small, and fast to build.
    private let tables: [(key: ServerAPIKey, table: P256KeyTable)]
    private let verifier: P256Verifier

    package init(_ keys: [ServerAPIKey]) {
        tables = keys.compactMap { key in
            P256PublicKey(uncompressedPoint: key.key.uncompressedPoint.span)
                .map { (key, P256KeyTable($0, windowBits: 5)) }
        }
        verifier = P256Verifier(generatorWindowBits: 5)
    }

    var keys: [ServerAPIKey] { tables.map(\.key) }

    /// The payload of a token, and the key that signed it.
    ///
    /// - Parameter isAcceptable: judges the payload before the signature, which costs most.
    package func open(
        _ token: [UInt8], where isAcceptable: (JSONTree, ServerAPIKey) -> Bool = { _, _ in true }
    ) throws(Failure) -> (payload: JSONTree, key: ServerAPIKey) {
        guard let jws = try? CompactJWS(token.span),
            let headerBytes = try? Base64.decode(token.span, in: jws.header, alphabet: .url),
            let header = try? JSONTree(headerBytes.span), let payload = try? JSONTree(jws.payloadBytes.span)
        else { throw .malformed }
        guard let (key, table) = key(of: header) else { throw .unknownKey }
        guard isAcceptable(payload, key) else { throw .payload }
        let digest = Digest.sha256(token.span.extracting(jws.signingInput))
        guard verifier.isValid(signature: jws.signatureBytes.span, digest: digest.span, key: table) else {
            throw .signature
        }
        return (payload, key)
    }

    /// Whether a signature in DER is that of a key over a text.
    func isSigned(_ text: String, _ signature: Data, keyID: String) -> Bool {
        guard let table = tables.first(where: { $0.key.keyID == keyID })?.table,
            let raw = SignatureForms.raw(der: Array(signature))
        else { return false }
        let digest = Digest.sha256(Array(text.utf8).span)
        return verifier.isValid(signature: raw.span, digest: digest.span, key: table)
    }

    /// The key that a header names. `typ` may be absent.
    private func key(of header: JSONTree) -> (ServerAPIKey, P256KeyTable)? {
        guard header["alg"] == .string("ES256"), header["crit"] == nil,
            header["typ"].map({ $0 == .string("JWT") }) ?? true
        else { return nil }
        return tables.first { header["kid"] == .string($0.key.keyID) }
    }
}
