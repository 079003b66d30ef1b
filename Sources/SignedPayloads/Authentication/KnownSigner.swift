internal import CertificateChain
internal import Libcrypto
internal import P256Verification
internal import Revocation
internal import WireFormats

/// A signer whose header was proved genuine, with everything that can be prepared for its next payload.
final class KnownSigner: Sendable {
    /// The signer, as the chain's judgement gave it.
    let signer: TrustedSigner
    /// A few of the header's bytes, to tell signers apart quickly.
    let fingerprint: UInt64
    /// The start of every signing input of this signer: the header and its dot.
    let beginning: [UInt8]
    /// The SHA-256 state after `beginning`, to be continued with a payload.
    let prefix: SHA256Prefix
    /// The seconds since 1970 at which all of `commonCertificates` are valid.
    let validity: Range<Int64>
    /// The certificates that vouch for the signer within `validity`: leaf, intermediate and the first anchor.
    let commonCertificates: [CertificateDescription]
    /// What is known about the revocation of the signer's certificates; `nil` if revocation is not checked.
    let revocation: SignerRevocation?
    private let earnedTable: EarnedTable

    init(_ signer: TrustedSigner, revocation: SignerRevocation?, header: Span<UInt8>) {
        self.signer = signer
        self.revocation = revocation
        fingerprint = Self.fingerprint(of: header)
        var beginning: [UInt8] = []
        beginning.reserveCapacity(header.count + 1)
        for index in 0..<header.count { beginning.append(header[index]) }
        beginning.append(UInt8(ascii: "."))
        self.beginning = beginning
        prefix = SHA256Prefix(beginning.span)
        validity = signer.commonValidity
        commonCertificates = signer.commonCertificates
        let point = signer.publicPoint ?? []
        earnedTable = EarnedTable(P256PublicKey(uncompressedPoint: point.span))
    }

    /// Whether this is the header that presented the signer.
    func presented(_ header: Span<UInt8>) -> Bool {
        let beginning = beginning
        guard header.count == beginning.count - 1 else { return false }
        return ByteScanning.starts(beginning.span, with: header)
    }

    /// Whether the token begins with the header that presented the signer, and a dot.
    @inline(__always)
    func begins(_ token: Span<UInt8>) -> Bool {
        let beginning = beginning
        return ByteScanning.starts(token, with: beginning.span)
    }

    /// The key's table, if it has earned one.
    var table: P256KeyTable? { earnedTable.table }

    /// Counts payloads; with enough of them, the key earns a table.
    func countPayloads(_ count: Int, budget: TableBudget) { earnedTable.countPayloads(count, budget: budget) }

    /// A hash that two headers are unlikely to share. It covers some 32 bytes spread over the header,
    /// signatures included, and bytes 64 to 95, where the leaf's serial number begins.
    static func fingerprint(of header: Span<UInt8>) -> UInt64 {
        var hash = UInt64(header.count)
        let step = max(1, header.count / 32)
        for index in stride(from: 0, to: header.count, by: step) {
            // FNV-1a's prime.
            hash = (hash ^ UInt64(header[index])) &* 0x100_0000_01b3
        }
        for index in min(64, header.count)..<min(96, header.count) {
            hash = (hash ^ UInt64(header[index])) &* 0x100_0000_01b3
        }
        return hash
    }
}
