internal import Synchronization
internal import WireFormats

/// Values that were found recently, by the exact bytes that they were found for. Any number of tasks may share it.
final class RecentlyUsed<Value: Sendable>: Sendable {
    private struct Entry {
        /// A few of the key's bytes, for a quick comparison.
        let fingerprint: UInt64
        let key: [UInt8]
        let value: Value
    }

    /// The most recently used first.
    private let entries = Mutex<[Entry]>([])
    private let capacity: Int
    private let maximumKeyBytes: Int

    /// - Parameters:
    ///   - capacity: the maximum number of values.
    ///   - maximumKeyBytes: longer keys are not kept. With the capacity, this bounds the memory for keys.
    init(capacity: Int, maximumKeyBytes: Int) {
        self.capacity = capacity
        self.maximumKeyBytes = maximumKeyBytes
    }

    /// The value for a key. The time is linear in the number of values, and in the length of one key.
    func value(for key: Span<UInt8>) -> Value? {
        guard key.count <= maximumKeyBytes else { return nil }
        let fingerprint = Self.fingerprint(of: key)
        return entries.withLock { entries in
            guard let index = Self.index(of: key, fingerprint, in: entries) else { return nil }
            let entry = entries[index]
            if index > 0 {
                entries.remove(at: index)
                entries.insert(entry, at: 0)
            }
            return entry.value
        }
    }

    /// Adds a value, unless the key has one, and drops the least recently used one.
    func add(_ value: Value, for key: [UInt8]) {
        guard key.count <= maximumKeyBytes else { return }
        let fingerprint = Self.fingerprint(of: key.span)
        entries.withLock { entries in
            // Two tasks may have found the same value at the same time.
            guard Self.index(of: key.span, fingerprint, in: entries) == nil else { return }
            entries.insert(Entry(fingerprint: fingerprint, key: key, value: value), at: 0)
            if entries.count > capacity { entries.removeLast() }
        }
    }

    /// The number of values.
    var count: Int { entries.withLock(\.count) }

    private static func index(of key: Span<UInt8>, _ fingerprint: UInt64, in entries: [Entry]) -> Int? {
        for index in entries.indices where entries[index].fingerprint == fingerprint {
            let found = entries[index].key
            if found.count == key.count, ByteScanning.starts(key, with: found.span) { return index }
        }
        return nil
    }

    /// A hash that two keys are unlikely to share. It covers some 32 bytes spread over the key, so that it takes in
    /// the signatures of a header's certificates, and bytes 64 to 95, where the leaf's serial number begins.
    private static func fingerprint(of key: Span<UInt8>) -> UInt64 {
        var hash = UInt64(key.count)
        let step = max(1, key.count / 32)
        for index in stride(from: 0, to: key.count, by: step) {
            // FNV-1a's prime.
            hash = (hash ^ UInt64(key[index])) &* 0x100_0000_01b3
        }
        for index in min(64, key.count)..<min(96, key.count) {
            hash = (hash ^ UInt64(key[index])) &* 0x100_0000_01b3
        }
        return hash
    }
}
