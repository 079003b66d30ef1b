internal import P256Verification
internal import Synchronization

/// Bounds the memory of all keys' tables together. `EarnedTable` decides when a key gets a table.
final class TableBudget: Sendable {
    /// The memory of all tables except the generator's, in bytes. It is enough for eight keys at full width,
    /// or for 64 and more at the first width.
    static let maximumBytes = 24 << 20

    private let bytes = Mutex(0)

    /// The memory of the existing tables, in bytes.
    var usedBytes: Int { bytes.withLock(\.self) }

    /// Makes a table if there is memory left for it. Its memory counts until the table is freed.
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
