/// Multiples of a public key that make verification under it fast: it becomes a sum of table points, without
/// doublings.
///
/// For windows of w bits there are k = ⌈256 / w⌉ windows. The table holds the odd multiples (2j + 1) 2^(wi) Q
/// with j < 2^(w - 1) and i < k. Each point fills a cache line; its coordinates are times 2^260 and reduced.
/// Making the table takes about k 2^(w - 1) additions of points: 5 ms for 12 bits, and 2 ms with vector instructions.
public final class P256KeyTable: Sendable {
    /// The key of the table.
    public let key: P256PublicKey
    let recoding: WindowRecoding
    private let storage: PointStorage
    private let onRelease: @Sendable () -> Void

    /// Computes the table.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - windowBits: the width of a window, in bits: 5 to 16. Other values are replaced by the nearest of
    ///     these.
    ///   - onRelease: called after the table's memory is freed, for a caller that keeps a budget.
    public convenience init(
        _ key: P256PublicKey, windowBits: Int, onRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            key, windowBits: windowBits, arithmetic: P256Verifier.Choice().arithmetic,
            onRelease: onRelease)
    }

    /// As above, with an arithmetic that this machine can run. All make the same table.
    package init(
        _ key: P256PublicKey, windowBits: Int, arithmetic: P256Verifier.Arithmetic,
        onRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.key = key
        self.onRelease = onRelease
        recoding = WindowRecoding(bits: windowBits)
        storage = PointStorage(multiplesOf: key, recoding, arithmetic)
    }

    /// The table's words, for comparing tables.
    package var content: [UInt64] {
        unsafe Array(UnsafeBufferPointer(start: storage.words, count: storage.count * 8))
    }

    deinit { onRelease() }

    /// The width of a window, in bits.
    public var windowBits: Int { recoding.bits }

    /// The memory that a table takes, in bytes.
    public static func byteCount(windowBits: Int) -> Int {
        let recoding = WindowRecoding(bits: windowBits)
        return recoding.windows * recoding.entries * PointStorage.bytesPerPoint
    }

    /// The memory that this table takes, in bytes.
    public var byteCount: Int { Self.byteCount(windowBits: windowBits) }

    /// The point for a digit; its ordinate is not reduced.
    @inline(__always)
    func point(_ digit: WindowRecoding.Digit) -> AffinePoint { storedPoint(digit).point(digit) }

    /// The same point as it is in memory, without the digit's sign.
    @inline(__always)
    func storedPoint(_ digit: WindowRecoding.Digit) -> StoredPoint { storage[digit.index] }

    /// Prefetches the point for a digit.
    @inline(__always)
    func touch(_ digit: WindowRecoding.Digit) -> UInt64 { storage.touch(digit.index) }

    /// The points' words, for the vector kernel.
    @safe var words: UnsafePointer<UInt64> { unsafe storage.words }
}
