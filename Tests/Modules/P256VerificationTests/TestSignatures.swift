import P256Verification
import Testing

/// A signature to verify, and libcrypto's verdict.
struct TestSignature: Sendable {
    var key: Int
    var digest: [UInt8]
    var signature: [UInt8]
    var isValid = false
}

/// Keys, and signatures under them, with libcrypto's verdicts.
struct TestSignatures: Sendable {
    let points: [[UInt8]]
    private(set) var signatures: [TestSignature] = []
    private let references: [ReferenceKey]

    init(points: [[UInt8]]) throws {
        self.points = points
        references = try points.map { try ReferenceKey($0) }
    }

    mutating func append(_ signature: TestSignature) {
        var signature = signature
        signature.isValid = references[signature.key].isValid(signature.signature, signature.digest)
        signatures.append(signature)
    }

    /// The tables of all keys, with the same width.
    func tables(windowBits: Int) throws -> [P256KeyTable] {
        try points.map { point in
            P256KeyTable(try publicKey(point), windowBits: windowBits)
        }
    }

    /// Compares an engine's verdicts with libcrypto's, in successive batches of the given sizes.
    func compare(
        with verifier: P256Verifier, tables: [P256KeyTable], batchSizes: [Int],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var batch = P256Batch(capacity: batchSizes.max() ?? 1)
        var mismatches = 0
        var (start, turn) = (0, 0)
        while start < signatures.count {
            let end = min(start + batchSizes[turn % batchSizes.count], signatures.count)
            batch.removeAll()
            for item in signatures[start..<end] {
                batch.append(signature: item.signature.span, digest: item.digest.span, key: tables[item.key])
            }
            verifier.verify(&batch)
            for index in start..<end where batch.isValid(at: index - start) != signatures[index].isValid {
                mismatches += 1
                if mismatches <= 3 { Issue.record("\(signatures[index])", sourceLocation: sourceLocation) }
            }
            (start, turn) = (end, turn + 1)
        }
        #expect(mismatches == 0, sourceLocation: sourceLocation)
    }
}

/// The key for a point, which must be valid.
func publicKey(_ point: [UInt8]) throws -> P256PublicKey {
    let key = P256PublicKey(uncompressedPoint: point.span)
    return try #require(key)
}

extension Reference {
    /// A signature whose verification computes these two factors, `u1 G + u2 Q` (FIPS 186-5, section 6.4.2).
    /// It is valid, unless that sum is infinity or its abscissa cannot be an r.
    func signature(u1: Number, u2: Number, key: Int, point: [UInt8], otherwise r: Number) -> TestSignature {
        let abscissa = combination(u1, u2, point).map { sum(Array($0[1..<33]), .zero) } ?? .zero
        let r = abscissa == .zero ? r : abscissa
        let s = u2 == .zero ? r : product(r, inverse(u2))
        return TestSignature(key: key, digest: product(u1, s), signature: r + s)
    }
}
