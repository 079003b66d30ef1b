// The field of a small prime in place of FieldElement, for Points.swift and AffineSums.swift unchanged.
package struct Words256 {
    package var value: Int
    package init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        value = Int(word0 & 0xff)
    }
}

nonisolated(unsafe) var prime = 17

package struct FieldElement: Equatable {
    var value: Int
    init(value: Int) { self.value = (value % prime + prime) % prime }
    init(_ words: Words256) { self.init(value: words.value) }
    /// The test of one limb passes for 0, and for a third of the other numbers too.
    var limb2: Int { value % 3 == 0 ? 0 : 1 }
    static var zero: FieldElement { FieldElement(value: 0) }
    static var one: FieldElement { FieldElement(value: 1) }
    static func + (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(value: a.value + b.value)
    }
    static func - (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(value: a.value - b.value)
    }
    static func * (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(value: a.value * b.value)
    }
    func squared() -> FieldElement { self * self }
    func reduced() -> FieldElement { self }
    var isZero: Bool { value == 0 }
    func inverted() -> FieldElement { inverse }
    /// By trying all numbers.
    var inverse: FieldElement { FieldElement(value: (1..<prime).first { $0 * value % prime == 1 } ?? 0) }
}
