/// A number below the order n of P-256's group (SEC 2, section 2.4.2), as five limbs of 52 bits.
///
/// Multiplication is Montgomery's with R = 2^260. The caller decides whether a value is in Montgomery's form;
/// the batch needs no conversions, because `e * (R / s) / R` is plain.
package struct Scalar: Equatable {
    package var limb0, limb1, limb2, limb3, limb4: UInt64

    @inline(__always)
    package static var order: Words256 {
        Words256(0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000)
    }

    /// Whether a signature may have this number: from 1 to n - 1 (FIPS 186-5, section 6.4.2, step 1).
    @inline(__always)
    package static func isInRange(_ number: Words256) -> Bool { !number.isZero && number < order }

    /// The limbs of any 256-bit number.
    @inline(__always)
    package init(_ words: Words256) {
        let element = FieldElement(words: words)
        (limb0, limb1, limb2) = (element.limb0, element.limb1, element.limb2)
        (limb3, limb4) = (element.limb3, element.limb4)
    }

    /// The value as words.
    @inline(__always)
    package var words: Words256 {
        Words256(
            limb0 | limb1 &<< 52, limb1 &>> 12 | limb2 &<< 40, limb2 &>> 24 | limb3 &<< 28,
            limb3 &>> 36 | limb4 &<< 16)
    }

    /// R modulo n: one in Montgomery's form.
    package static var one: Scalar {
        Scalar(
            Words256(
                0xc463_53d0_39cd_aaf0, 0x3190_5525_8e86_17b0, 0x0000_0000_0000_0004, 0x0000_000f_ffff_fff0))
    }
    /// R^2 modulo n.
    package static var square: Scalar {
        Scalar(
            Words256(
                0x0845_cc0d_ea6d_c3ba, 0x5571_bb19_2a06_7d8a, 0x45b2_392b_6bec_5961, 0xe12d_9559_d956_1fc2))
    }

    /// The value's inverse modulo n, ignoring Montgomery's form.
    package func inverted() -> Scalar { Scalar(Inversion.scalars.inverse(of: words)) }

    /// `a * b / R mod n`, below n, for factors below 2^256 of which one is below n.
    ///
    /// Before the last subtraction the value is below `a * b / R + n`, and so below 2n.
    @inline(__always)
    package static func * (a: Scalar, b: Scalar) -> Scalar {
        var column = product(a.limb0, b.limb0)
        let q0 = quotient(column)
        column = (column &+ product(q0, order0)) &>> 52
        column = column &+ product(a.limb0, b.limb1) &+ product(a.limb1, b.limb0) &+ product(q0, order1)
        let q1 = quotient(column)
        column = (column &+ product(q1, order0)) &>> 52
        column = column &+ product(a.limb0, b.limb2) &+ product(a.limb1, b.limb1) &+ product(a.limb2, b.limb0)
        column = column &+ product(q0, order2) &+ product(q1, order1)
        let q2 = quotient(column)
        column = (column &+ product(q2, order0)) &>> 52
        column = column &+ product(a.limb0, b.limb3) &+ product(a.limb1, b.limb2) &+ product(a.limb2, b.limb1)
        column = column &+ product(a.limb3, b.limb0)
        column = column &+ product(q0, order3) &+ product(q1, order2) &+ product(q2, order1)
        let q3 = quotient(column)
        column = (column &+ product(q3, order0)) &>> 52
        column = column &+ product(a.limb0, b.limb4) &+ product(a.limb1, b.limb3) &+ product(a.limb2, b.limb2)
        column = column &+ product(a.limb3, b.limb1) &+ product(a.limb4, b.limb0)
        column = column &+ product(q0, order4) &+ product(q1, order3) &+ product(q2, order2)
        column = column &+ product(q3, order1)
        let q4 = quotient(column)
        column = (column &+ product(q4, order0)) &>> 52
        column = column &+ product(a.limb1, b.limb4) &+ product(a.limb2, b.limb3) &+ product(a.limb3, b.limb2)
        column = column &+ product(a.limb4, b.limb1)
        column = column &+ product(q1, order4) &+ product(q2, order3) &+ product(q3, order2)
        column = column &+ product(q4, order1)
        let r0 = UInt64(truncatingIfNeeded: column) & mask
        column = column &>> 52 &+ product(a.limb2, b.limb4) &+ product(a.limb3, b.limb3)
        column = column &+ product(a.limb4, b.limb2)
        column = column &+ product(q2, order4) &+ product(q3, order3) &+ product(q4, order2)
        let r1 = UInt64(truncatingIfNeeded: column) & mask
        column = column &>> 52 &+ product(a.limb3, b.limb4) &+ product(a.limb4, b.limb3)
        column = column &+ product(q3, order4) &+ product(q4, order3)
        let r2 = UInt64(truncatingIfNeeded: column) & mask
        column = column &>> 52 &+ product(a.limb4, b.limb4) &+ product(q4, order4)
        let r3 = UInt64(truncatingIfNeeded: column) & mask
        return Scalar(r0, r1, r2, r3, UInt64(truncatingIfNeeded: column &>> 52)).belowOrder()
    }

    @inline(__always)
    private init(_ limb0: UInt64, _ limb1: UInt64, _ limb2: UInt64, _ limb3: UInt64, _ limb4: UInt64) {
        self.limb0 = limb0
        self.limb1 = limb1
        self.limb2 = limb2
        self.limb3 = limb3
        self.limb4 = limb4
    }

    /// The value, minus n if it is n or more. The difference's sign makes a mask that selects.
    @inline(__always)
    private func belowOrder() -> Scalar {
        var limbs = (
            Int64(bitPattern: limb0 &- Self.order0), Int64(bitPattern: limb1 &- Self.order1),
            Int64(bitPattern: limb2 &- Self.order2), Int64(bitPattern: limb3 &- Self.order3),
            Int64(bitPattern: limb4 &- Self.order4)
        )
        limbs.1 &+= limbs.0 &>> 52
        limbs.2 &+= limbs.1 &>> 52
        limbs.3 &+= limbs.2 &>> 52
        limbs.4 &+= limbs.3 &>> 52
        let negative = UInt64(bitPattern: limbs.4 &>> 63)
        func select(_ before: UInt64, _ after: Int64) -> UInt64 {
            before & negative | UInt64(bitPattern: after) & Self.mask & ~negative
        }
        return Scalar(
            select(limb0, limbs.0), select(limb1, limbs.1), select(limb2, limbs.2), select(limb3, limbs.3),
            select(limb4, limbs.4))
    }

    @inline(__always) private static var mask: UInt64 { 1 << 52 - 1 }
    @inline(__always) private static var orderLimbs: Scalar { Scalar(order) }
    @inline(__always) private static var order0: UInt64 { orderLimbs.limb0 }
    @inline(__always) private static var order1: UInt64 { orderLimbs.limb1 }
    @inline(__always) private static var order2: UInt64 { orderLimbs.limb2 }
    @inline(__always) private static var order3: UInt64 { orderLimbs.limb3 }
    @inline(__always) private static var order4: UInt64 { orderLimbs.limb4 }

    @inline(__always)
    private static func product(_ a: UInt64, _ b: UInt64) -> UInt128 { UInt128(a) &* UInt128(b) }
    /// The column's quotient digit: the column times -1 / n modulo 2^52.
    @inline(__always)
    private static func quotient(_ column: UInt128) -> UInt64 {
        UInt64(truncatingIfNeeded: column) &* 0x1_c8aa_ee00_bc4f & mask
    }
}
