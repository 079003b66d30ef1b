/// A number modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1, in Montgomery's form with R = 2^260.
///
/// Five limbs of 52 bits leave twelve free bits in each word. So sums and differences need no carries,
/// columns of products fit 128 bits, and the code tests no overflow flag, for which Swift would branch. A
/// value is *reduced* if its limbs are below 2^52 and it is below 2.01p. Multiplication accepts limbs below
/// 2^55 and values below 2^259.
package struct FieldElement: Equatable {
    package var limb0, limb1, limb2, limb3, limb4: UInt64

    @inline(__always)
    package init(_ limb0: UInt64, _ limb1: UInt64, _ limb2: UInt64, _ limb3: UInt64, _ limb4: UInt64) {
        self.limb0 = limb0
        self.limb1 = limb1
        self.limb2 = limb2
        self.limb3 = limb3
        self.limb4 = limb4
    }

    /// The value of four words, without conversion to Montgomery's form.
    @inline(__always)
    package init(words: Words256) {
        self.init(
            words.word0 & Self.mask, (words.word0 >> 52 | words.word1 << 12) & Self.mask,
            (words.word1 >> 40 | words.word2 << 24) & Self.mask,
            (words.word2 >> 28 | words.word3 << 36) & Self.mask, words.word3 >> 16)
    }

    @inline(__always) package static var mask: UInt64 { 1 << 52 - 1 }
    /// The top limb of p; the others are 2^52 - 1, 2^44 - 1, 0 and 2^36.
    @inline(__always) private static var top: UInt64 { 1 << 48 - 1 << 16 }

    @inline(__always) package static var zero: FieldElement { FieldElement(0, 0, 0, 0, 0) }
    package static var modulus: Words256 { Words256(~0, 0xffff_ffff, 0, 0xffff_ffff_0000_0001) }
    /// R modulo p: one in Montgomery's form.
    package static var one: FieldElement {
        FieldElement(
            words: Words256(0x10, 0xffff_fff0_0000_0000, 0xffff_ffff_ffff_ffff, 0x0000_000f_ffff_ffef))
    }
}

// MARK: - Arithmetic

extension FieldElement {
    /// Montgomery's product, `a * b / 2^260 mod p`. It is below `a * b / 2^260 + p`; its limbs are below
    /// 2^52, except the top one.
    ///
    /// p is -1 modulo 2^52, so the quotient digit is the column's low limb itself, and p's two low limbs turn
    /// into one shift (`q << 44`). Columns stay below 5 * 2^110 + 2^102 and carries below 2^61, so no sum or
    /// carry overflows. The terms that do not depend on a carry are added up first.
    @inline(__always)
    package static func * (a: FieldElement, b: FieldElement) -> FieldElement {
        let column0 = product(a.limb0, b.limb0)
        let q0 = low(column0)
        var sum = product(a.limb0, b.limb1) &+ product(a.limb1, b.limb0)
        let column1 = sum &+ (carry(column0) &+ wide(q0) &<< 44)
        let q1 = low(column1)
        sum = product(a.limb0, b.limb2) &+ product(a.limb1, b.limb1) &+ product(a.limb2, b.limb0)
        let column2 = sum &+ (carry(column1) &+ wide(q1) &<< 44)
        let q2 = low(column2)
        sum = product(a.limb0, b.limb3) &+ product(a.limb1, b.limb2)
        sum = sum &+ (product(a.limb2, b.limb1) &+ product(a.limb3, b.limb0))
        let column3 = sum &+ (carry(column2) &+ wide(q2 &<< 8 &+ q0) &<< 36)
        let q3 = low(column3)
        sum = product(a.limb0, b.limb4) &+ product(a.limb1, b.limb3)
        sum = sum &+ (product(a.limb2, b.limb2) &+ product(a.limb3, b.limb1)) &+ product(a.limb4, b.limb0)
        let column4 = (sum &+ product(q0, top)) &+ (carry(column3) &+ wide(q3 &<< 8 &+ q1) &<< 36)
        let q4 = low(column4)
        sum = product(a.limb1, b.limb4) &+ product(a.limb2, b.limb3)
        sum = sum &+ (product(a.limb3, b.limb2) &+ product(a.limb4, b.limb1)) &+ product(q1, top)
        let column5 = sum &+ (carry(column4) &+ wide(q4 &<< 8 &+ q2) &<< 36)
        sum = product(a.limb2, b.limb4) &+ product(a.limb3, b.limb3) &+ product(a.limb4, b.limb2)
        let column6 = sum &+ product(q2, top) &+ wide(q3) &<< 36 &+ carry(column5)
        sum = product(a.limb3, b.limb4) &+ product(a.limb4, b.limb3)
        let column7 = sum &+ product(q3, top) &+ wide(q4) &<< 36 &+ carry(column6)
        let column8 = product(a.limb4, b.limb4) &+ product(q4, top) &+ carry(column7)
        return FieldElement(low(column5), low(column6), low(column7), low(column8), high(column8))
    }

