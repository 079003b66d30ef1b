import Libcrypto
import SeededRandom
import Testing

/// SHA-256 of several messages together. libcrypto's hash of each whole message is the oracle.
@Suite struct SHA256BatchTests {
    @Test(
        "messages of all lengths have the hashes that libcrypto gives",
        arguments: SHA256Batch.Instructions.available)
    func agrees(instructions: SHA256Batch.Instructions) {
        var generator = SplitMix64(seed: 256)
        func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
        let text = (0..<1 << 16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var batch = SHA256Batch(instructions)
        for round in 0..<3_000 {
            var messages: [[UInt8]] = []
            for _ in 0..<1 + round % SHA256Batch.capacity {
                // Beginnings and ends around every multiple of the block's 64 bytes, and a few long ones.
                let beginning = Array(text[..<random(200)])
                let start = random(1_000)
                let end = start..<start + random(round % 50 == 0 ? 40_000 : 400)
                batch.add(SHA256Prefix(beginning.span), end)
                messages.append(beginning + text[end])
            }
            batch.hash(text.span)
            for (index, message) in messages.enumerated() {
                let digest = Array(batch.digests[index * 32..<index * 32 + 32])
                let expected = Digest.sha256(message.span)
                #expect(digest == expected, "message \(index) of \(messages.count), \(message.count) bytes")
            }
            #expect(batch.count == 0)
        }
    }
}
