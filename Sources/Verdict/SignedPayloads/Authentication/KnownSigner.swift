internal import CertificateChain
internal import Libcrypto
internal import P256Verification
internal import WireFormats

/// The headers that were met recently, each with its signer, or with the reason why its chain was refused.
///
/// All payloads of a leaf carry the same header, byte for byte, so one judgement serves them all. A header is known by
/// the beginning of its tokens: the header itself and the dot behind it.
struct KnownHeaders: Sendable {
    /// The maximum number of signers, and of refused chains. A few leaves are in use at a time (three from 2021 to
    /// 2027). A private PKI may have more.
    static let capacity = 128
    /// The longest beginning that is kept; genuine ones have 4,412 bytes. With the capacity, this bounds the memory for
    /// signers, and that for refused chains, at 1 MiB each.
    static let maximumBytes = 8_192

    /// The signers. A signer is added only after a payload's signature has proved the header genuine. The signature
    /// covers the header, so only the App Store can add an entry or push one out.
    let signers = RecentlyUsed<KnownSigner>(capacity: capacity, maximumKeyBytes: maximumBytes)
    /// The chains that check 3 has refused, which depends on the header and the anchors alone. Anyone can add an entry.
    /// They are kept apart from the signers, so that no such entry pushes out a signer.
    let refused = RecentlyUsed<RefusedChain>(capacity: capacity, maximumKeyBytes: maximumBytes)
}

/// A header whose chain was refused.
package final class RefusedChain: Sendable {
    /// The header and its dot.
    let beginning: [UInt8]
    /// Why the chain was refused.
    package let error: PayloadError

    init(_ error: PayloadError, beginning: [UInt8]) {
        self.error = error
        self.beginning = beginning
    }
}

/// A signer whose header was proved genuine, with everything that can be prepared for its next payload.
final class KnownSigner: Sendable {
    /// The signer, as the chain's judgement gave it.
    let signer: TrustedSigner
    /// The start of every signing input of this signer: the header and its dot.
    let beginning: [UInt8]
    /// The SHA-256 state after `beginning`, to be continued with a payload.
    let prefix: SHA256Prefix
    /// The revocation status of the signer's certificates; `nil` if revocation is not checked.
    let revocation: SignerRevocation?
    private let earnedTable: EarnedTable

    init(_ signer: TrustedSigner, revocation: SignerRevocation?, beginning: [UInt8]) {
        self.signer = signer
        self.revocation = revocation
        self.beginning = beginning
        prefix = SHA256Prefix(beginning.span)
        let point = signer.publicPoint ?? []
        earnedTable = EarnedTable(P256PublicKey(uncompressedPoint: point.span))
    }

    /// The key's table, if it has earned one.
    var table: P256KeyTable? { earnedTable.table }

    /// Counts payloads; with enough of them, the key earns a table.
    func countPayloads(_ count: Int, budget: TableBudget) { earnedTable.countPayloads(count, budget: budget) }
}