    /// The square, with each mixed term computed once.
    @inline(__always)
    package func squared() -> FieldElement {
        let (twice0, twice1, twice2, twice3) = (limb0 &<< 1, limb1 &<< 1, limb2 &<< 1, limb3 &<< 1)
        let column0 = Self.product(limb0, limb0)
        let q0 = Self.low(column0)
        let column1 = Self.product(twice0, limb1) &+ (Self.carry(column0) &+ Self.wide(q0) &<< 44)
        let q1 = Self.low(column1)
        var sum = Self.product(twice0, limb2) &+ Self.product(limb1, limb1)
        let column2 = sum &+ (Self.carry(column1) &+ Self.wide(q1) &<< 44)
        let q2 = Self.low(column2)
        sum = Self.product(twice0, limb3) &+ Self.product(twice1, limb2)
        let column3 = sum &+ (Self.carry(column2) &+ Self.wide(q2 &<< 8 &+ q0) &<< 36)
        let q3 = Self.low(column3)
        sum = Self.product(twice0, limb4) &+ Self.product(twice1, limb3)
        sum = sum &+ Self.product(limb2, limb2) &+ Self.product(q0, Self.top)
        let column4 = sum &+ (Self.carry(column3) &+ Self.wide(q3 &<< 8 &+ q1) &<< 36)
        let q4 = Self.low(column4)
        sum = Self.product(twice1, limb4) &+ Self.product(twice2, limb3) &+ Self.product(q1, Self.top)
        let column5 = sum &+ (Self.carry(column4) &+ Self.wide(q4 &<< 8 &+ q2) &<< 36)
        sum = Self.product(twice2, limb4) &+ Self.product(limb3, limb3) &+ Self.product(q2, Self.top)
        let column6 = sum &+ Self.wide(q3) &<< 36 &+ Self.carry(column5)
        sum = Self.product(twice3, limb4) &+ Self.product(q3, Self.top)
        let column7 = sum &+ Self.wide(q4) &<< 36 &+ Self.carry(column6)
        let column8 = Self.product(limb4, limb4) &+ Self.product(q4, Self.top) &+ Self.carry(column7)
        return FieldElement(
            Self.low(column5), Self.low(column6), Self.low(column7), Self.low(column8), Self.high(column8))
    }

    @inline(__always)
    package static func + (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(
            a.limb0 &+ b.limb0, a.limb1 &+ b.limb1, a.limb2 &+ b.limb2, a.limb3 &+ b.limb3, a.limb4 &+ b.limb4
        )
    }

    /// `a - b + 4p`, for a reduced `b`. The multiple of p is spread over the limbs so that none goes below
    /// zero. Two units of every limb are lent to the limb below. The top limb of 4p, minus these two, is
    /// above the top limb of any value below 2.01p.
    @inline(__always)
    package static func - (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(
            a.limb0 &+ (1 &<< 54 &- 4) &- b.limb0,
            a.limb1 &+ (1 &<< 46 &- 4 &+ 1 &<< 53) &- b.limb1,
            a.limb2 &+ (1 &<< 53 &- 2) &- b.limb2,
            a.limb3 &+ (1 &<< 38 &+ 1 &<< 53 &- 2) &- b.limb3,
            a.limb4 &+ (top &<< 2 &- 2) &- b.limb4)
    }

