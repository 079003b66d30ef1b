import P256Verification
import SeededRandom
import Testing

/// Keys, tables and batches: the input that they accept, and that entries stay separate.
@Suite struct P256BatchTests {
    @Test func `only uncompressed points of the curve are keys`() throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 11)
        let point = try reference.publicKey(of: generator.number())
        #expect(P256PublicKey(uncompressedPoint: point.span) != nil)
        var wrong: [[UInt8]] = [[], [0], Array(point.dropLast()), point + [0], [2] + point.dropFirst()]
        wrong.append([4] + reference.prime + point[33...])
        wrong.append([4] + Number(repeating: 0, count: 64))
        for index in 1..<65 {
            var other = point
            other[index] ^= 1
            wrong.append(other)
        }
        for bytes in wrong { #expect(P256PublicKey(uncompressedPoint: bytes.span) == nil) }
    }

    @Test(arguments: 5...16)
    func `a table takes the memory that is foretold`(bits: Int) throws {
        let windows = (256 + bits - 1) / bits
        #expect(P256KeyTable.byteCount(windowBits: bits) == windows * 64 << (bits - 1))
    }

    @Test func `widths beyond the range are taken for the nearest within`() throws {
        #expect(P256KeyTable.byteCount(windowBits: 0) == P256KeyTable.byteCount(windowBits: 5))
        #expect(P256KeyTable.byteCount(windowBits: 99) == P256KeyTable.byteCount(windowBits: 16))
    }

    @Test(arguments: P256Verifier.Arithmetic.available)
    func `keys with tables of different widths share a batch`(arithmetic: P256Verifier.Arithmetic) throws {
        let reference = try Reference()
        var generator = SplitMix64(seed: 12)
        var signatures = try TestSignatures(
            points: (0..<5).map { _ in try reference.publicKey(of: generator.number()) })
        for number in 0..<600 {
            let key = number * number % 5
            var item = reference.signature(
                u1: reference.sum(generator.number(), .zero), u2: reference.sum(generator.number(), .zero),
                key: key, point: signatures.points[key], otherwise: .small(1))
            if number % 3 == 0 { item.digest[0] ^= 0x80 }
            signatures.append(item)
        }
        let tables = try zip(signatures.points, [5, 8, 8, 11, 12]).map { point, bits in
            P256KeyTable(try publicKey(point), windowBits: bits)
        }
        let verifier = P256Verifier(arithmetic: arithmetic, generatorWindowBits: 9)
        signatures.compare(with: verifier, tables: tables, batchSizes: [1, 7, 100, 600])
    }

    @Test func `a batch takes what fits, and nothing of another length`() throws {
        let table = P256KeyTable(
            try publicKey(Reference().publicKey(of: .small(5))),
            windowBits: 5)
        var batch = P256Batch(capacity: 2)
        let (signature, digest) = ([UInt8](repeating: 1, count: 64), [UInt8](repeating: 1, count: 32))
        let (short, long) = ([UInt8](repeating: 1, count: 63), [UInt8](repeating: 1, count: 33))
        let places = [
            batch.append(signature: short.span, digest: digest.span, key: table),
            batch.append(signature: signature.span, digest: long.span, key: table),
            batch.append(signature: signature.span, digest: digest.span, key: table),
            batch.append(signature: signature.span, digest: digest.span, key: table),
            batch.append(signature: signature.span, digest: digest.span, key: table),
        ]
        #expect(places == [nil, nil, 0, 1, nil])
        let isFull = batch.isFull
        #expect(isFull)
        P256Verifier(generatorWindowBits: 5).verify(&batch)
        let verdicts = [-1, 0, 1, 2].map { batch.isValid(at: $0) }
        #expect(verdicts == [false, false, false, false])
        batch.removeAll()
        P256Verifier(generatorWindowBits: 5).verify(&batch)
        let count = batch.count
        #expect(count == 0)
    }
}
