/// Signatures to be verified together, each under a key of its own, and what came of each.
///
/// The memory is reserved once: filling, verifying and emptying a batch again allocates nothing.
public struct P256Batch: ~Copyable {
    /// The most signatures that a batch takes.
    ///
    /// The working set of so many, some 500 bytes each and more per window, still fits a second-level cache.
    public static let maximumCapacity = 1024

    /// How many signatures fit.
    public let capacity: Int
    var digests: [UInt8] = []
    var signatures: [UInt8] = []
    var keys: [P256KeyTable] = []
    var verdicts: [Bool] = []
    var workspace: Workspace

    /// - Parameter capacity: how many signatures to make room for; at least 1, at most `maximumCapacity`.
    public init(capacity: Int) {
        self.capacity = min(max(capacity, 1), Self.maximumCapacity)
        workspace = Workspace(capacity: self.capacity)
        digests.reserveCapacity(self.capacity * 32)
        signatures.reserveCapacity(self.capacity * 64)
        keys.reserveCapacity(self.capacity)
        verdicts.reserveCapacity(self.capacity)
    }

    /// How many signatures are there.
    public var count: Int { keys.count }

    /// Whether no other signature fits.
    public var isFull: Bool { count == capacity }

    /// Adds a signature, if it fits.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r || s`, each with the most significant byte first (RFC 7518, section 3.4).
    ///   - digest: the 32 bytes of the message's SHA-256.
    ///   - key: the signer's table.
    /// - Returns: its place, or `nil` if the batch is full or a length is another.
    @discardableResult
    public mutating func append(
        signature: Span<UInt8>, digest: Span<UInt8>, key: P256KeyTable
    ) -> Int? {
        guard !isFull, signature.count == 64, digest.count == 32 else { return nil }
        for index in 0..<64 { signatures.append(signature[index]) }
        append(digest: digest, key: key)
        return keys.count - 1
    }

    /// Adds a signature that stands among others, if it fits.
    ///
    /// - Parameters:
    ///   - others: the bytes of several signatures.
    ///   - start: where this one's 64 bytes begin.
    ///   - digest: the 32 bytes of the message's SHA-256.
    ///   - key: the signer's table.
    /// - Returns: its place, or `nil` if the batch is full, or a length or place is wrong.
    @discardableResult
    public mutating func append(
        signatures others: [UInt8], at start: Int, digest: Span<UInt8>, key: P256KeyTable
    ) -> Int? {
        guard !isFull, start >= 0, others.count - start >= 64, digest.count == 32 else { return nil }
        signatures.append(contentsOf: others[start..<start + 64])
        append(digest: digest, key: key)
        return keys.count - 1
    }

    private mutating func append(digest: Span<UInt8>, key: P256KeyTable) {
        for index in 0..<32 { digests.append(digest[index]) }
        keys.append(key)
        verdicts.append(false)
    }

    /// Whether the signature in a place was found valid; false before it is verified, and where none is.
    public func isValid(at index: Int) -> Bool { verdicts.indices.contains(index) && verdicts[index] }

    /// Empties the batch.
    public mutating func removeAll() {
        digests.removeAll(keepingCapacity: true)
        signatures.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        verdicts.removeAll(keepingCapacity: true)
    }
}
