import CVectorArithmetic
import Foundation
import P256Verification
import SeededRandom
import Testing

/// Compares the arithmetic of the vector kernels with libcrypto's. Most limbs are close to limits.
@Suite struct VectorArithmeticTests {
    private static let cases = 20_000
    /// The kernels that this machine can run.
    private static let kernels = P256Verifier.Arithmetic.available.filter { $0 != .portable }

    @Test(arguments: kernels)
    func `products are libcrypto's, and their limbs are carried`(kernel: P256Verifier.Arithmetic) throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 11)
        let a = (0..<Self.cases).map { _ in limbs(below: 52, &generator) }
        // A product is below a b / 2^260 + p, and must be below 2^260.
        let b = (0..<Self.cases).map { _ in limbs(below: 51, &generator) }
        // 2^260, the divisor of the products: 2^255 and five doublings.
        let radix = reference.product(.power(255), .small(32), modulo: reference.prime)
        let products = try results(kernel, VECTOR_ARITHMETIC_FIELD_PRODUCT, a, b)
        let squares = try results(kernel, VECTOR_ARITHMETIC_FIELD_SQUARE, b, b)
        for index in a.indices {
            expect(products[index], a[index], b[index], radix, reference.prime, reference)
            expect(squares[index], b[index], b[index], radix, reference.prime, reference)
        }
    }

    @Test(arguments: kernels)
    func `products modulo n are libcrypto's`(kernel: P256Verifier.Arithmetic) throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 12)
        // Below 2^257, like the kernel's own factors.
        let a = (0..<Self.cases).map { _ in limbs(below: 49, &generator) }
        let b = (0..<Self.cases).map { _ in limbs(below: 49, &generator) }
        let radix = reference.product(.power(255), .small(32))
        let products = try results(kernel, VECTOR_ARITHMETIC_ORDER_PRODUCT, a, b)
        for index in a.indices {
            expect(products[index], a[index], b[index], radix, reference.order, reference)
        }
    }

    /// Limbs far beyond 52 bits, of either sign.
    @Test(arguments: kernels)
    func `differences are carried through limbs below zero`(kernel: P256Verifier.Arithmetic) throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 13)
        let wide = (0..<Self.cases).map { _ in
            (0..<5).map { limb($0 < 4 ? 60 : 52, &generator) }
        }
        let others = (0..<Self.cases).map { _ in
            (0..<5).map { limb($0 < 4 ? 60 : 52, &generator) }
        }
        let differences = try results(kernel, VECTOR_ARITHMETIC_DIFFERENCE, wide, others)
        for (index, difference) in differences.enumerated() {
            let expected = reference.difference(
                residue(wide[index], reference.prime, reference),
                residue(others[index], reference.prime, reference), modulo: reference.prime)
            #expect(difference.dropLast().allSatisfy { $0 < 1 << 52 })
            #expect(residue(difference, reference.prime, reference) == expected)
        }
    }

    /// The kernel for AVX2 rounds towards zero. Afterwards its caller must have its own rounding mode again.
    @Test(arguments: kernels)
    func `the caller's rounding mode is left as it was`(kernel: P256Verifier.Arithmetic) throws {
        var generator = SplitMix64(seed: 14)
        var signatures = try TestSignatures(points: [Reference().publicKey(of: generator.number())])
        for _ in 0..<40 {
            signatures.append(
                try Reference().signature(
                    u1: .small(1), u2: .small(2), key: 0, point: signatures.points[0],
                    otherwise: generator.number()))
        }
        let verifier = P256Verifier(arithmetic: kernel, generatorWindowBits: 5)
        #expect(fesetround(FE_UPWARD) == 0)
        defer { fesetround(FE_TONEAREST) }
        try signatures.compare(with: verifier, tables: signatures.tables(windowBits: 5), batchSizes: [1, 40])
        #expect(fegetround() == FE_UPWARD)
    }

    // MARK: - Comparing

    private func expect(
        _ product: [UInt64], _ a: [UInt64], _ b: [UInt64], _ radix: Number, _ modulus: Number,
        _ reference: Reference, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expected = reference.product(
            residue(a, modulus, reference), residue(b, modulus, reference), modulo: modulus)
        let found = reference.product(residue(product, modulus, reference), radix, modulo: modulus)
        #expect(found == expected, "\(a) * \(b)", sourceLocation: sourceLocation)
        #expect(product.allSatisfy { $0 < 1 << 52 }, "\(product)", sourceLocation: sourceLocation)
    }

    /// The value of limbs modulo a number. It uses Horner's rule, because limbs may be wider than their
    /// weights. The top one is signed.
    private func residue(_ limbs: [UInt64], _ modulus: Number, _ reference: Reference) -> Number {
        limbs.reversed().enumerated().reduce(Number.zero) { sum, limb in
            let shifted = reference.product(sum, .power(52), modulo: modulus)
            let isNegative = limb.offset == 0 && Int64(bitPattern: limb.element) < 0
            return isNegative
                ? reference.difference(shifted, .small(0 &- limb.element), modulo: modulus)
                : reference.sum(shifted, .small(limb.element), modulo: modulus)
        }
    }

    private func results(
        _ kernel: P256Verifier.Arithmetic, _ operation: vector_arithmetic_operation, _ a: [[UInt64]],
        _ b: [[UInt64]]
    ) throws -> [[UInt64]] {
        let (first, second) = (Array(a.joined()), Array(b.joined()))
        var results = [UInt64](repeating: 0, count: first.count)
        let isDone =
            unsafe kernel == .avx512
            ? vector_arithmetic_avx512(operation, a.count, first, second, &results)
            : vector_arithmetic_avx2(operation, a.count, first, second, &results)
        #expect(isDone)
        return a.indices.map { Array(results[5 * $0..<5 * $0 + 5]) }
    }

    // MARK: - Numbers

    /// A carried number: limbs of 52 bits, and a top limb of fewer.
    private func limbs(below topBits: Int, _ generator: inout SplitMix64) -> [UInt64] {
        (0..<5).map { limb($0 < 4 ? 52 : topBits, &generator) }
    }

    /// A number of this many bits: at a limit of its range, near its middle or a power of two, or any.
    private func limb(_ bits: Int, _ generator: inout SplitMix64) -> UInt64 {
        let limit = UInt64(1) << UInt64(bits)
        let little = UInt64.random(in: 0..<3, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return little
        case 1: return limit - 1 - little
        case 2: return limit / 2 - 1 + little
        case 3:
            let power = UInt64(1) << UInt64.random(in: 2..<UInt64(bits), using: &generator)
            return power - 1 + little % 2
        default: return UInt64.random(in: 0..<limit, using: &generator)
        }
    }
}
