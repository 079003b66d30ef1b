// Multiples of a key in place of its points, for PointStorage.swift and WindowRecoding.swift unchanged: which
// multiple each entry of a table is, and which multiples are added while it is made.

/// `factor * 2^exponent` times the key.
struct Multiple: Equatable {
    var factor, exponent: Int

    static func + (a: Multiple, b: Multiple) -> Multiple {
        let exponent = min(a.exponent, b.exponent)
        return Multiple(factor: a.scaled(to: exponent) + b.scaled(to: exponent), exponent: exponent)
    }
    /// The factor for a smaller exponent. It traps if that does not fit.
    func scaled(to smaller: Int) -> Int { factor * (1 << (exponent - smaller)) }
}

/// A coordinate of a multiple, or a number that is none: its factor is 0.
struct FieldElement {
    var multiple: Multiple

    init(multiple: Multiple = Multiple(factor: 0, exponent: 0)) { self.multiple = multiple }
    /// The key's coordinates.
    init(_ words: Words256) { multiple = Multiple(factor: 1, exponent: 0) }
    init(words: Words256) { multiple = Multiple(factor: Int(words.word0), exponent: Int(words.word1)) }
    static var one: FieldElement { FieldElement() }
    static func * (a: FieldElement, b: FieldElement) -> FieldElement { a.multiple.factor == 0 ? b : a }
    func squared() -> FieldElement { self }
    func reduced() -> FieldElement { self }
    func inverted() -> FieldElement { self }
    func canonical() -> Words256 { Words256(UInt64(multiple.factor), UInt64(multiple.exponent), 0, 0) }
}

struct AffinePoint {
    var x, y: FieldElement
    var negated: AffinePoint { self }
}

struct JacobianPoint {
    var x, y: FieldElement
    var z = FieldElement.one

    init(_ point: AffinePoint) { (x, y) = (point.x, point.y) }
    func doubled() -> JacobianPoint {
        var twice = self
        twice.x.multiple.exponent += 1
        twice.y.multiple.exponent += 1
        return twice
    }
}

/// What is added, in units of the smaller power of two: the ends of the sums and differences.
struct Distances {
    var additions = 0
    var sums = (least: Int.max, greatest: 0), differences = (least: Int.max, greatest: 0)

    mutating func note(_ a: Multiple, _ b: Multiple) {
        let unit = min(a.exponent, b.exponent)
        let (sum, difference) = (
            a.scaled(to: unit) + b.scaled(to: unit), abs(a.scaled(to: unit) - b.scaled(to: unit))
        )
        additions += 1
        sums = (min(sums.least, sum), max(sums.greatest, sum))
        differences = (min(differences.least, difference), max(differences.greatest, difference))
    }
}
nonisolated(unsafe) var distances = Distances()

/// The sum of two multiples, noted.
func sum(_ a: Multiple, _ b: Multiple) -> Multiple {
    distances.note(a, b)
    return a + b
}

struct AffineSums {
    private var sums: [AffinePoint] = [], addends: [AffinePoint] = []
    init(capacity: Int) {}
    mutating func removeAll() { (sums, addends) = ([], []) }
    mutating func append(_ point: AffinePoint, _ addend: AffinePoint) {
        sums.append(point)
        addends.append(addend)
    }
    mutating func add() {
        for index in sums.indices {
            let total = FieldElement(multiple: sum(sums[index].x.multiple, addends[index].x.multiple))
            sums[index] = AffinePoint(x: total, y: total)
        }
    }
    subscript(index: Int) -> AffinePoint { sums[index] }
}

struct P256PublicKey { var x = Words256(0, 0, 0, 0), y = Words256(0, 0, 0, 0) }
enum Scalar { static var order: Words256 { Words256(0, 0, 0, 0) } }
enum P256Verifier { enum Arithmetic { case portable, vectors } }

enum VectorKernel {
    /// What p256_vector.h says of a level.
    static func addLevel(
        _ arithmetic: P256Verifier.Arithmetic, to table: UnsafeMutablePointer<UInt64>, windows: Int,
        entries: Int, present: Int,
        steps: [UInt64]
    ) -> Bool {
        if arithmetic == .portable { return false }
        for window in 0..<windows {
            let step = Multiple(factor: Int(steps[8 * window]), exponent: Int(steps[8 * window + 1]))
            for entry in 0..<present {
                let first = table + 8 * (window * entries + entry), result = first + 8 * present
                let total = sum(Multiple(factor: Int(first[0]), exponent: Int(first[1])), step)
                for start in [0, 4] {
                    (result[start], result[start + 1]) = (UInt64(total.factor), UInt64(total.exponent))
                }
            }
        }
        return true
    }
}
