internal import CertificateChain
internal import CompactJWS
internal import Libcrypto
internal import P256Verification

/// A payload with a good signature from a trusted signer. Its content has not been read yet.
struct AuthenticPayload {
    /// The payload, byte for byte as it was signed.
    let bytes: [UInt8]
    let signer: TrustedSigner
    /// The revocation status of the signer's certificates; `nil` if revocation is not checked.
    var revocation: SignerRevocation?

    /// Checks the signature of a signer that is known. It uses the key's table if the key has earned one.
    init(
        _ jws: CompactJWS, of token: Span<UInt8>, known: KnownSigner, _ context: BatchContext?
    ) throws(PayloadError) {
        if let context, context.usesTables { known.countPayloads(1, budget: context.budget) }
        guard let context, context.usesTables, let table = known.table else {
            try self.init(jws, of: token, signer: known.signer)
            revocation = known.revocation
            return
        }
        // Length and range have errors of their own, on this path too.
        _ = try JWSSignature(jws.signatureBytes)
        let digest = known.prefix.digest(continuedBy: token.extracting(jws.payload))
        let signature = jws.signatureBytes
        guard context.signatures.isValid(signature: signature.span, digest: digest.span, key: table) else {
            throw PayloadError(.signatureMismatch(signer: known.signer.signingCertificate))
        }
        self.init(bytes: jws.payloadBytes, signer: known.signer, revocation: known.revocation)
    }

    private init(bytes: [UInt8], signer: TrustedSigner, revocation: SignerRevocation?) {
        self.bytes = bytes
        self.signer = signer
        self.revocation = revocation
    }

    /// Checks the signature over the ASCII of `header.payload` (RFC 7515, section 5.2, step 8).
    init(_ jws: CompactJWS, of token: Span<UInt8>, signer: TrustedSigner) throws(PayloadError) {
        let signature = try JWSSignature(jws.signatureBytes)
        let message = token.extracting(jws.signingInput)
        guard signature.withNumbers({ r, s in signer.signed(message, r: r, s: s) }) else {
            throw PayloadError(.signatureMismatch(signer: signer.signingCertificate))
        }
        self.init(bytes: jws.payloadBytes, signer: signer, revocation: nil)
    }
}
