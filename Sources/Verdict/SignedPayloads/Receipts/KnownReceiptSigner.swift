internal import AppReceipts
internal import CertificateChain
internal import Libcrypto

/// A signer of receipts whose chain has been judged.
final class KnownReceiptSigner: Sendable {
    /// The signer, as the chain's judgement gave it.
    let signer: TrustedSigner
    /// The revocation status of the signer's certificates; `nil` if revocation is not checked.
    let revocation: SignerRevocation?
    private let key: RSASignatureVerifier?

    init(_ signer: TrustedSigner, revocation: SignerRevocation?) {
        self.signer = signer
        self.revocation = revocation
        key = signer.rsaVerifier()
    }

    /// Throws if the receipt is signed with SHA-1 and its anchor does not allow that.
    func checkDigest(of data: SignedData) throws(PayloadError) {
        guard data.digestAlgorithm != .sha1 || signer.mayUseSHA1 else {
            throw PayloadError(.receiptDigest(signer: signer.signingCertificate))
        }
    }

    /// Checks the signature over the content (RFC 5652, section 5.4, without signed attributes).
    func checkSignature(
        _ data: SignedData, in bytes: [UInt8], content: [UInt8]
    ) throws(PayloadError) {
        try checkDigest(of: data)
        let isSigned: Bool?
        switch data.digestAlgorithm {
        case .sha1: isSigned = verifies(data, bytes, Digest.sha1(content.span), .sha1)
        case .sha256: isSigned = verifies(data, bytes, Digest.sha256(content.span), .sha256)
        }
        // After an error inside libcrypto the signature is not proved. The cause of the error does not
        // matter.
        guard isSigned ?? false else {
            throw PayloadError(.receiptSignatureMismatch(signer: signer.signingCertificate))
        }
    }

    private func verifies(
        _ data: SignedData, _ bytes: [UInt8], _ digest: [UInt8],
        _ algorithm: RSASignatureVerifier.DigestAlgorithm
    ) -> Bool? {
        try? key?.verifies(bytes.span.extracting(data.signature), digest: digest.span, algorithm)
    }
}

extension SignedData {
    /// The bytes that the signature covers.
    func content(in bytes: [UInt8]) -> [UInt8] {
        switch content {
        case .inPlace(let range): Array(bytes[range])
        case .joined(let content): content
        }
    }

    /// The bytes that present the signer: the certificates, and the name of the one that signed. The length between
    /// them keeps the two apart.
    func presentedSigner(in bytes: [UInt8]) -> [UInt8] {
        var presented = Array(bytes[certificateBytes])
        presented.append(contentsOf: "\(presented.count)".utf8)
        presented.append(contentsOf: bytes[issuerAndSerialNumber])
        return presented
    }
}
