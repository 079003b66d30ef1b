import P256Verification
import SeededRandom
import Testing

/// The tables of keys' multiples.
@Suite struct P256KeyTableTests {
    @Test("every arithmetic makes the same table", arguments: 5...12)
    func isTheSame(bits: Int) throws {
        var generator = SplitMix64(seed: UInt64(bits))
        let reference = try Reference()
        for _ in 0..<4 {
            let key = try publicKey(try reference.publicKey(of: generator.number()))
            let portable = P256KeyTable(key, windowBits: bits, arithmetic: .portable).content
            for arithmetic in P256Verifier.Arithmetic.available {
                let content = P256KeyTable(key, windowBits: bits, arithmetic: arithmetic).content
                // A failed comparison of arrays would look for their difference, which takes minutes.
                let differing = portable.indices.filter { content[$0] != portable[$0] }
                #expect(
                    differing.isEmpty && content.count == portable.count,
                    "\(arithmetic), \(bits) bits, words \(differing.prefix(9)), \(differing.count) of them")
            }
        }
    }
}
