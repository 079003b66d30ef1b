internal import CertificateChain
internal import CompactJWS

/// A payload under a good signature of a trusted signer. What it says has not been read yet.
struct AuthenticPayload {
    /// The payload, byte for byte as it was signed.
    let bytes: [UInt8]
    /// Who signed it.
    let signer: TrustedSigner

    /// A payload whose signature the batch has found good.
    init(bytes: [UInt8], signer: TrustedSigner) {
        self.bytes = bytes
        self.signer = signer
    }

    /// Checks the signature over the ASCII of `header.payload` (RFC 7515, section 5.2, step 8).
    init(_ jws: CompactJWS, of token: Span<UInt8>, signer: TrustedSigner) throws(VerificationError) {
        let signature = try JWSSignature(jws.signatureBytes)
        let message = token.extracting(jws.signingInput)
        guard signature.withNumbers({ r, s in signer.signed(message, r: r, s: s) }) else {
            throw VerificationError(.signatureMismatch(signer: signer.signingCertificate))
        }
        bytes = jws.payloadBytes
        self.signer = signer
    }
}
