internal import P256Verification
internal import Synchronization

/// Bounds the memory of all keys' tables together. `EarnedTable` decides when a key gets a table.
final class TableBudget: Sendable {
    /// The memory of all tables except the generator's, in bytes.
    static let maximumBytes = 24 << 20

    /// The memory of all tables together up to which another of a width is made, in bytes. A wide table is made only
    /// while most memory is free, so that many keys can have a narrow one: five keys have 12 bits, or nine have 10 and
    /// a hundred more have 7.
    private static func limit(windowBits: Int) -> Int {
        switch windowBits {
        case ...7: maximumBytes
        case ...10: 8 << 20
        default: 16 << 20
        }
    }

    private let bytes = Mutex(0)

    /// The memory of the existing tables, in bytes.
    var usedBytes: Int { bytes.withLock(\.self) }

    /// Makes a table if there is memory left for it. Its memory counts until the table is freed.
    func table(for key: P256PublicKey, windowBits: Int) -> P256KeyTable? {
        let size = P256KeyTable.byteCount(windowBits: windowBits)
        let isGranted = bytes.withLock { bytes in
            guard bytes + size <= Self.limit(windowBits: windowBits) else { return false }
            bytes += size
            return true
        }
        guard isGranted else { return nil }
        return P256KeyTable(key, windowBits: windowBits) { [weak self] in self?.bytes.withLock { $0 -= size }
        }
    }
}
