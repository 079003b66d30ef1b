internal import AppReceipts
internal import CertificateChain
internal import Libcrypto
internal import Revocation
internal import Synchronization
internal import WireFormats

/// A signer of receipts whose chain has been judged.
final class KnownReceiptSigner: Sendable {
    /// The signer, as the chain's judgement gave it.
    let signer: TrustedSigner
    /// What is known about the revocation of the signer's certificates; `nil` if revocation is not checked.
    let revocation: SignerRevocation?
    /// The certificates as the receipt presented them, and the name of the one that signed.
    fileprivate let presented: [UInt8]
    private let key: RSASignatureVerifier?
    /// The seconds since 1970 at which the same certificates vouch for the signer and all of them are valid.
    private let validity: Range<Int64>
    private let certificates: [CertificateDescription]

    init(
        _ signer: TrustedSigner, revocation: SignerRevocation?, of data: SignedData, in bytes: [UInt8]
    ) {
        self.signer = signer
        self.revocation = revocation
        presented = Array(bytes[data.certificateBytes] + bytes[data.issuerAndSerialNumber])
        key = signer.rsaVerifier()
        let validity = signer.commonValidity
        let certificates = validity.first.flatMap { try? signer.certificates(validAt: $0) }
        self.validity = certificates == nil ? 0..<0 : validity
        self.certificates = certificates ?? []
    }

    /// Whether a receipt presents the same certificates, byte for byte, and names the same one as its signer.
    func isPresented(by data: SignedData, in bytes: Span<UInt8>) -> Bool {
        let presented = presented
        let count = data.certificateBytes.count
        guard presented.count == count + data.issuerAndSerialNumber.count else { return false }
        let ours = presented.span
        return ByteScanning.starts(ours, with: bytes.extracting(data.certificateBytes))
            && ByteScanning.starts(
                ours.extracting(count...), with: bytes.extracting(data.issuerAndSerialNumber))
    }

    /// Throws if the receipt is signed with SHA-1 and its anchor does not allow that.
    func checkDigest(of data: SignedData) throws(VerificationError) {
        guard data.digestAlgorithm != .sha1 || signer.mayUseSHA1 else {
            throw VerificationError(.receiptDigest(signer: signer.signingCertificate))
        }
    }

    /// Checks the signature over the content (RFC 5652, section 5.4, without signed attributes).
    func checkSignature(
        _ data: SignedData, in bytes: [UInt8], content: [UInt8]
    ) throws(VerificationError) {
        try checkDigest(of: data)
        let isSigned: Bool?
        switch data.digestAlgorithm {
        case .sha1: isSigned = verifies(data, bytes, Digest.sha1(content.span), .sha1)
        case .sha256: isSigned = verifies(data, bytes, Digest.sha256(content.span), .sha256)
        }
        // After an error inside libcrypto the signature is not proved. The cause of the error does not
        // matter.
        guard isSigned ?? false else {
            throw VerificationError(.receiptSignatureMismatch(signer: signer.signingCertificate))
        }
    }

    private func verifies(
        _ data: SignedData, _ bytes: [UInt8], _ digest: [UInt8],
        _ algorithm: RSASignatureVerifier.DigestAlgorithm
    ) -> Bool? {
        try? key?.verifies(bytes.span.extracting(data.signature), digest: digest.span, algorithm)
    }

    /// The certificates that vouch for the signer at a second since 1970.
    func certificates(validAt second: Int64) throws(VerificationError) -> [CertificateDescription] {
        if validity.contains(second) { return certificates }
        do throws(CertificateChainError) {
            return try signer.certificates(validAt: second)
        } catch {
            throw VerificationError(.validity(error))
        }
    }
}

/// The signers of receipts met recently, by the exact bytes that presented them.
///
/// Receipts of one leaf present the same certificates, so one judgement serves them all. The cache takes a
/// signer only after it has found a receipt's signature good. The signature does not cover the certificates.
/// But every certificate must be part of the chain, so there are only a few ways to present one leaf.
final class ReceiptSignerCache: Sendable {
    /// A leaf signs for some two years. A private PKI may have more leaves.
    static let capacity = 32
    /// Longer sets of certificates are not cached; genuine ones take 4 kB. With the capacity, this bounds the
    /// memory at 512 KiB.
    static let maximumPresentedBytes = 16_384

    /// The signers, the most recently used first.
    private let entries = Mutex<[KnownReceiptSigner]>([])

    /// The signer that was presented with the same bytes before. The time is linear in the number of signers,
    /// and in the length of the certificates.
    func signer(of data: SignedData, in bytes: [UInt8]) -> KnownReceiptSigner? {
        entries.withLock { entries in
            for index in entries.indices {
                let known = entries[index]
                guard known.isPresented(by: data, in: bytes.span) else { continue }
                if index > 0 {
                    entries.remove(at: index)
                    entries.insert(known, at: 0)
                }
                return known
            }
            return nil
        }
    }

    /// Adds a signer, and drops the least recently used one.
    func remember(_ known: KnownReceiptSigner) {
        guard known.presented.count <= Self.maximumPresentedBytes else { return }
        entries.withLock { entries in
            // Two tasks may have judged the same chain at the same time.
            guard !entries.contains(where: { $0.presented == known.presented }) else { return }
            entries.insert(known, at: 0)
            if entries.count > Self.capacity { entries.removeLast() }
        }
    }

    /// The number of signers in the cache.
    var count: Int { entries.withLock(\.count) }
}

extension SignedData {
    /// The bytes that the signature covers.
    func content(in bytes: [UInt8]) -> [UInt8] {
        switch content {
        case .inPlace(let range): Array(bytes[range])
        case .joined(let content): content
        }
    }
}
