import Minting
import SignedPayloads
import TestMinting
import Testing

/// The cache of signers is bounded, and a stranger cannot change it.
@Suite struct SignerCacheTests {
    @Test func `a signer is remembered after its first verified payload, once`() throws {
        let verifier = try Minted.verifier()
        #expect(verifier.rememberedSignerCount == 0)
        for number in 0..<5 {
            _ = try verifier.verify(Minted.token(#"{"n":\#(number),"signedDate":1760000000000}"#))
        }
        #expect(verifier.rememberedSignerCount == 1)
        _ = try verifier.verify(
            TestPKI.p256().minter(leaf: 1).token(payload: #"{"signedDate":1700000000000}"#))
        #expect(verifier.rememberedSignerCount == 2)
    }

    @Test func `a good chain under a bad signature leaves no trace`() throws {
        let verifier = try Minted.verifier()
        let x5c = try TestPKI.p256().x5c(leaf: 2)
        let stranger = try TestKey("a stranger")
        for number in 0..<50 {
            let list = x5c.map { "\"\(Base64.encoded($0))\"" }.joined(separator: ",")
            let header = #"{"alg":"ES256","n":\#(number),"x5c":[\#(list)]}"#
            let token = try TokenMinter(key: stranger, header: Array(header.utf8)).token(payload: "{}")
            let error = #expect(throws: PayloadError.self) { try verifier.verify(token) }
            #expect(error?.code == .invalidSignature)
        }
        #expect(verifier.rememberedSignerCount == 0)
    }

    @Test func `however many genuine headers there are, few are remembered, and the busy one stays`() throws {
        let verifier = try Minted.verifier()
        let pki = try TestPKI.p256()
        let busy = try Minted.token(#"{"signedDate":1760000000000}"#)
        let list = try pki.x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }.joined(separator: ",")
        for number in 0..<200 {
            let header = #"{"alg":"ES256","n":\#(number),"x5c":[\#(list)]}"#
            let minter = TokenMinter(key: pki.leaves[2].key, header: Array(header.utf8))
            _ = try verifier.verify(minter.token(payload: #"{"signedDate":1760000000000}"#))
            _ = try verifier.verify(busy)
            #expect(verifier.rememberedSignerCount <= 128)
        }
        #expect(verifier.rememberedSignerCount == 128)
    }

    @Test func `a header longer than any genuine one is judged each time and not remembered`() throws {
        let verifier = try Minted.verifier()
        let pki = try TestPKI.p256()
        let list = try pki.x5c(leaf: 2).map { "\"\(Base64.encoded($0))\"" }.joined(separator: ",")
        let padding = String(repeating: " ", count: 20_000)
        let minter = TokenMinter(
            key: pki.leaves[2].key, header: Array(#"{"alg":"ES256",\#(padding)"x5c":[\#(list)]}"#.utf8))
        let token = try minter.token(payload: #"{"signedDate":1760000000000}"#)
        for _ in 0..<3 { #expect(throws: Never.self) { try verifier.verify(token) } }
        #expect(verifier.rememberedSignerCount == 0)
    }
}
