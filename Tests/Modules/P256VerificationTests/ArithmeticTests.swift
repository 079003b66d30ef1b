import P256Verification
import SeededRandom
import Testing

/// Compares the arithmetic modulo p and modulo n with libcrypto's. Most numbers are close to limits.
@Suite struct ArithmeticTests {
    private static let cases = 20_000

    @Test func `field operations are libcrypto's, and their results keep to the bounds`() throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 1)
        for _ in 0..<Self.cases {
            let a = below(reference.prime, generator.number(troublesome: true))
            let b = below(reference.prime, generator.number(troublesome: true))
            let (x, y) = (FieldElement(Words256(a)), FieldElement(Words256(b)))
            #expect(x.plain() == Words256(a))
            let product = x * y
            #expect(product.plain() == Words256(reference.product(a, b, modulo: reference.prime)))
            expectCarried(product)
            let square = x.squared()
            #expect(square == x * x)
            expectCarried(square)
            #expect((x + y).plain() == Words256(reference.sum(a, b, modulo: reference.prime)))
            let difference = x - y
            #expect(difference.plain() == Words256(reference.difference(a, b, modulo: reference.prime)))
            let reduced = (difference - product - square).reduced()
            expectReduced(reduced)
            #expect(reduced.canonical() == (difference - product - square).canonical())
        }
    }

    /// Products of the largest factors that the documentation allows. No column may overflow.
    @Test func `factors at the limit of their bounds are multiplied rightly`() throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 2)
        for _ in 0..<Self.cases {
            let (a, b) = (largeElement(&generator), largeElement(&generator))
            let (wordsA, wordsB) = (a.canonical(), b.canonical())
            let expected = reference.product(
                bytes(FieldElement(words: wordsA).plain()), bytes(FieldElement(words: wordsB).plain()),
                modulo: reference.prime)
            #expect((a * b).plain() == Words256(expected))
            #expect(a.squared().canonical() == (a * a).canonical())
            expectReduced(a.reduced())
            #expect(a.reduced().canonical() == wordsA)
        }
    }

    @Test func `inverses multiply to one, in the field and modulo n`() throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 3)
        let small = (1...200).map { Number.small($0) }
        let powers = (0..<256).map { Number.power($0) }
        let random = (0..<4_000).map { _ in generator.number(troublesome: true) }
        for number in small + powers + random {
            let a = below(reference.prime, number)
            if a != .zero {
                #expect(
                    (FieldElement(Words256(a)).inverted() * FieldElement(Words256(a))).plain()
                        == Words256(.small(1)))
            }
            let b = below(reference.order, number)
            guard b != .zero else { continue }
            #expect(Scalar(Words256(b)).inverted().words == Words256(reference.inverse(b)))
            let negative = reference.difference(.zero, b)
            #expect(Scalar(Words256(negative)).inverted().words == Words256(reference.inverse(negative)))
        }
        #expect(FieldElement.zero.inverted().isZero)
        #expect(Inversion.scalars.inverse(of: Words256(.zero)) == Words256(.zero))
    }

    @Test func `products modulo n are libcrypto's, for a factor of any 256 bits`() throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 4)
        // 2^520 modulo n. Montgomery's product with it restores the factor that the product removed.
        for _ in 0..<Self.cases {
            let a = generator.number(troublesome: true)
            let b = below(reference.order, generator.number(troublesome: true))
            let product = Scalar(Words256(a)) * (Scalar(Words256(b)) * .square)
            #expect(product.words == Words256(reference.product(a, b)))
            #expect(product.words < Scalar.order)
        }
    }

    @Test(arguments: 5...16)
    func `digits add up to the scalar, and each of them is odd`(bits: Int) throws {
        let reference = try Reference()
        let recoding = WindowRecoding(bits: bits)
        var generator = SplitMix64(seed: 5)
        let edges =
            [Number.zero, .small(1), .small(2)] + [1, 2].map { reference.difference(.zero, .small($0)) }
        for number in edges + (0..<500).map({ _ in generator.number(troublesome: true) }) {
            let scalar = below(reference.order, number)
            var sum = Number.zero
            var count = 0
            recoding.forEachDigit(of: Words256(scalar)) { window, digit in
                let place = digit.index - window * recoding.entries
                #expect(window == count && (0..<recoding.entries).contains(place))
                let magnitude = reference.product(
                    .small(UInt64(2 * place + 1)), power(window * bits, reference))
                sum = digit.isNegative ? reference.difference(sum, magnitude) : reference.sum(sum, magnitude)
                count += 1
            }
            #expect(count == recoding.windows)
            #expect(sum == scalar)
        }
    }

    // MARK: - Numbers

    private func power(_ exponent: Int, _ reference: Reference) -> Number {
        reference.product(.power(exponent / 2), .power(exponent - exponent / 2))
    }

    private func below(_ modulus: Number, _ number: Number) -> Number {
        number.lexicographicallyPrecedes(modulus) ? number : [0] + number.dropFirst()
    }

    /// Limbs just below 2^55, value just below 2^259.
    private func largeElement(_ generator: inout SplitMix64) -> FieldElement {
        func limb(_ bits: Int) -> UInt64 {
            let limit = UInt64(1) << UInt64(bits)
            return Bool.random(using: &generator)
                ? limit - 1 - UInt64.random(in: 0..<4, using: &generator)
                : UInt64.random(in: 0..<limit, using: &generator)
        }
        return FieldElement(limb(55), limb(55), limb(55), limb(55), limb(50))
    }

    private func bytes(_ words: Words256) -> Number {
        [words.word3, words.word2, words.word1, words.word0].flatMap { word in
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }

    private func expectCarried(_ element: FieldElement, sourceLocation: SourceLocation = #_sourceLocation) {
        let limbs = [element.limb0, element.limb1, element.limb2, element.limb3]
        #expect(limbs.allSatisfy { $0 < 1 << 52 }, sourceLocation: sourceLocation)
        // 2.01p, in units of 2^208.
        #expect(element.limb4 < 565_750_000_000_000, sourceLocation: sourceLocation)
    }

    private func expectReduced(_ element: FieldElement, sourceLocation: SourceLocation = #_sourceLocation) {
        expectCarried(element, sourceLocation: sourceLocation)
    }
}

extension Words256 {
    init(_ number: Number) { self.init(bigEndian: number.span, at: 0) }
}
