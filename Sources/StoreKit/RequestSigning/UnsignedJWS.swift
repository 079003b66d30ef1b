public import Essentials
internal import Libcrypto
internal import WireFormats

/// A compact JWS (RFC 7515) that lacks its signature. ``RequestIssuer`` makes it.
public struct UnsignedJWS: Sendable {
    /// The text to sign: header and payload in base64url, with a full stop between them.
    public let signingInput: String

    /// Members of the header: `alg`, `kid` and `typ`, as Apple's page "Generating JWS to sign App Store requests" has
    /// them. The order is that of Apple's library for Python.
    init(keyID: String, payload: ObjectText) {
        var header = ObjectText()
        header.add("alg", "ES256")
        header.add("kid", keyID)
        header.add("typ", "JWT")
        signingInput =
            Base64.text(header.utf8, alphabet: .url) + "." + Base64.text(payload.utf8, alphabet: .url)
    }

    /// The 32 bytes of SHA-256 over the signing input, for a key that signs elsewhere.
    public var digest: Data { Data(Digest.sha256(Array(signingInput.utf8).span)) }

    /// The JWS with a signature.
    ///
    /// - Throws: ``RequestSigningError`` if the key cannot sign.
    public func signed(by key: SigningKey) throws(RequestSigningError) -> String {
        complete(try key.signature(of: Array(signingInput.utf8), as: .raw))
    }

    /// The JWS with a signature that was made elsewhere. It is not verified.
    ///
    /// - Parameters:
    ///   - signature: the ECDSA signature on P-256 of ``digest``.
    ///   - form: the form of the signature.
    /// - Throws: ``RequestSigningError/notASignature`` if the signature does not have this form.
    public func signed(
        with signature: Data, as form: SigningKey.SignatureForm
    ) throws(RequestSigningError) -> String { complete(try form.convert(Array(signature), to: .raw)) }

    private func complete(_ signature: [UInt8]) -> String {
        signingInput + "." + Base64.text(signature, alphabet: .url)
    }
}
