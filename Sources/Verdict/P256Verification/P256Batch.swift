/// Signatures to verify together, each under its own key, with the verdict on each.
///
/// The memory is reserved once: filling, verifying and emptying a batch again allocates nothing.
public struct P256Batch: ~Copyable {
    /// The maximum number of signatures in a batch.
    ///
    /// The working set of this many signatures, some 500 bytes each plus a part per window, still fits a
    /// second-level cache.
    public static let maximumCapacity = 1024

    /// The number of signatures that fit.
    public let capacity: Int
    var digests: [UInt8] = []
    var signatures: [UInt8] = []
    var keys: [P256KeyTable] = []
    var verdicts: [Bool] = []
    var workspace: Workspace

    /// - Parameter capacity: the number of signatures to reserve memory for; at least 1, at most
    ///   `maximumCapacity`.
    public init(capacity: Int) {
        self.capacity = min(max(capacity, 1), Self.maximumCapacity)
        workspace = Workspace(capacity: self.capacity)
        digests.reserveCapacity(self.capacity * 32)
        signatures.reserveCapacity(self.capacity * 64)
        keys.reserveCapacity(self.capacity)
        verdicts.reserveCapacity(self.capacity)
    }

    /// The number of signatures in the batch.
    public var count: Int { keys.count }

    /// Whether the batch has no room for another signature.
    public var isFull: Bool { count == capacity }

    /// Adds a signature, if there is room.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r || s`, each with the most significant byte first (RFC 7518, section 3.4).
    ///   - digest: the 32 bytes of the message's SHA-256.
    ///   - key: the signer's table.
    /// - Returns: its index, or `nil` if the batch is full or a length is wrong.
    @discardableResult
    public mutating func append(
        signature: Span<UInt8>, digest: Span<UInt8>, key: P256KeyTable
    ) -> Int? {
        guard !isFull, signature.count == 64, digest.count == 32 else { return nil }
        for index in 0..<64 { signatures.append(signature[index]) }
        append(digest: digest, key: key)
        return keys.count - 1
    }

    /// Adds a signature from an array of several, if there is room.
    ///
    /// - Parameters:
    ///   - others: the bytes of several signatures.
    ///   - start: the offset of this signature's 64 bytes.
    ///   - digest: the 32 bytes of the message's SHA-256.
    ///   - key: the signer's table.
    /// - Returns: its index, or `nil` if the batch is full, or a length or offset is wrong.
    @discardableResult
    public mutating func append(
        signatures others: [UInt8], at start: Int, digest: Span<UInt8>, key: P256KeyTable
    ) -> Int? {
        guard !isFull, start >= 0, others.count - start >= 64, digest.count == 32 else { return nil }
        let signature = others.span.extracting(start..<start + 64)
        unsafe signature.withUnsafeBufferPointer { unsafe signatures.append(contentsOf: $0) }
        append(digest: digest, key: key)
        return keys.count - 1
    }

    private mutating func append(digest: Span<UInt8>, key: P256KeyTable) {
        unsafe digest.withUnsafeBufferPointer { unsafe digests.append(contentsOf: $0) }
        keys.append(key)
        verdicts.append(false)
    }

    /// Whether the signature at this index was found valid. It is false before verification, and for an index
    /// without a signature.
    public func isValid(at index: Int) -> Bool { verdicts.indices.contains(index) && verdicts[index] }

    /// Empties the batch.
    public mutating func removeAll() {
        digests.removeAll(keepingCapacity: true)
        signatures.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        verdicts.removeAll(keepingCapacity: true)
    }
}
