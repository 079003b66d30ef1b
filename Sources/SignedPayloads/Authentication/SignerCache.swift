internal import CertificateChain
internal import Libcrypto
internal import P256Verification
internal import Revocation
internal import Synchronization

/// The signers met lately, by the exact bytes of the header that presented them.
///
/// App Store headers are the same, byte for byte, for all payloads of a leaf, so one judgement serves them
/// all. A signer is remembered only once a payload's signature has proved its header genuine: the header is
/// under that signature, so nobody but the App Store can bring an entry in, or push one out.
final class SignerCache: Sendable {
    /// A few leaves are in use at a time (three from 2021 to 2027); private hierarchies may have more.
    static let capacity = 128
    /// The longest header that is remembered: genuine ones take 4,411 bytes. With the capacity, this bounds
    /// the headers' memory at one mebibyte.
    static let maximumHeaderBytes = 8_192

    /// The signers, the one used last first.
    private let entries = Mutex<[KnownSigner]>([])

    /// The signer that presented this header before. Time is linear in the number of signers, and in one
    /// header.
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

    /// Remembers a signer whose header a verified signature covers; forgets the one unused for longest.
    func remember(_ signer: TrustedSigner, revocation: SignerRevocation?, header: Span<UInt8>) {
        guard header.count <= Self.maximumHeaderBytes else { return }
        let known = KnownSigner(signer, revocation: revocation, header: header)
        entries.withLock { entries in
            // Two tasks may have judged the same chain at once.
            for entry in entries where entry.fingerprint == known.fingerprint {
                if entry.presented(header) { return }
            }
            entries.insert(known, at: 0)
            if entries.count > Self.capacity { entries.removeLast() }
        }
    }

    /// How many signers are remembered.
    var count: Int { entries.withLock(\.count) }
}
