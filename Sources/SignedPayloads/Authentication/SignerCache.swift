internal import CertificateChain
internal import Libcrypto
internal import P256Verification
internal import Revocation
internal import Synchronization

/// The signers met recently, by the exact bytes of the header that presented them.
///
/// All payloads of a leaf carry the same header, byte for byte, so one judgement serves them all. The cache
/// takes a signer only after a payload's signature has proved the header genuine. The signature covers the
/// header, so only the App Store can add an entry or push one out.
final class SignerCache: Sendable {
    /// A few leaves are in use at a time (three from 2021 to 2027). A private PKI may have more.
    static let capacity = 128
    /// The longest header that the cache takes; genuine ones have 4,411 bytes. With the capacity, this bounds
    /// the memory for headers at 1 MiB.
    static let maximumHeaderBytes = 8_192

    /// The signers, the most recently used first.
    private let entries = Mutex<[KnownSigner]>([])

    /// The signer that this header presented before. The time is linear in the number of signers, and in the
    /// length of one header.
    func signer(forHeader header: Span<UInt8>) -> KnownSigner? {
        guard header.count <= Self.maximumHeaderBytes else { return nil }
        let fingerprint = KnownSigner.fingerprint(of: header)
        return entries.withLock { entries in
            for index in entries.indices where entries[index].fingerprint == fingerprint {
                let known = entries[index]
                guard known.presented(header) else { continue }
                if index > 0 {
                    entries.remove(at: index)
                    entries.insert(known, at: 0)
                }
                return known
            }
            return nil
        }
    }

    /// Adds a signer whose header a verified signature covers, and drops the least recently used one.
    func remember(_ signer: TrustedSigner, revocation: SignerRevocation?, header: Span<UInt8>) {
        guard header.count <= Self.maximumHeaderBytes else { return }
        let known = KnownSigner(signer, revocation: revocation, header: header)
        entries.withLock { entries in
            // Two tasks may have judged the same chain at the same time.
            for entry in entries where entry.fingerprint == known.fingerprint {
                if entry.presented(header) { return }
            }
            entries.insert(known, at: 0)
            if entries.count > Self.capacity { entries.removeLast() }
        }
    }

    /// The number of signers in the cache.
    var count: Int { entries.withLock(\.count) }
}
