import CAllocationCounter
import Minting
import SeededRandom
import SignedPayloads
import TestMinting
import Testing

/// Chains that were refused are remembered apart from signers: never for long, never for other bytes.
@Suite struct RefusedHeaderTests {
    private static let payload = #"{"transactionId":"1","signedDate":1760000000000}"#

    /// A header with a chain under a stranger's root; each number gives other bytes.
    private static func refused(_ number: Int, in pki: TestPKI? = nil) throws -> TokenMinter {
        let pki = try pki ?? TestPKI.forged()
        let list = try pki.x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }.joined(separator: ",")
        let header = #"{"alg":"ES256","n":\#(number),"x5c":[\#(list)]}"#
        return TokenMinter(key: pki.leaves[2].key, header: Array(header.utf8))
    }

    private static func verdict(
        on token: String, _ verifier: SignedPayloadVerifier
    ) -> Result<VerifiedPayload, PayloadError> {
        Result { () throws(PayloadError) in try verifier.verify(token) }
    }

    @Test func `a refused chain is refused again with the same error, alone and in a batch`() throws {
        let verifier = try Minted.verifier()
        let (first, second) = (try Self.refused(1), try Self.refused(2))
        let tokens = try [first, second, first].map { try $0.token(payload: Self.payload) }
        let expected = try tokens.map { Self.verdict(on: $0, try Minted.verifier()).error }
        #expect(expected.allSatisfy { $0?.code == .invalidCertificateChain })
        for _ in 0..<3 {
            #expect(tokens.map { Self.verdict(on: $0, verifier).error } == expected)
            for engine in BatchVerifier.Engine.allCases {
                let batch = BatchVerifier(verifier, engine: engine, jobs: 1)
                #expect(batch.verify(tokens).map(\.error) == expected)
                #expect(batch.verify(tokens).map(\.error) == expected)
            }
        }
        #expect(verifier.refusedChainCount == 2)
        #expect(verifier.rememberedSignerCount == 0)
    }

    @Test func `a flood of refused headers pushes out no signer`() throws {
        let verifier = try Minted.verifier()
        let good = try (0..<3).map { try TestPKI.p256().minter(leaf: $0) }
        let dates = [1_640_000_000_000, 1_700_000_000_000, 1_760_000_000_000]
        let tokens = try zip(good, dates).map { try $0.token(payload: #"{"signedDate":\#($1)}"#) }
        for token in tokens { _ = try verifier.verify(token) }
        let batch = BatchVerifier(verifier, jobs: 2)
        for start in stride(from: 0, to: 600, by: 60) {
            let flood = try (start..<start + 60).map { try Self.refused($0).token(payload: Self.payload) }
            let verdicts = batch.verify(flood + tokens)
            #expect(verdicts.prefix(60).allSatisfy { $0.error?.code == .invalidCertificateChain })
            #expect(verdicts.suffix(3).allSatisfy { $0.error == nil })
            #expect(verifier.rememberedSignerCount == 3)
            #expect(verifier.refusedChainCount <= 128)
        }
        #expect(verifier.refusedChainCount == 128)
    }

    @Test func `what one verifier has refused, another one with other anchors judges itself`() throws {
        let token = try Self.refused(1).token(payload: Self.payload)
        let strict = try Minted.verifier()
        let trusting = try SignedPayloadVerifier(anchors: [TrustAnchor(der: try TestPKI.forged().root.der())])
        for _ in 0..<2 {
            #expect(Self.verdict(on: token, strict).error?.code == .invalidCertificateChain)
            #expect(Self.verdict(on: token, trusting).error == nil)
            #expect(BatchVerifier(strict).verify([token])[0].error?.code == .invalidCertificateChain)
            #expect(BatchVerifier(trusting).verify([token])[0].error == nil)
        }
        #expect(trusting.refusedChainCount == 0)
    }

    @Test func `what one policy refuses, another one judges itself`() throws {
        // Xcode's certificate is refused before check 3 unless the policy asks for Xcode, and after it if it is no
        // anchor.
        let token = try XcodeIdentity().minter().token(
            payload: #"{"environment":"Xcode","signedDate":1740000000000}"#)
        let pinned = TrustAnchor(der: try XcodeIdentity().template.der())
        var asking = VerificationPolicy()
        asking.environments = [.xcode]
        let unasked = try SignedPayloadVerifier(anchors: [pinned])
        let asked = try SignedPayloadVerifier(anchors: [pinned], policy: asking)
        let unpinned = try SignedPayloadVerifier(policy: asking)
        for _ in 0..<2 {
            for verdict in [Self.verdict(on: token, unasked), BatchVerifier(unasked).verify([token])[0]] {
                #expect(
                    verdict.error?.code == .invalidCertificateChain || verdict.error?.code == .invalidEncoding
                )
                #expect(verdict.error?.detail == "x5cCount")
            }
            #expect(Self.verdict(on: token, asked).error == nil)
            #expect(BatchVerifier(asked).verify([token])[0].error == nil)
            #expect(Self.verdict(on: token, unpinned).error?.detail == "notPinned")
            #expect(BatchVerifier(unpinned).verify([token])[0].error?.detail == "notPinned")
        }
        #expect(unasked.refusedChainCount == 0, "the refusal depends on the policy")
        #expect(asked.refusedChainCount == 0)
        #expect(unpinned.refusedChainCount == 1)
    }

    @Test func `failures that depend on more than the header are not remembered`() throws {
        let verifier = try Minted.verifier()
        let minter = try TestPKI.p256().minter()
        var broken = try minter.segments(payload: Array("{}".utf8))
        broken.payload = "e30x"
        let tokens = [
            broken.compact, "a.b.c", try minter.token(payload: #"{"signedDate":1}"#),
            try minter.token(payload: "null"),
            try TokenMinter(key: TestKey("x"), header: Array(#"{"alg":"none"}"#.utf8)).token(payload: "{}"),
        ]
        for token in tokens {
            #expect(Self.verdict(on: token, verifier).error != nil)
            #expect(BatchVerifier(verifier).verify([token])[0].error != nil)
        }
        #expect(verifier.refusedChainCount == 0)
        #expect(Self.verdict(on: try Minted.token(Self.payload), verifier).error == nil)
    }

    @Test func `one changed byte of a refused header is judged anew`() throws {
        // The forged chain and the right one have the same names. All of their bytes but few are the same.
        let verifier = try Minted.verifier()
        let token = Array(try Self.refused(7).token(payload: Self.payload).utf8)
        let expected = Self.verdict(on: String(decoding: token, as: UTF8.self), verifier).error
        #expect(expected?.code == .invalidCertificateChain)
        let dot = try #require(token.firstIndex(of: UInt8(ascii: ".")))
        var random = SplitMix64(seed: 8)
        let batch = BatchVerifier(verifier, jobs: 1)
        for place in stride(from: 0, to: dot, by: 23) {
            var changed = token
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            repeat { changed[place] = alphabet[Int(random.next() % 64)] } while changed[place] == token[place]
            let text = String(decoding: changed, as: UTF8.self)
            let fresh = Self.verdict(on: text, try Minted.verifier()).error
            #expect(Self.verdict(on: text, verifier).error == fresh)
            #expect(batch.verify([text])[0].error == fresh)
        }
        // Behind the header, every byte is judged as it is behind a header that was never met.
        for place in dot..<token.count {
            for byte in [UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "A"), UInt8(ascii: "_")] {
                var changed = token
                changed[place] = byte
                let text = String(decoding: changed, as: UTF8.self)
                let alone = Self.verdict(on: text, verifier).error
                let inBatch = batch.verify([text])[0].error
                #expect(alone == inBatch)
                guard place % 32 == 0 else { continue }
                let fresh = Self.verdict(on: text, try Minted.verifier()).error
                #expect(alone == fresh)
            }
        }
    }

    @Test func `a good chain that follows refused ones is verified, whatever they had in common`() throws {
        // The same certificates but the root: a refusal under one header must not stick to another one.
        let pki = try TestPKI.p256()
        let forged = try TestPKI.forged()
        let mixed = [
            [try pki.leaves[2].der(), try forged.intermediate.der(), try forged.root.der()],
            [try pki.leaves[2].der(), try pki.intermediate.der(), try forged.root.der()],
            [try forged.leaves[2].der(), try pki.intermediate.der(), try pki.root.der()],
        ]
        let verifier = try Minted.verifier()
        let batch = BatchVerifier(verifier, jobs: 1)
        let good = try Minted.token(Self.payload)
        for x5c in mixed {
            let token = try TokenMinter(key: pki.leaves[2].key, x5c: x5c).token(payload: Self.payload)
            // The root in a header does not count, so that not all of these are refused.
            let isRefused = Self.verdict(on: token, try Minted.verifier()).error != nil
            for _ in 0..<20 {
                let verdicts = batch.verify([token, good, token])
                #expect(verdicts.map { $0.error != nil } == [isRefused, false, isRefused])
            }
        }
    }

    @Test func `a header longer than any genuine one is refused each time and not remembered`() throws {
        let verifier = try Minted.verifier()
        let list = try TestPKI.forged().x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }.joined(
            separator: ",")
        let padding = String(repeating: " ", count: 20_000)
        let minter = TokenMinter(
            key: try TestPKI.forged().leaves[2].key,
            header: Array(#"{"alg":"ES256",\#(padding)"x5c":[\#(list)]}"#.utf8))
        let token = try minter.token(payload: Self.payload)
        let fresh = Self.verdict(on: token, verifier).error
        for _ in 0..<3 { #expect(BatchVerifier(verifier).verify([token])[0].error == fresh) }
        #expect(verifier.refusedChainCount == 0)
    }

    @Test
    func `fresh, refused and good headers in any mixture keep both caches bounded and the verdicts right`()
        throws
    {
        let verifier = try Minted.verifier()
        let pki = try TestPKI.p256()
        let list = try pki.x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }.joined(separator: ",")
        var random = SplitMix64(seed: 9)
        let batches = BatchVerifier.Engine.allCases.map { BatchVerifier(verifier, engine: $0, jobs: 2) }
        var (known, fresh): ([String], Int) = ([], 0)
        for round in 0..<24 {
            var (tokens, isGood): ([String], [Bool]) = ([], [])
            for _ in 0..<100 {
                switch random.next() % 4 {
                case 0:
                    // A fresh header of a good chain.
                    fresh += 1
                    let header = #"{"alg":"ES256","n":\#(fresh),"x5c":[\#(list)]}"#
                    let minter = TokenMinter(key: pki.leaves[2].key, header: Array(header.utf8))
                    tokens.append(try minter.token(payload: Self.payload))
                    isGood.append(true)
                case 1:
                    // A fresh header of a refused one; it comes back later.
                    fresh += 1
                    known.append(try Self.refused(fresh, in: TestPKI.forged()).token(payload: Self.payload))
                    tokens.append(known[known.count - 1])
                    isGood.append(false)
                case 2:
                    tokens.append(known.isEmpty ? "" : known[Int(random.next() % UInt64(known.count))])
                    isGood.append(false)
                default:
                    tokens.append(try pki.minter(leaf: 2).token(payload: Self.payload))
                    isGood.append(true)
                }
            }
            let verdicts = batches[round % batches.count].verify(tokens)
            #expect(verdicts.map { $0.error == nil } == isGood)
            #expect(verifier.rememberedSignerCount <= 128)
            #expect(verifier.refusedChainCount <= 128)
        }
        #expect(verifier.rememberedSignerCount == 128)
        #expect(verifier.refusedChainCount == 128)
    }
}
