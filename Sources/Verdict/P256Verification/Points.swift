/// A point of the curve in affine coordinates; never the point at infinity.
struct AffinePoint {
    var x, y: FieldElement

    /// The curve's equation, y^2 = x^3 - 3x + b.
    var isOnCurve: Bool {
        let b = FieldElement(
            Words256(
                0x3bce_3c3e_27d2_604b, 0x651d_06b0_cc53_b0f6, 0xb3eb_bd55_7698_86bc, 0x5ac6_35d8_aa3a_93e7))
        let right = (x.squared() * x).reduced() + b - (x + x + x).reduced()
        return (y.squared().reduced() - right.reduced()).isZero
    }

    /// The negative of the point.
    @inline(__always)
    var negated: AffinePoint { AffinePoint(x: x, y: FieldElement.zero - y) }
}

/// A point in Jacobian coordinates: x = X / Z^2, y = Y / Z^3, and Z = 0 for the point at infinity. All three
/// are reduced.
struct JacobianPoint {
    var x, y, z: FieldElement

    static var infinity: JacobianPoint { JacobianPoint(x: .one, y: .one, z: .zero) }

    @inline(__always)
    init(_ point: AffinePoint) { self.init(x: point.x.reduced(), y: point.y.reduced(), z: .one) }

    @inline(__always)
    init(x: FieldElement, y: FieldElement, z: FieldElement) {
        self.x = x
        self.y = y
        self.z = z
    }

    var isInfinity: Bool { z.isZero }

    /// Twice the point: 3M + 5S, with D. J. Bernstein's formulas for a = -3 (EFD, dbl-2001-b). Infinity stays
    /// infinity, and no point of the group has order two.
    func doubled() -> JacobianPoint {
        let delta = z.squared().reduced()
        let gamma = y.squared().reduced()
        let beta = (x * gamma).reduced()
        let sum = ((x - delta).reduced() * (x + delta)).reduced()
        let alpha = (sum + sum + sum).reduced()
        let fourBeta = (beta + beta + beta + beta).reduced()
        let x3 = (alpha.squared() - fourBeta - fourBeta).reduced()
        let z3 = ((y + z).squared() - gamma - delta).reduced()
        let square = gamma.squared().reduced()
        let fourSquares = (square + square + square + square).reduced()
        let y3 = (alpha * (fourBeta - x3)).reduced() - fourSquares - fourSquares
        return JacobianPoint(x: x3, y: y3.reduced(), z: z3)
    }

    /// The sum with an affine point, by complete formulas: 8M + 3S if the points differ (EFD, madd), a
    /// doubling if they are the same, infinity if they cancel.
    ///
    /// The affine ordinate may be as large as 4.01p. In units of p, H and R are below 5.3, HH below 2.8, HHH
    /// below 2 and V below 1.4. So every subtrahend is in the range that subtraction requires.
    @inline(__always)
    static func + (a: JacobianPoint, b: AffinePoint) -> JacobianPoint {
        let zz = a.z.squared()
        let h = b.x * zz - a.x
        let r = b.y * (zz * a.z) - a.y
        let z3 = (a.z * h).reduced()
        // Z3 is zero if a is infinity or the abscissas are equal. One in 2^52 other values passes the first
        // test too.
        if z3.mayBeZero, z3.isZero { return exceptionalSum(a, b, sameOrdinate: r.isZero) }
        let hh = h.squared()
        let hhh = h * hh
        let v = a.x * hh
        let x3 = (r.squared() - hhh - (v + v)).reduced()
        let y3 = (r * (v - x3) - a.y * hhh).reduced()
        return JacobianPoint(x: x3, y: y3, z: z3)
    }

    private static func exceptionalSum(
        _ a: JacobianPoint, _ b: AffinePoint, sameOrdinate: Bool
    ) -> JacobianPoint {
        if a.isInfinity { return JacobianPoint(b) }
        return sameOrdinate ? a.doubled() : .infinity
    }
}

extension FieldElement {
    /// Whether a reduced value could be a multiple of p. The test reads only the middle limb, which is 0 in
    /// 0, p and 2p.
    @inline(__always)
    var mayBeZero: Bool { limb2 == 0 }
}
