// Points.swift, unchanged, over small curves y^2 = x^3 - 3x + b of prime order, against addition by definition: every point
// with every scale Z, infinity included, plus every affine point; and every doubling.
extension JacobianPoint {
    /// The affine point; nil for infinity.
    var affine: AffinePoint? {
        if z.isZero { return nil }
        let scale = z.inverse
        return AffinePoint(x: x * scale.squared(), y: y * scale.squared() * scale)
    }
}

func sum(_ a: AffinePoint?, _ b: AffinePoint?) -> AffinePoint? {
    guard let a, let b else { return a ?? b }
    if a.x == b.x && (a.y + b.y).isZero { return nil }
    let three = FieldElement(value: 3)
    let slope =
        a.x == b.x
        ? (three * a.x.squared() - three) * (a.y + a.y).inverse : (b.y - a.y) * (b.x - a.x).inverse
    let x = slope.squared() - a.x - b.x
    return AffinePoint(x: x, y: slope * (a.x - x) - a.y)
}

func same(_ a: AffinePoint?, _ b: AffinePoint?) -> Bool { a?.x == b?.x && a?.y == b?.y }

func isPrime(_ n: Int) -> Bool { n > 1 && (2..<n).allSatisfy { n % $0 != 0 } }

var curves = 0
var sums = 0
var wrong = 0

/// Every pair at once, and every two pairs of a few: those with equal abscissas are marked, the others added.
func tryBatch(_ points: [AffinePoint]) {
    var batch = AffineSums(capacity: 1)
    for point in points { for addend in points { batch.append(point, addend) } }
    batch.add()
    var index = 0
    for point in points {
        for addend in points {
            let marked = batch.exceptions.contains(index)
            if marked != (point.x == addend.x) { wrong += 1 }
            if !marked, !same(batch[index], sum(point, addend)) { wrong += 1 }
            index += 1
        }
    }
    sums += index
}

func tryCurve(_ b: Int) {
    var points: [AffinePoint] = []
    for x in 0..<prime {
        for y in 0..<prime where (y * y - x * x * x + 3 * x - b) % prime == 0 {
            points.append(AffinePoint(x: FieldElement(value: x), y: FieldElement(value: y)))
        }
    }
    guard (27 * b * b - 108) % prime != 0, points.count >= 12, isPrime(points.count + 1) else { return }
    curves += 1
    var scaled = (0..<prime).map { JacobianPoint(x: FieldElement(value: $0), y: .one, z: .zero) }
    for point in points {
        for scale in 1..<prime {
            let z = FieldElement(value: scale)
            scaled.append(JacobianPoint(x: point.x * z.squared(), y: point.y * z.squared() * z, z: z))
        }
    }
    for point in scaled {
        for addend in points {
            if !same((point + addend).affine, sum(point.affine, addend)) { wrong += 1 }
            sums += 1
        }
        if !same(point.doubled().affine, sum(point.affine, point.affine)) { wrong += 1 }
    }
    tryBatch(points)
    for point in points where !same(point.negated, AffinePoint(x: point.x, y: .zero - point.y)) { wrong += 1 }
}

for candidate in [17, 19, 23, 29, 31] {
    prime = candidate
    for b in 1..<prime { tryCurve(b) }
}
print(curves, sums, wrong)
