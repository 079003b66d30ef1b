internal import CertificateChain
internal import Synchronization

/// The signers met lately, by the exact bytes of the header that presented them.
///
/// App Store headers are the same, byte for byte, for all payloads of a leaf, so one judgement serves them
/// all. A signer is remembered only once a payload's signature has proved its header genuine: the header is
/// under that signature, so nobody but the App Store can bring an entry in, or push one out.
final class SignerCache: Sendable {
    /// A few leaves are in use at a time (three from 2021 to 2027); private hierarchies may have more.
    static let capacity = 32
    /// The longest header that is remembered: genuine ones take 4,411 bytes. With the capacity, this bounds
    /// the cache's memory at half a mebibyte.
    static let maximumHeaderBytes = 16_384

    private struct Entry {
        let header: [UInt8]
        let signer: TrustedSigner
    }

    /// The entries, the one used last first.
    private let entries = Mutex<[Entry]>([])

    /// The signer that presented this header before.
    func signer(forHeader header: Span<UInt8>) -> TrustedSigner? {
        guard header.count <= Self.maximumHeaderBytes else { return nil }
        return entries.withLock { entries in
            for index in entries.indices where isSame(entries[index].header, header) {
                let entry = entries[index]
                if index > 0 {
                    entries.remove(at: index)
                    entries.insert(entry, at: 0)
                }
                return entry.signer
            }
            return nil
        }
    }

    /// Remembers a signer whose header a verified signature covers; forgets the one unused for longest.
    func remember(_ signer: TrustedSigner, header: Span<UInt8>) {
        guard header.count <= Self.maximumHeaderBytes else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(header.count)
        for index in 0..<header.count { bytes.append(header[index]) }
        let entry = Entry(header: bytes, signer: signer)
        entries.withLock { entries in
            // Two tasks may have judged the same chain at once.
            entries.removeAll { $0.header == entry.header }
            entries.insert(entry, at: 0)
            if entries.count > Self.capacity { entries.removeLast() }
        }
    }

    /// How many signers are remembered.
    var count: Int { entries.withLock(\.count) }
}

private func isSame(_ known: [UInt8], _ header: Span<UInt8>) -> Bool {
    guard known.count == header.count else { return false }
    let known = known.span
    for index in 0..<header.count where known[index] != header[index] { return false }
    return true
}
