import Foundation
import P256Verification
import RepositoryFiles
import SeededRandom
import Testing

/// Signatures that reach the cases which addition formulas do not cover: equal points, opposite points,
/// infinity as an intermediate sum. Others have numbers at the limits of their ranges.
@Suite(.serialized) struct ExceptionalSignatureTests {
    /// How many signatures for each width of windows.
    private static let count = TestScale.size(small: 2_000, usual: 2_000, large: 20_000)

    @Test(arguments: [5, 8, 10, 11, 12, 13, 16])
    func `every engine's verdicts are libcrypto's on constructed exceptions`(bits: Int) throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: UInt64(bits))
        let scalars = [
            .small(1), reference.difference(.zero, .small(1)), .small(2),
            reference.difference(.zero, .small(2)),
            .power(bits), generator.number(),
        ]
        var signatures = try TestSignatures(points: scalars.map { try reference.publicKey(of: $0) })
        while signatures.signatures.count < Self.count {
            let key = signatures.signatures.count % scalars.count
            let u2 = factor(bits, reference, &generator)
            let u1 = partner(of: u2, scalar: scalars[key], bits, reference, &generator)
            var item = reference.signature(
                u1: u1, u2: u2, key: key, point: signatures.points[key], otherwise: generator.number())
            if Int.random(in: 0..<8, using: &generator) == 0 { item.digest[31] ^= 1 }
            signatures.append(item)
        }
        #expect(signatures.signatures.count { $0.isValid } > Self.count / 3)
        #expect(signatures.signatures.contains { !$0.isValid })
        let tables = try signatures.tables(windowBits: bits)
        for arithmetic in P256Verifier.Arithmetic.available {
            let verifier = P256Verifier(arithmetic: arithmetic, generatorWindowBits: bits)
            signatures.compare(with: verifier, tables: tables, batchSizes: [1, 3, 4, 8, 31, 64, 256, 257])
        }
    }

    /// A batch of ordinary signatures with a few exceptional ones. Each signature keeps its own verdict.
    @Test func `an exception leaves its neighbours alone`() throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 99)
        let scalar = generator.number()
        var signatures = try TestSignatures(points: [reference.publicKey(of: scalar)])
        for number in 0..<2_048 {
            let isExceptional = number % 37 == 5
            let u2 = reference.sum(generator.number(), .zero)
            // u1 = u2 d makes both halves of the sum the same point. u1 = -u2 d makes the sum infinity.
            let product = reference.product(u2, scalar)
            let opposite = number % 2 == 0 ? product : reference.difference(.zero, product)
            let u1 = isExceptional ? opposite : reference.sum(generator.number(), .zero)
            signatures.append(
                reference.signature(
                    u1: u1, u2: u2, key: 0, point: signatures.points[0], otherwise: generator.number()))
        }
        let tables = try signatures.tables(windowBits: 12)
        for arithmetic in P256Verifier.Arithmetic.available {
            let verifier = P256Verifier(arithmetic: arithmetic, generatorWindowBits: 12)
            signatures.compare(with: verifier, tables: tables, batchSizes: [256, 512, 40])
        }
    }

    /// r can be so small that r + n is an abscissa too. Such an r, found by trying, requires the second
    /// comparison.
    @Test func `an r below p - n is compared with both abscissas`() throws {
        let reference = try Reference()
        let prime = reference.prime
        let curveB = Number([
            0x5a, 0xc6, 0x35, 0xd8, 0xaa, 0x3a, 0x93, 0xe7, 0xb3, 0xeb, 0xbd, 0x55, 0x76, 0x98, 0x86, 0xbc,
            0x65,
            0x1d, 0x06, 0xb0, 0xcc, 0x53, 0xb0, 0xf6, 0x3b, 0xce, 0x3c, 0x3e, 0x27, 0xd2, 0x60, 0x4b,
        ])
        // The keys are points with the abscissas r and r + n. With u1 = 0 and u2 = 1, the sum is the key
        // itself.
        var points: [(r: Number, point: [UInt8])] = []
        for small in UInt64(1)..<60 {
            for x in [Number.small(small), reference.sum(.small(small), reference.order, modulo: prime)] {
                let cube = reference.product(reference.product(x, x, modulo: prime), x, modulo: prime)
                let line = reference.product(.small(3), x, modulo: prime)
                let right = reference.sum(
                    reference.difference(cube, line, modulo: prime), curveB, modulo: prime)
                guard let y = squareRoot(right, reference) else { continue }
                points.append((.small(small), [4] + x + y))
            }
        }
        #expect(points.count > 30)
        var signatures = try TestSignatures(points: points.map(\.point))
        for (key, point) in points.enumerated() {
            for (u1, u2) in [(Number.zero, Number.small(1)), (.zero, reference.difference(.zero, .small(1)))]
            {
                let s = reference.product(point.r, reference.inverse(u2))
                let digest = reference.product(u1, s)
                signatures.append(TestSignature(key: key, digest: digest, signature: point.r + s))
                signatures.append(TestSignature(key: key, digest: .small(1), signature: point.r + s))
            }
        }
        #expect(signatures.signatures.count { $0.isValid } >= points.count)
        let tables = try signatures.tables(windowBits: 5)
        for arithmetic in P256Verifier.Arithmetic.available {
            let verifier = P256Verifier(arithmetic: arithmetic, generatorWindowBits: 5)
            signatures.compare(with: verifier, tables: tables, batchSizes: [1, 16, 64, 256])
        }
    }

    /// p is 3 modulo 4, so a root is the power (p + 1) / 4, if there is one.
    private func squareRoot(_ square: Number, _ reference: Reference) -> Number? {
        var root = Number.small(1)
        // (p + 1) / 4 = 2^254 - 2^222 + 2^190 + 2^94.
        for bit in (0..<254).reversed() {
            root = reference.product(root, root, modulo: reference.prime)
            let isSet = (222...253).contains(bit) || bit == 190 || bit == 94
            if isSet { root = reference.product(root, square, modulo: reference.prime) }
        }
        return reference.product(root, root, modulo: reference.prime) == square ? root : nil
    }

    // MARK: - Factors

    /// A factor: an ordinary one, one at a limit of its range, a power of two, or one whose digits are all
    /// the same.
    private func factor(_ bits: Int, _ reference: Reference, _ generator: inout SplitMix64) -> Number {
        let small = Number.small(UInt64.random(in: 0...9, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return small
        case 1: return reference.difference(.zero, small)
        case 2: return reference.sum(.power(Int.random(in: 0..<256, using: &generator)), .zero)
        case 3:
            let power = Number.power(Int.random(in: 0..<256, using: &generator))
            return reference.difference(.zero, power)
        case 4:
            // The same digit in every window.
            let digit = Number.small(UInt64.random(in: 0..<(1 << UInt64(bits)), using: &generator))
            var sum = Number.zero
            for window in 0..<255 / bits {
                sum = reference.sum(sum, reference.product(digit, .power(window * bits)))
            }
            return sum
        default: return reference.sum(generator.number(), .zero)
        }
    }

    /// A factor of G such that the two sums meet at some point of the addition.
    private func partner(
        of u2: Number, scalar: Number, _ bits: Int, _ reference: Reference, _ generator: inout SplitMix64
    ) -> Number {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return u2
        case 1: return reference.difference(.zero, u2)
        case 2: return reference.product(u2, scalar)
        case 3: return reference.difference(.zero, reference.product(u2, scalar))
        case 4:
            // Equal except for the position of one window.
            let shift = Number.power(bits * Int.random(in: 0...255 / bits, using: &generator))
            return reference.product(reference.product(u2, scalar), shift)
        default: return factor(bits, reference, &generator)
        }
    }
}
