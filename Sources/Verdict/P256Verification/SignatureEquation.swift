/// The numbers of a signature that verification needs (FIPS 186-5, section 6.4.2). With u1 = e / s and u2 = r
/// / s, the abscissa of R = u1 G + u2 Q must be r modulo n.
struct SignatureEquation {
    /// The signature's first number, from 1 to n - 1.
    let r: Words256
    /// The factor of G.
    let u1: Words256
    /// The factor of the key.
    let u2: Words256

    /// - Parameter inverse: 2^260 / s modulo n.
    @inline(__always)
    init(r: Words256, digest: Words256, inverse: Scalar) {
        self.r = r
        u1 = (Scalar(digest) * inverse).words
        u2 = (Scalar(r) * inverse).words
    }

    /// The equation of one signature.
    ///
    /// - Parameters:
    ///   - signatures: 64 bytes each; `digests`: 32 bytes each.
    ///   - place: the index of the signature.
    /// - Returns: `nil` if r or s is out of range.
    init?(signatures: Span<UInt8>, digests: Span<UInt8>, at place: Int) {
        let r = Words256(bigEndian: signatures, at: place * 64)
        let s = Words256(bigEndian: signatures, at: place * 64 + 32)
        guard Scalar.isInRange(r), Scalar.isInRange(s) else { return nil }
        self.init(
            r: r, digest: Words256(bigEndian: digests, at: place * 32),
            inverse: Scalar(s).inverted() * .square)
    }

    /// Whether `x / scale` is r modulo n. It may be r itself or r + n, because p is larger than n.
    @inline(__always)
    func matches(x: FieldElement, scale: FieldElement) -> Bool {
        if (x - (FieldElement(r) * scale).reduced()).isZero { return true }
        guard r < Self.roomAboveOrder else { return false }
        var other = r
        _ = other.add(Scalar.order)
        return (x - (FieldElement(other) * scale).reduced()).isZero
    }

    /// p - n. Only an r below it allows a second abscissa.
    private static var roomAboveOrder: Words256 {
        Words256(0x0c46_353d_039c_daae, 0x4319_0553_58e8_617b, 0, 0)
    }

    /// Decides the equation by complete formulas. This is for a single signature, and for the few that the
    /// batch's faster formulas skip.
    func holds(generator: P256KeyTable, key: P256KeyTable) -> Bool {
        // All points are copied before the first addition, with so little work between the reads that many
        // cache misses overlap. Each table has at most 52 windows, of 5 bits.
        var digits = InlineArray<104, WindowRecoding.Digit>(repeating: .init(index: 0, isNegative: false))
        var points = InlineArray<104, StoredPoint>(repeating: StoredPoint())
        let windows = generator.recoding.windows
        let count = windows + key.recoding.windows
        generator.recoding.forEachDigit(of: u1) { digits[$0] = $1 }
        key.recoding.forEachDigit(of: u2) { digits[windows + $0] = $1 }
        for index in 0..<windows { points[index] = generator.storedPoint(digits[index]) }
        for index in windows..<count { points[index] = key.storedPoint(digits[index]) }
        var sum = JacobianPoint(points[0].point(digits[0]))
        for index in 1..<count { sum = sum + points[index].point(digits[index]) }
        guard !sum.isInfinity else { return false }
        return matches(x: sum.x, scale: sum.z.squared())
    }
}