    /// The same number, reduced, for limbs below 2^58.
    ///
    /// The part above bit 256 is removed as that many multiples of p, which leaves a number from 0 to
    /// 2^256 + 2^234, and p is added. One pass of carries makes its limbs small; the shifts
    /// are arithmetic, because some limbs are negative.
    @inline(__always)
    package func reduced() -> FieldElement {
        let excess = limb4 &>> 48
        var limbs = (
            Int64(bitPattern: limb0 &+ excess &+ Self.mask),
            Int64(bitPattern: limb1 &- excess &<< 44 &+ (1 &<< 44 &- 1)), Int64(bitPattern: limb2),
            Int64(bitPattern: limb3 &- excess &<< 36 &+ 1 &<< 36),
            Int64(bitPattern: limb4 & (1 &<< 48 &- 1) &+ excess &<< 16 &+ Self.top)
        )
        let mask = Int64(bitPattern: Self.mask)
        limbs.1 &+= limbs.0 &>> 52
        limbs.2 &+= limbs.1 &>> 52
        limbs.3 &+= limbs.2 &>> 52
        limbs.4 &+= limbs.3 &>> 52
        return FieldElement(
            UInt64(bitPattern: limbs.0 & mask), UInt64(bitPattern: limbs.1 & mask),
            UInt64(bitPattern: limbs.2 & mask), UInt64(bitPattern: limbs.3 & mask),
            UInt64(bitPattern: limbs.4))
    }

    /// The number below p, in four words.
    package func canonical() -> Words256 {
        // A reduced value is below 2.01p, so there are at most two subtractions.
        let value = reduced()
        var words = Words256(
            value.limb0 | value.limb1 &<< 52, value.limb1 &>> 12 | value.limb2 &<< 40,
            value.limb2 &>> 24 | value.limb3 &<< 28, value.limb3 &>> 36 | value.limb4 &<< 16)
        var overflow = value.limb4 &>> 48
        while overflow > 0 || words >= Self.modulus { overflow &-= words.subtract(Self.modulus) }
        return words
    }

    /// Whether the value is a multiple of p.
    package var isZero: Bool { canonical() == Words256(0, 0, 0, 0) }

    /// The number in four words, converted from Montgomery's form.
    package func plain() -> Words256 { (self * FieldElement(1, 0, 0, 0, 0)).canonical() }

    /// Converts a value below p to Montgomery's form.
    package init(_ value: Words256) {
        // 2^520 mod p.
        let factor = FieldElement(
            words: Words256(
                0x0000_0000_0000_0300, 0xffff_fbff_ffff_ff00, 0xffff_ffff_ffff_feff, 0x0000_04ff_ffff_fdff))
        self = FieldElement(words: value) * factor
    }

    /// The inverse: `R^2 / self` in terms of limbs, or zero for zero.
    package func inverted() -> FieldElement {
        FieldElement(words: Inversion.field.inverse(of: canonical())) * Self.cube
    }

    /// 2^780 mod p. Multiplying it by the inverse of the limbs' value gives the inverse in Montgomery's form.
    private static var cube: FieldElement {
        FieldElement(
            words: Words256(
                0xffff_d000_0000_a000, 0xfffe_dfff_ffff_7fff, 0x0000_5fff_ffff_cfff, 0x0001_8000_0000_1000))
    }

    @inline(__always)
    private static func product(_ a: UInt64, _ b: UInt64) -> UInt128 { UInt128(a) &* UInt128(b) }
    @inline(__always)
    private static func wide(_ a: UInt64) -> UInt128 { UInt128(a) }
    @inline(__always)
    private static func low(_ column: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: column) & mask }
    /// A column's carry to the next one. Converting it to a word tells the compiler that it fits one.
    @inline(__always)
    private static func carry(_ column: UInt128) -> UInt128 { wide(high(column)) }
    @inline(__always)
    private static func high(_ column: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: column &>> 52) }
}
