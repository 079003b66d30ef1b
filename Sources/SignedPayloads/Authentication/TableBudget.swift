internal import P256Verification
internal import Synchronization

/// Decides which keys get tables of their multiples, and bounds the memory that these take together.
final class TableBudget: Sendable {
    /// From how many payloads on a key has a table of this width, the narrowest first. A table of 8 bits takes
    /// a millisecond to make and saves some 60 µs a payload in comparison with libcrypto: it is made once as
    /// much has been spent on doing without (ski rental). One of 12 bits takes fifteen and saves two
    /// microseconds more.
    static let widths: [(payloads: Int, bits: Int)] = [(16, 8), (4_096, 12)]
    /// The memory of all tables but the generator's, in bytes: eight keys at full width, or 64 and more at
    /// the first.
    static let maximumBytes = 24 << 20

    private let bytes = Mutex(0)

    /// The memory of the tables that there are, in bytes.
    var usedBytes: Int { bytes.withLock(\.self) }

    /// A table, if there is memory left for it; it counts for as long as it lives.
    func table(for key: P256PublicKey, windowBits: Int) -> P256KeyTable? {
        let size = P256KeyTable.byteCount(windowBits: windowBits)
        let isGranted = bytes.withLock { bytes in
            guard bytes + size <= Self.maximumBytes else { return false }
            bytes += size
            return true
        }
        guard isGranted else { return nil }
        return P256KeyTable(key, windowBits: windowBits) { [weak self] in self?.bytes.withLock { $0 -= size }
        }
    }
}
