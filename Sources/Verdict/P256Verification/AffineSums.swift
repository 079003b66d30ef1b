/// Many sums of two points at once, in affine coordinates, with one inversion for all of them (P. L.
/// Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", 1987, section 10.3.1).
/// Each sum takes 5M + 1S and no doublings.
///
/// The formulas do not hold for two points with the same abscissa. Such a pair is skipped and marked, so that
/// the caller can compute its sum by complete formulas. The other pairs are not affected.
struct AffineSums {
    private var sums: [AffinePoint] = []
    private var addends: [AffinePoint] = []
    private var products: [FieldElement] = []
    private(set) var exceptions: [Int] = []

    init(capacity: Int) {
        sums.reserveCapacity(capacity)
        addends.reserveCapacity(capacity)
        products.reserveCapacity(capacity)
    }

    var count: Int { sums.count }

    mutating func removeAll() {
        sums.removeAll(keepingCapacity: true)
        addends.removeAll(keepingCapacity: true)
        exceptions.removeAll(keepingCapacity: true)
    }

    /// Appends a pair. The first point's coordinates must be reduced.
    @inline(__always)
    mutating func append(_ point: AffinePoint, _ addend: AffinePoint) {
        sums.append(point)
        addends.append(addend)
    }

    /// Appends a point whose addend is set later. Its coordinates need not be reduced.
    @inline(__always)
    mutating func append(_ point: AffinePoint) {
        append(AffinePoint(x: point.x.reduced(), y: point.y.reduced()), point)
    }

    /// The sum so far, reduced.
    @inline(__always)
    subscript(index: Int) -> AffinePoint { sums[index] }

    @inline(__always)
    mutating func setAddend(_ point: AffinePoint, at index: Int) { addends[index] = point }

    /// Adds its addend to each point.
    mutating func add() { add(first: sums.count) }

    /// Adds the second half to the first, and drops it. The count must be even.
    mutating func mergeHalves() {
        let half = sums.count / 2
        for index in 0..<half { addends[index] = sums[half + index] }
        sums.removeLast(half)
        addends.removeLast(half)
        add(first: half)
    }

    /// Adds their addends to the first `count` points.
    ///
    /// A sum's coordinates are reduced (below 2.01p), an addend's abscissa is below 2.01p and its ordinate at
    /// most 4p. So differences are at most 8p, which is below 2^259, running products and inverses below
    /// 2.4p, and slopes below 2.3p. All subtrahends are in the range that subtraction requires.
    mutating func add(first count: Int) {
        if products.count < count {
            products.append(contentsOf: repeatElement(.zero, count: count - products.count))
        }
        var product = multiplyDifferences(count)
        if product.isZero {
            setAsideExceptions(count)
            product = multiplyDifferences(count)
        }
        var inverse = product.inverted()
        for index in (0..<count).reversed() {
            let (point, addend) = (sums[index], addends[index])
            let reciprocal = inverse * products[index]
            inverse = inverse * (addend.x - point.x)
            let slope = (addend.y - point.y) * reciprocal
            let x = (slope.squared() - point.x - addend.x).reduced()
            let y = (slope * (point.x - x) - point.y).reduced()
            sums[index] = AffinePoint(x: x, y: y)
        }
    }

    /// The product of all differences of abscissas. `products` gets the product before each difference.
    private mutating func multiplyDifferences(_ count: Int) -> FieldElement {
        var product = FieldElement.one
        for index in 0..<count {
            products[index] = product
            product = product * (addends[index].x - sums[index].x)
        }
        return product
    }

    /// Marks the pairs whose abscissas are equal, and replaces their difference by one that is not zero.
    private mutating func setAsideExceptions(_ count: Int) {
        for index in 0..<count where (addends[index].x - sums[index].x).isZero {
            exceptions.append(index)
            addends[index].x = (sums[index].x + .one).reduced()
        }
    }
}
