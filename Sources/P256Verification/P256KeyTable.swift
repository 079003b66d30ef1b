/// The multiples of a public key that make verification under it fast: a sum of table points, without one
/// doubling.
///
/// For windows of w bits, k = ⌈256 / w⌉ of them, the table holds the odd multiples (2j + 1) 2^(wi) Q with
/// j < 2^(w - 1) and i < k, as coordinates times 2^260, reduced: one point in one line of the cache. Making it
/// takes about k 2^(w - 1) additions of points: 1 ms for 8 bits, 10 ms for 12.
public final class P256KeyTable: Sendable {
    /// The key whose multiples these are.
    public let key: P256PublicKey
    let recoding: WindowRecoding
    private let storage: PointStorage
    private let onRelease: @Sendable () -> Void

    /// Computes the table.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - windowBits: the width of a window, in bits: 5 to 16; others are taken for the nearest of these.
    ///   - onRelease: called once the table's memory is given back, for whoever keeps a budget.
    public init(
        _ key: P256PublicKey, windowBits: Int, onRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.key = key
        self.onRelease = onRelease
        recoding = WindowRecoding(bits: windowBits)
        storage = PointStorage(multiplesOf: key, recoding)
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

    /// The point that a digit stands for, its ordinate not reduced.
    @inline(__always)
    func point(_ digit: WindowRecoding.Digit) -> AffinePoint { storedPoint(digit).point(digit) }

    /// The same point as it stands in memory, without regard to the digit's sign.
    @inline(__always)
    func storedPoint(_ digit: WindowRecoding.Digit) -> StoredPoint { storage[digit.index] }

    /// Has the processor fetch the point that a digit stands for.
    @inline(__always)
    func touch(_ digit: WindowRecoding.Digit) -> UInt64 { storage.touch(digit.index) }

    /// The points' words, for the vector kernel.
    @safe var words: UnsafePointer<UInt64> { unsafe storage.words }
}
