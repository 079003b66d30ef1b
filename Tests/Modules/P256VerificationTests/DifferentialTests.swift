import Foundation
import P256Verification
import RepositoryFiles
import SeededRandom
import Testing

/// Compares every engine with libcrypto: random, damaged and edge-case signatures, in batches of every size.
@Suite(.serialized) struct DifferentialTests {
    /// How many signatures for each engine.
    private static let count = TestScale.size(small: 1_000, usual: 4_000, large: 100_000)
    private static let batchSizes = Array(1...64) + [100, 255, 256, 257, 512, 1024]
    /// The number of signatures judged at a time, so that memory does not grow with the total.
    private static let portion = 50_000

    @Test func `every engine's verdicts are libcrypto's`() throws {
        let seed = UInt64(Self.count)
        var generator = SplitMix64(seed: seed)
        let reference = try Reference()
        var left = Self.count
        while left > 0 {
            let signatures = try signatures(min(left, Self.portion), reference, &generator)
            left -= signatures.signatures.count
            let valid = signatures.signatures.count { $0.isValid }
            #expect(valid * 3 > signatures.signatures.count && valid < signatures.signatures.count)
            for (generatorBits, keyBits) in [(12, 12), (11, 8)] {
                let tables = try signatures.tables(windowBits: keyBits)
                for arithmetic in P256Verifier.Arithmetic.available {
                    let verifier = P256Verifier(arithmetic: arithmetic, generatorWindowBits: generatorBits)
                    signatures.compare(with: verifier, tables: tables, batchSizes: Self.batchSizes)
                }
            }
        }
    }

    @Test func `one signature alone is judged as in a batch`() throws {
        var generator = SplitMix64(seed: 7)
        let signatures = try signatures(4_000, Reference(), &generator)
        let tables = try signatures.tables(windowBits: 10)
        let verifier = P256Verifier(generatorWindowBits: 10)
        for item in signatures.signatures {
            let isValid = verifier.isValid(
                signature: item.signature.span, digest: item.digest.span, key: tables[item.key])
            #expect(isValid == item.isValid)
        }
    }

    /// Signatures under seven keys, half of them valid.
    private func signatures(
        _ count: Int, _ reference: Reference, _ generator: inout SplitMix64
    ) throws -> TestSignatures {
        let scalars = (0..<7).map { _ in generator.number() }
        var signatures = try TestSignatures(points: scalars.map { try reference.publicKey(of: $0) })
        let edges = edges(reference)
        for number in 0..<count {
            let key = number % scalars.count
            let (u1, u2) = (generator.number(), generator.number())
            var item = reference.signature(
                u1: reference.sum(u1, .zero), u2: reference.sum(u2, .zero), key: key,
                point: signatures.points[key], otherwise: .small(1))
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: item.signature[Int.random(in: 0..<64, using: &generator)] ^= bit(&generator)
            case 1: item.digest[Int.random(in: 0..<32, using: &generator)] ^= bit(&generator)
            case 2: item.key = (key + 1) % scalars.count
            case 3:
                item.signature =
                    edges.randomElement(using: &generator).map { $0 + item.signature[32...] } ?? []
            case 4:
                item.signature =
                    edges.randomElement(using: &generator).map { item.signature[..<32] + $0 } ?? []
            case 5: item.digest = edges.randomElement(using: &generator) ?? []
            // The other s that satisfies the equation; it is equally valid.
            case 6:
                item.signature =
                    item.signature[..<32] + reference.difference(.zero, Array(item.signature[32...]))
            default: break
            }
            signatures.append(item)
        }
        return signatures
    }

    private func bit(_ generator: inout SplitMix64) -> UInt8 {
        1 << UInt8.random(in: 0..<8, using: &generator)
    }

    private func edges(_ reference: Reference) -> [Number] {
        let all = Number(repeating: 0xff, count: 32)
        let around = [reference.order, reference.prime].flatMap { middle in
            [.small(1), .small(2)].flatMap { step in
                [
                    reference.difference(middle, step, modulo: all), middle,
                    reference.sum(middle, step, modulo: all),
                ]
            }
        }
        // p - n. Only an r below it allows a second abscissa.
        let room = reference.difference(reference.prime, reference.order, modulo: all)
        return around + [
            .zero, .small(1), .small(2), all, .power(255), room, reference.difference(room, .small(1)),
            reference.sum(room, .small(1)),
        ]
    }
}
