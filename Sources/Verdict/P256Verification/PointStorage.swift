#if canImport(Glibc)
    internal import Glibc
#endif

/// Points in memory, as both engines read them: 64 bytes each, aligned to a cache line, x before y, each four
/// little-endian words.
///
/// It is `Sendable`, because the memory is written only while it is made, by one thread, and is only read after that.
@safe final class PointStorage: @unchecked Sendable {
    static let bytesPerPoint = 64
    private static let wordsPerPoint = 8

    let count: Int
    private let memory: UnsafeMutablePointer<UInt64>

    private init(count: Int) {
        self.count = count
        let bytes = count * Self.bytesPerPoint
        // Large tables use huge pages. A sum reads points all over the table, and with small pages each read
        // would miss the translation buffer.
        let alignment = bytes >= 1 << 21 ? 1 << 21 : Self.bytesPerPoint
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
        #if canImport(Glibc)
            if alignment > Self.bytesPerPoint { unsafe madvise(raw, bytes, Int32(MADV_HUGEPAGE)) }
        #endif
        unsafe memory = raw.bindMemory(to: UInt64.self, capacity: count * Self.wordsPerPoint)
    }

    deinit { unsafe memory.deallocate() }

    var words: UnsafePointer<UInt64> { unsafe UnsafePointer(memory) }

    /// A point.
    @inline(__always)
    subscript(index: Int) -> StoredPoint {
        precondition(index >= 0 && index < count)
        let start = unsafe memory + index &* Self.wordsPerPoint
        return unsafe StoredPoint(
            x: Words256(start[0], start[1], start[2], start[3]),
            y: Words256(start[4], start[5], start[6], start[7]))
    }

    /// Prefetches a point that is needed soon. Many reads in a row overlap; reads with arithmetic in between
    /// do not.
    @inline(__always)
    func touch(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < count)
        return unsafe memory[index &* Self.wordsPerPoint]
    }

    private func store(_ point: AffinePoint, at index: Int) {
        precondition(index >= 0 && index < count)
        let start = unsafe memory + index * Self.wordsPerPoint
        let (x, y) = (point.x.canonical(), point.y.canonical())
        unsafe (start[0], start[1], start[2], start[3]) = (x.word0, x.word1, x.word2, x.word3)
        unsafe (start[4], start[5], start[6], start[7]) = (y.word0, y.word1, y.word2, y.word3)
    }
}

/// A point as it is in a table.
struct StoredPoint {
    var x = Words256(0, 0, 0, 0)
    var y = Words256(0, 0, 0, 0)

    /// The point; the coordinates are reduced.
    @inline(__always)
    var point: AffinePoint { AffinePoint(x: FieldElement(words: x), y: FieldElement(words: y)) }

    /// The point for a digit; its ordinate is not reduced.
    @inline(__always)
    func point(_ digit: WindowRecoding.Digit) -> AffinePoint { digit.isNegative ? point.negated : point }
}

// MARK: - The odd multiples of a key

extension PointStorage {
    /// Computes the odd multiples of a key, window by window.
    ///
    /// Doublings give 2^j Q first. Then, in each window and level by level, 2^level times the window's first
    /// point is added to the points that are already there. All windows share the inversion of a level. No
    /// such sum has equal abscissas: divided by 2^(wi), that would need 2j + 1 = ±2^level modulo n. But both
    /// sides are far below n, one odd and the other even.
    ///
    /// - Parameter arithmetic: makes the levels that have enough points for vectors.
    convenience init(
        multiplesOf key: P256PublicKey, _ recoding: WindowRecoding, _ arithmetic: P256Verifier.Arithmetic
    ) {
        let (windows, entries) = (recoding.windows, recoding.entries)
        self.init(count: windows * entries)
        let powers = Self.doublings(of: key, count: recoding.bits * windows)
        for window in 0..<windows { store(powers[window * recoding.bits], at: window * entries) }
        var sums = AffineSums(capacity: windows * max(1, entries / 2))
        for level in 1..<max(2, recoding.bits) {
            let present = 1 << (level - 1)
            let steps = (0..<windows).map { powers[$0 * recoding.bits + level] }
            if unsafe VectorKernel.addLevel(
                arithmetic, to: memory, windows: windows, entries: entries, present: present,
                steps: steps.flatMap { Self.words(of: $0) })
            {
                continue
            }
            sums.removeAll()
            for window in 0..<windows {
                for entry in 0..<present { sums.append(self[window * entries + entry].point, steps[window]) }
            }
            sums.add()
            for window in 0..<windows {
                for entry in 0..<present {
                    store(sums[window * present + entry], at: window * entries + present + entry)
                }
            }
        }
    }

    /// A point as it is in memory.
    private static func words(of point: AffinePoint) -> [UInt64] {
        let (x, y) = (point.x.canonical(), point.y.canonical())
        return [x.word0, x.word1, x.word2, x.word3, y.word0, y.word1, y.word2, y.word3]
    }

    /// `Q, 2Q, 4Q, …`, with one inversion for all (P. L. Montgomery's trick).
    private static func doublings(of key: P256PublicKey, count: Int) -> [AffinePoint] {
        var points: [JacobianPoint] = []
        var products: [FieldElement] = []
        points.reserveCapacity(count)
        products.reserveCapacity(count)
        var point = JacobianPoint(AffinePoint(x: FieldElement(key.x), y: FieldElement(key.y)))
        var product = FieldElement.one
        for _ in 0..<count {
            points.append(point)
            products.append(product)
            product = (product * point.z).reduced()
            point = point.doubled()
        }
        var inverse = product.inverted()
        var result: [AffinePoint] = []
        result.reserveCapacity(count)
        for index in (0..<count).reversed() {
            let z = inverse * products[index]
            inverse = inverse * points[index].z
            let zz = z.squared()
            result.append(AffinePoint(x: points[index].x * zz, y: points[index].y * (zz * z)))
        }
        result.reverse()
        return result
    }
}
