/// Inverses modulo a prime of 256 bits by division steps: D. J. Bernstein and B.-Y. Yang, "Fast constant-time
/// gcd computation and modular inversion" (2019). It runs in variable time, because all numbers here are
/// public.
///
/// 62 steps at a time are decided from the low words alone and collected in a matrix, which is then applied
/// to the whole numbers. Some twelve rounds replace the 255 squarings of Fermat's theorem.
package struct Inversion: Sendable {
    /// Five signed digits of 62 bits. They hold values below 2^257 in magnitude, with room to add before
    /// carrying.
    typealias Digits = InlineArray<5, Int64>

    private let modulus: Digits
    /// The modulus's inverse modulo 2^62.
    private let modulusInverse: UInt64

    /// Modulo the field's p.
    package static var field: Inversion {
        Inversion(modulus: digits(FieldElement.modulus), modulusInverse: 0x3fff_ffff_ffff_ffff)
    }
    /// Modulo the group's order n.
    package static var scalars: Inversion {
        Inversion(modulus: digits(Scalar.order), modulusInverse: 0x332e_3755_11ff_43b1)
    }

    private static var mask: UInt64 { 1 << 62 - 1 }

    /// The inverse of a value below the modulus; zero for zero.
    package func inverse(of value: Words256) -> Words256 {
        var (f, g) = (modulus, Self.digits(value))
        var (d, e): (Digits, Digits) = ([0, 0, 0, 0, 0], [1, 0, 0, 0, 0])
        var eta: Int64 = -1
        // 741 steps bring any g below 2^256 to zero (theorem 11.2 of the paper), so twelve rounds are enough.
        for _ in 0..<12 {
            let matrix = Self.steps(&eta, UInt64(bitPattern: f[0]), UInt64(bitPattern: g[0]))
            Self.apply(matrix, &f, &g)
            applyModulo(matrix, &d, &e)
            if g[0] | g[1] | g[2] | g[3] | g[4] == 0 { break }
        }
        return words(d, negated: f[4] < 0)
    }

    /// The effect of 62 steps on (f, g), times 2^62. The magnitudes in each row, (u, v) and (q, r), sum to at
    /// most 2^62.
    private struct Matrix {
        var u: Int64 = 1
        var v: Int64 = 0
        var q: Int64 = 0
        var r: Int64 = 1
    }

    /// Decides 62 steps on the low bits; `eta` is the paper's -δ. A run of zero bits in g is handled at once.
    /// So are up to six one bits, by adding the multiple of f that clears them.
    @inline(__always)
    private static func steps(_ eta: inout Int64, _ lowF: UInt64, _ lowG: UInt64) -> Matrix {
        var (f, g, matrix, left) = (lowF, lowG, Matrix(), 62)
        while true {
            // A one bit above the remaining steps limits the count.
            let zeros = (g | ~0 &<< UInt64(left)).trailingZeroBitCount
            g &>>= UInt64(zeros)
            matrix.u &<<= Int64(zeros)
            matrix.v &<<= Int64(zeros)
            eta &-= Int64(zeros)
            left &-= zeros
            if left == 0 { return matrix }
            if eta < 0 {
                eta = 0 &- eta
                (f, g) = (g, 0 &- f)
                matrix = Matrix(u: matrix.q, v: matrix.r, q: 0 &- matrix.u, r: 0 &- matrix.v)
            }
            // The number of bits of g to clear: the steps until f and g might change places again. f * (2 - f
            // * f) is the inverse of f modulo 2^6, since f * f = 1 modulo 2^3.
            let count = min(6, left, Int(eta) &+ 1)
            let multiple = (g &* f &* (f &* f &- 2)) & (1 &<< UInt64(count) &- 1)
            g &+= f &* multiple
            matrix.q &+= matrix.u &* Int64(bitPattern: multiple)
            matrix.r &+= matrix.v &* Int64(bitPattern: multiple)
        }
    }

    /// Applies the matrix to (f, g) and divides by 2^62, exactly.
    @inline(__always)
    private static func apply(_ matrix: Matrix, _ f: inout Digits, _ g: inout Digits) {
        var sumF = product(matrix.u, f[0]) &+ product(matrix.v, g[0])
        var sumG = product(matrix.q, f[0]) &+ product(matrix.r, g[0])
        for index in 1..<5 {
            sumF = sumF &>> 62 &+ product(matrix.u, f[index]) &+ product(matrix.v, g[index])
            sumG = sumG &>> 62 &+ product(matrix.q, f[index]) &+ product(matrix.r, g[index])
            f[index &- 1] = low(sumF)
            g[index &- 1] = low(sumG)
        }
        f[4] = Int64(truncatingIfNeeded: sumF &>> 62)
        g[4] = Int64(truncatingIfNeeded: sumG &>> 62)
    }

    /// Applies the matrix to (d, e) modulo m, and divides by 2^62. Multiples of m make the sums divisible by
    /// 2^62 and keep them within (-2m, m).
    @inline(__always)
    private func applyModulo(_ matrix: Matrix, _ d: inout Digits, _ e: inout Digits) {
        // Negative numbers get m added.
        let (signD, signE) = (d[4] &>> 63, e[4] &>> 63)
        var timesD = (matrix.u & signD) &+ (matrix.v & signE)
        var timesE = (matrix.q & signD) &+ (matrix.r & signE)
        var sumD = Self.product(matrix.u, d[0]) &+ Self.product(matrix.v, e[0])
        var sumE = Self.product(matrix.q, d[0]) &+ Self.product(matrix.r, e[0])
        timesD &-= clearing(sumD, timesD)
        timesE &-= clearing(sumE, timesE)
        sumD = sumD &+ Self.product(timesD, modulus[0])
        sumE = sumE &+ Self.product(timesE, modulus[0])
        for index in 1..<5 {
            sumD = sumD &>> 62 &+ Self.product(matrix.u, d[index]) &+ Self.product(matrix.v, e[index])
            sumE = sumE &>> 62 &+ Self.product(matrix.q, d[index]) &+ Self.product(matrix.r, e[index])
            sumD = sumD &+ Self.product(timesD, modulus[index])
            sumE = sumE &+ Self.product(timesE, modulus[index])
            d[index &- 1] = Self.low(sumD)
            e[index &- 1] = Self.low(sumE)
        }
        d[4] = Int64(truncatingIfNeeded: sumD &>> 62)
        e[4] = Int64(truncatingIfNeeded: sumE &>> 62)
    }

    /// The multiple of m to subtract, so that the sum's low 62 bits become zero.
    @inline(__always)
    private func clearing(_ sum: Int128, _ times: Int64) -> Int64 {
        let bits = modulusInverse &* UInt64(truncatingIfNeeded: sum) &+ UInt64(bitPattern: times)
        return Int64(bitPattern: bits & Self.mask)
    }

    /// Converts a number within (-2m, m), or its negative, to a value below m.
    private func words(_ digits: Digits, negated: Bool) -> Words256 {
        var value = digits
        if value[4] < 0 { value = sum(value, modulus, sign: 1) }
        if negated { value = sum([0, 0, 0, 0, 0], value, sign: -1) }
        if value[4] < 0 { value = sum(value, modulus, sign: 1) }
        func bits(_ index: Int) -> UInt64 { UInt64(bitPattern: value[index]) }
        return Words256(
            bits(0) | bits(1) &<< 62, bits(1) &>> 2 | bits(2) &<< 60, bits(2) &>> 4 | bits(3) &<< 58,
            bits(3) &>> 6 | bits(4) &<< 56)
    }

    /// `a + sign * b`, with carries.
    private func sum(_ a: Digits, _ b: Digits, sign: Int64) -> Digits {
        var (result, carry) = (a, Int64(0))
        for index in 0..<5 {
            let digit = a[index] &+ sign &* b[index] &+ carry
            carry = digit &>> 62
            result[index] = index < 4 ? Int64(bitPattern: UInt64(bitPattern: digit) & Self.mask) : digit
        }
        return result
    }

    private static func digits(_ words: Words256) -> Digits {
        let bits: InlineArray<5, UInt64> = [
            words.word0, words.word0 &>> 62 | words.word1 &<< 2, words.word1 &>> 60 | words.word2 &<< 4,
            words.word2 &>> 58 | words.word3 &<< 6, words.word3 &>> 56,
        ]
        var digits: Digits = [0, 0, 0, 0, 0]
        for index in 0..<5 { digits[index] = Int64(bitPattern: bits[index] & mask) }
        return digits
    }

    @inline(__always)
    private static func product(_ a: Int64, _ b: Int64) -> Int128 { Int128(a) &* Int128(b) }
    @inline(__always)
    private static func low(_ sum: Int128) -> Int64 {
        Int64(bitPattern: UInt64(truncatingIfNeeded: sum) & mask)
    }
}
