import P256Verification

/// Signatures on P-256, many at a time. Every engine must give libcrypto's verdict on each, alone and in a
/// batch.
///
/// The input is a list of records of 98 bytes. The first byte selects the key, the width of its table's
/// windows, and the form of the other bytes. They are either a digest, r and s, or the two factors that
/// verification must compute and a change to the resulting signature.
package struct P256Target: FuzzTarget {
    package static let name = "p256"

    private static let recordBytes = 98
    private static let maximumRecords = 24
    private static let widths = [5, 8, 8, 12]

    /// The form of a record.
    private enum Form: UInt8 {
        case asItIs, valid, otherS, flippedBit, otherR, otherDigest, otherKey, smallFactors
    }

    private struct Item {
        var key: Int
        var width: Int
        var digest: [UInt8]
        var signature: [UInt8]
    }

    private let keys: [P256Oracle]
    /// The keys' tables, for each width.
    private let tables: [[P256KeyTable]]
    private let verifiers: [P256Verifier]

    package init() throws {
        // SP 800-186, section 3.2.1.3. Keys that are small multiples of the generator, or their negatives,
        // lead to points of the generator's own table.
        let order: [UInt8] = [
            0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
        ]
        let small = (1...3).map { [UInt8](repeating: 0, count: 31) + [$0] }
        let negative = (1...2).map { Array(order.dropLast()) + [order[31] - $0] }
        let others = (1...3).map { part in (0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + part * 101) } }
        let keys = try (small + negative + others).map { try P256Oracle(scalar: $0) }
        tables = try Self.widths.map { bits in
            try keys.map { oracle in
                let point = oracle.point
                guard let key = P256PublicKey(uncompressedPoint: point.span) else {
                    throw Violation("a key of libcrypto's is refused")
                }
                return P256KeyTable(key, windowBits: bits)
            }
        }
        self.keys = keys
        verifiers = P256Verifier.Arithmetic.available.map { P256Verifier(arithmetic: $0) }
    }

    package func check(_ input: [UInt8]) throws(Violation) {
        let items = Self.records(input).compactMap { item($0) }
        let expected = items.map { keys[$0.key].isValid($0.signature, digest: $0.digest) }
        // The engines use other additions for large batches. To reach them, some inputs repeat each
        // signature.
        let repetitions = (input.count > 1 ? [1, 1, 5, 12][Int(input[1] & 3)] : 1)
        for verifier in verifiers {
            for (item, isRight) in zip(items, expected) {
                let alone = verifier.isValid(
                    signature: item.signature.span, digest: item.digest.span,
                    key: tables[item.width][item.key])
                try expect(alone == isRight, "alone, \(item): \(alone)")
            }
            var batch = P256Batch(capacity: items.count * repetitions)
            for item in repeatElement(items, count: repetitions).joined() {
                batch.append(
                    signature: item.signature.span, digest: item.digest.span,
                    key: tables[item.width][item.key])
            }
            try expect(batch.count == items.count * repetitions, "takes \(batch.count) signatures")
            verifier.verify(&batch)
            for place in 0..<batch.count {
                let index = place % items.count
                let verdict = batch.isValid(at: place)
                try expect(
                    verdict == expected[index],
                    "\(verifier.engine), \(place) of \(batch.count), \(items[index]): \(verdict)")
            }
        }
    }

    private static func records(_ input: [UInt8]) -> [[UInt8]] {
        let starts = stride(from: 0, to: input.count - recordBytes + 1, by: recordBytes)
        return starts.prefix(maximumRecords).map { Array(input[$0..<$0 + recordBytes]) }
    }

    /// The signature that a record describes, if there is one.
    private func item(_ record: [UInt8]) -> Item? {
        let form = Form(rawValue: record[0] >> 3 & 7) ?? .asItIs
        let (key, width) = (Int(record[0] & 7) % keys.count, Int(record[0] >> 6))
        let (first, second, third) = (Array(record[2..<34]), Array(record[34..<66]), Array(record[66..<98]))
        if form == .asItIs { return Item(key: key, width: width, digest: first, signature: second + third) }
        let zeros = [UInt8](repeating: 0, count: 30)
        let factors = form == .smallFactors ? (zeros + first[30...], zeros + second[30...]) : (first, second)
        guard let made = keys[key].signature(u1: factors.0, u2: factors.1) else { return nil }
        var item = Item(key: key, width: width, digest: made.digest, signature: made.signature)
        let (r, s) = (Array(item.signature[..<32]), Array(item.signature[32...]))
        switch form {
        case .otherS: item.signature = r + keys[key].negated(s)
        case .flippedBit: item.signature[Int(record[1] >> 2)] ^= 1 << (record[1] & 7)
        case .otherR: item.signature = third + s
        case .otherDigest: item.digest = third
        case .otherKey: item.key = (key + 1) % keys.count
        case .asItIs, .valid, .smallFactors: break
        }
        return item
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        // A signature's bytes serve as random bytes.
        guard let signature = Base64URL.segments(line)?.signature, signature.count == 64 else { return [] }
        let rest = [signature[1]] + signature + signature[..<32]
        return [(0..<8).flatMap { (kind: UInt8) -> [UInt8] in [kind << 3 | signature[0] & 0xc7] + rest }]
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        var records = Self.records(input)
        guard !records.isEmpty, !tools.oneIn(4) else { return tools.havoc(input) }
        let place = tools.below(records.count)
        switch tools.below(4) {
        case 0: if records.count < Self.maximumRecords { records.insert(records[place], at: place) }
        case 1: records.swapAt(place, tools.below(records.count))
        case 2: records[place][0] = UInt8(tools.below(256))
        default:
            // Long runs of equal bits find the most errors.
            let start = 2 + tools.below(Self.recordBytes - 2)
            let bits: UInt8 = tools.oneIn(2) ? 0 : 0xff
            for index in start..<min(start + tools.below(32), Self.recordBytes) {
                records[place][index] = bits
            }
        }
        return records.flatMap(\.self)
    }
}
