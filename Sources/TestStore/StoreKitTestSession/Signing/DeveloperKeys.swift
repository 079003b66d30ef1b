internal import CompactJWS
internal import Libcrypto
internal import Minting
internal import P256Verification
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The keys with which a developer's server signs, and the App Store's look at what they signed.
struct DeveloperKeys: Sendable {
    /// The tables speed up each check. Windows of five bits make them small, and fast to build.
    private let tables: [(key: ServerAPIKey, table: P256KeyTable)]
    private let verifier: P256Verifier

    init(_ keys: [ServerAPIKey]) {
        tables = keys.compactMap { key in
            P256PublicKey(uncompressedPoint: key.key.uncompressedPoint.span)
                .map { (key, P256KeyTable($0, windowBits: 5)) }
        }
        verifier = P256Verifier(generatorWindowBits: 5)
    }

    var keys: [ServerAPIKey] { tables.map(\.key) }

    /// The payload of a compact JWS that one of the keys signed; `nil` if none did.
    ///
    /// - Parameter holds: judges the payload before the signature, which costs most.
    func payload(of token: String, where holds: (JSONTree, ServerAPIKey) -> Bool) -> JSONTree? {
        let token = Array(token.utf8)
        guard let jws = try? CompactJWS(token.span),
            let headerBytes = try? Base64.decode(token.span, in: jws.header, alphabet: .url),
            let header = try? JSONTree(headerBytes.span), let payload = try? JSONTree(jws.payloadBytes.span),
            let (key, table) = key(of: header), holds(payload, key)
        else { return nil }
        let digest = Digest.sha256(token.span.extracting(jws.signingInput))
        return verifier.isValid(signature: jws.signatureBytes.span, digest: digest.span, key: table)
            ? payload : nil
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

    /// What a server decided of an introductory offer, whoever signed it; `nil` if the text does not say it.
    static func allowsIntroductoryOffer(_ compactJWS: String) -> Bool? {
        let token = Array(compactJWS.utf8)
        guard let jws = try? CompactJWS(token.span), let payload = try? JSONTree(jws.payloadBytes.span),
            case .bool(let isAllowed) = payload["allowIntroductoryOffer"]
        else { return nil }
        return isAllowed
    }
}
