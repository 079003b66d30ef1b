import Foundation
import Minting
import RepositoryFiles
import SeededRandom
import SignedPayloads
import Testing

/// The batch: order, engines and bounds.
@Suite struct BatchVerifierTests {
    private static let corpusTokens = TestScale.size(small: 5_000, usual: 30_000, large: 1_000_000)

    @Test(arguments: [(BatchVerifier.Engine.auto, 1), (.portable, 10), (.vector, 10)])
    func `a mixed corpus gets the verdicts of one payload alone, in order`(
        engine: BatchVerifier.Engine, share: Int
    ) throws {
        let tokens = try Self.corpus()
        let alone = try Minted.verifier()
        let expected = tokens.map { token in
            Result { () throws(PayloadError) in try alone.verify(line: token).json }
        }
        #expect(expected.contains { (try? $0.get()) != nil })
        let batch = BatchVerifier(try Minted.verifier(), engine: engine, jobs: 2)
        var random = SplitMix64(seed: 3)
        var mismatches = 0
        var left = Self.corpusTokens / share
        while left > 0 {
            let places = (0..<min(left, 10_000)).map { _ in
                // One in ten tokens is any of the corpus; the others are ordinary ones.
                random.next() % 10 == 0 ? Int(random.next() % UInt64(tokens.count)) : Int(random.next() % 100)
            }
            left -= places.count
            for (place, verdict) in zip(places, batch.verify(places.map { tokens[$0] })) {
                let found = verdict.map(\.json)
                if found != expected[place] { mismatches += 1 }
            }
        }
        #expect(mismatches == 0)
    }

    @Test func `tables take no more memory than is allowed, however many keys are busy`() throws {
        let pki = try TestPKI.p256()
        var leaf = pki.leaves[2]
        let batch = BatchVerifier(try Minted.verifier())
        for number in 0..<110 {
            leaf.key = try TestKey("busy \(number)")
            leaf.template.publicKeyInfo = leaf.key.publicKeyInfo()
            leaf.template.serialNumber = [1, UInt8(number)]
            let x5c = [try leaf.der(), try pki.intermediate.der(), try pki.root.der()]
            let token = try TokenMinter(key: leaf.key, x5c: x5c).token(
                payload: #"{"signedDate":1760000000000}"#)
            let verdicts = batch.verify([String](repeating: token, count: 100))
            #expect(verdicts.allSatisfy { (try? $0.get()) != nil })
            #expect(batch.tableBytes <= 24 << 20)
        }
        #expect(batch.tableBytes > 20 << 20)
    }

    @Test func `no tokens, one token, and empty tokens`() throws {
        let batch = BatchVerifier(try Minted.verifier())
        #expect(batch.verify([]).isEmpty)
        let token = try Minted.token(#"{"signedDate":1760000000000}"#)
        #expect(batch.verify(["", token]).map { (try? $0.get()) != nil } == [false, true])
        #expect(batch.verify(lines: Array("\r\n\n\(token)\r\n\nx".utf8)).map(\.line) == [3, 5])
    }

    /// A hundred ordinary tokens from three leaves, then tokens that are not ordinary.
    static func corpus() throws -> [String] {
        let pki = try TestPKI.p256()
        var tokens: [String] = []
        for number in 0..<100 {
            let date = [1_640_000_000_000, 1_700_000_000_000, 1_760_000_000_000][number % 3]
            let payload =
                #"{"transactionId":"\#(number)","environment":"Sandbox","signedDate":\#(date + number)}"#
            tokens.append(try pki.minter(leaf: number % 3).token(payload: payload))
        }
        for number in 0..<100 {
            var bytes = Array(tokens[number].utf8)
            // Flips a bit of the signature, of the payload, or of the header.
            let place = [bytes.count - 40, bytes.count - 120, 500][number % 3]
            bytes[place] ^= 1
            tokens.append(String(decoding: bytes, as: UTF8.self))
        }
        let odd = [
            #"{"signedDate":1}"#, #"{"signedDate":1.76e12}"#, #"{"signedDate":"x"}"#, "null", "{}", "[1]",
            #"{"signedDate":1760000000000,"signedDate":1}"#, #"{"a":{"b":[1,2]},"signedDate":1760000000000}"#,
            #"{"a":"\u00e9","signedDate":1760000000000}"#, #"{ "signedDate" : 1760000000000 }"#,
            #"{"signedDate":01760000000000}"#, #"{"notificationType":"TEST","signedDate":1760000000000}"#,
            #"{"receiptType":"Sandbox","receiptCreationDate":1760000000000}"#,
            #"{"signedDate":1760000000000,}"#,
        ]
        for payload in odd { tokens.append(try pki.minter().token(payload: payload)) }
        return tokens + [
            "", "a.b.c", tokens[0] + "x", "." + tokens[1], tokens[2] + ".",
            #"{"signedPayload":"\#(tokens[3])"}"#,
        ]
    }
}
