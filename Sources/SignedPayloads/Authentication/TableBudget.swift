internal import P256Verification
internal import Synchronization

/// Bounds the memory that the tables of all keys take together. `EarnedTable` decides when a key gets one.
final class TableBudget: Sendable {
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
