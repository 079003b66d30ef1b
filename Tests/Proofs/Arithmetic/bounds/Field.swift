// Bounds in place of numbers, for Points.swift and AffineSums.swift unchanged: each operation gives the bound that its contract
// names, and prints it. A contract that asks for more than is known of an operand is printed as broken.
package struct Words256 {
    package init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {}
}

/// One p, in the unit of bounds. Bounds are rounded up.
let p = 1 << 20

package struct FieldElement: Equatable {
    /// The value is at most this.
    var value: Int
    /// Every limb but the top one is at most this times 2^52 - 1.
    var limbs: Int

    init(value: Int, limbs: Int) { (self.value, self.limbs) = (value, limbs) }
    init(_ words: Words256) { self.init(value: p, limbs: 1) }
    var limb2: Int { 1 }
    static var zero: FieldElement { FieldElement(value: 0, limbs: 0) }
    static var one: FieldElement { FieldElement(value: p, limbs: 1) }
    static var reducedElement: FieldElement { FieldElement(value: (p * 201 + 99) / 100, limbs: 1) }

    /// Prints what an operation gives.
    static func noted(_ operation: String, _ value: Int, _ limbs: Int) -> FieldElement {
        print(operation, value, limbs)
        return FieldElement(value: value, limbs: limbs)
    }

    static func + (a: FieldElement, b: FieldElement) -> FieldElement {
        noted("sum", a.value + b.value, a.limbs + b.limbs)
    }
    /// a - b + 4p. Each limb of a gets up to 2^54.
    static func - (a: FieldElement, b: FieldElement) -> FieldElement {
        if b.limbs > 2 || b.value > p * 28 / 10 { print("broken subtrahend", b.value, b.limbs) }
        return noted("difference", a.value + 4 * p, a.limbs + 4)
    }
    /// a b / 2^260 + p, which is below (A B / 16 + 1) p. Factors may be up to 2^259, which is more than 8p.
    static func * (a: FieldElement, b: FieldElement) -> FieldElement {
        for factor in [a, b] where factor.limbs > 8 || factor.value > 8 * p {
            print("broken factor", factor.value, factor.limbs)
        }
        return noted("product", (a.value * b.value + 16 * p - 1) / (16 * p) + p + 1, 1)
    }
    func squared() -> FieldElement { self * self }
    /// Limbs below 2^58.
    func reduced() -> FieldElement {
        if limbs > 64 { print("broken reduction", value, limbs) }
        return FieldElement.reducedElement
    }
    var isZero: Bool { false }
    /// A value below p, times a value below p.
    func inverted() -> FieldElement { FieldElement.one * FieldElement.one }
}
