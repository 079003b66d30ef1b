/// Verifies a batch in portable Swift, on every processor.
///
/// Each signature's sum of table points is split among several accumulators. All accumulators of all
/// signatures take their next point in one step, which costs one inversion.
struct PortableEngine {
    private var indices: [Int] = []
    private var scalars: [Scalar] = []
    private var products: [Scalar] = []
    private var equations: [SignatureEquation] = []
    private var digits: [WindowRecoding.Digit] = []
    private var sums: AffineSums
    /// A checksum of prefetched points, so that the compiler does not remove the reads.
    private var touched: UInt64 = 0

    /// The number of accumulators of one signature. The inversion costs some eighty multiplications; with few
    /// signatures, more accumulators are needed to share it. But more accumulators take more steps to merge.
    private static func accumulators(for count: Int) -> Int { count >= 128 ? 4 : count >= 8 ? 8 : 16 }
    /// From this number of signatures on, a step's shared inversion costs less than Jacobian coordinates.
    private static let fewest = 4

    init(capacity: Int) {
        indices.reserveCapacity(capacity)
        scalars.reserveCapacity(capacity)
        products.reserveCapacity(capacity)
        equations.reserveCapacity(capacity)
        sums = AffineSums(capacity: capacity * 8)
    }

    /// Verifies the signatures at some indices of a batch. All their keys' tables must have the same window
    /// width.
    mutating func verify(
        _ places: [Int], digests: [UInt8], signatures: [UInt8], keys: [P256KeyTable], generator: P256KeyTable,
        verdicts: inout [Bool]
    ) {
        readNumbers(places, digests: digests, signatures: signatures)
        guard let first = indices.first else { return }
        guard indices.count >= Self.fewest else {
            for (place, equation) in zip(indices, equations) {
                verdicts[place] = equation.holds(generator: generator, key: keys[place])
            }
            return
        }
        recode(generator: generator.recoding, key: keys[first].recoding)
        addPoints(keys: keys, generator: generator, keyRecoding: keys[first].recoding)
        for (number, place) in indices.enumerated() {
            verdicts[place] = equations[number].matches(x: sums[number].x, scale: .one)
        }
        for exception in sums.exceptions {
            let number = exception % indices.count
            let place = indices[number]
            verdicts[place] = equations[number].holds(generator: generator, key: keys[place])
        }
    }

    /// Reads r, s and the digests, and skips those out of range. All s share one inversion.
    ///
    /// Every s is treated as if it were already in Montgomery's form, so the running product of k of them
    /// lacks k - 1 factors R. These cancel on the way back, and a factor R^2 at the turn leaves R / s for
    /// each.
    private mutating func readNumbers(_ places: [Int], digests: [UInt8], signatures: [UInt8]) {
        indices.removeAll(keepingCapacity: true)
        scalars.removeAll(keepingCapacity: true)
        products.removeAll(keepingCapacity: true)
        equations.removeAll(keepingCapacity: true)
        let signatureBytes = signatures.span
        var product = Scalar.one
        for place in places {
            let r = Words256(bigEndian: signatureBytes, at: place * 64)
            let s = Words256(bigEndian: signatureBytes, at: place * 64 + 32)
            guard Scalar.isInRange(r), Scalar.isInRange(s) else { continue }
            indices.append(place)
            scalars.append(Scalar(s))
            products.append(product)
            product = product * Scalar(s)
        }
        var inverse = product.inverted() * .square
        for number in indices.indices.reversed() {
            products[number] = inverse * products[number]
            inverse = inverse * scalars[number]
        }
        for (number, place) in indices.enumerated() {
            equations.append(
                SignatureEquation(
                    r: Words256(bigEndian: signatureBytes, at: place * 64),
                    digest: Words256(bigEndian: digests.span, at: place * 32), inverse: products[number]))
        }
    }

    /// Computes the digits of u1 and then of u2, signature by signature.
    private mutating func recode(generator: WindowRecoding, key: WindowRecoding) {
        let stride = generator.windows + key.windows
        let missing = equations.count * stride - digits.count
        if missing > 0 {
            digits.append(contentsOf: repeatElement(.init(index: 0, isNegative: false), count: missing))
        }
        for (number, equation) in equations.enumerated() {
            let start = number * stride
            generator.forEachDigit(of: equation.u1) { digits[start + $0] = $1 }
            key.forEachDigit(of: equation.u2) { digits[start + generator.windows + $0] = $1 }
        }
    }

    /// Adds up each signature's points. `sums` gets the results, in the order of the equations.
    private mutating func addPoints(
        keys: [P256KeyTable], generator: P256KeyTable, keyRecoding: WindowRecoding
    ) {
        let count = indices.count
        let accumulators = Self.accumulators(for: count)
        let generatorWindows = generator.recoding.windows
        let stride = generatorWindows + keyRecoding.windows
        sums.removeAll()
        for step in 0..<(stride + accumulators - 1) / accumulators {
            // Only the last step can have too few points for all accumulators.
            let width = min(accumulators, stride - step * accumulators)
            for accumulator in 0..<width {
                let window = step * accumulators + accumulator
                for number in 0..<count {
                    let digit = digits[number * stride + window]
                    touched ^=
                        window < generatorWindows
                        ? generator.touch(digit) : keys[indices[number]].touch(digit)
                }
            }
            for accumulator in 0..<width {
                let window = step * accumulators + accumulator
                for number in 0..<count {
                    let digit = digits[number * stride + window]
                    let point =
                        window < generatorWindows
                        ? generator.point(digit) : keys[indices[number]].point(digit)
                    if step == 0 {
                        sums.append(point)
                    } else {
                        sums.setAddend(point, at: accumulator * count + number)
                    }
                }
            }
            if step > 0 { sums.add(first: width * count) }
        }
        var left = accumulators
        while left > 1 {
            sums.mergeHalves()
            left /= 2
        }
    }
}
