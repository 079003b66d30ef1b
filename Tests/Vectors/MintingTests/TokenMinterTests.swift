import Minting
import TestMinting
import Testing

/// Tokens and chains, and the changes that tests need.
struct TokenMinterTests {
    @Test("all tokens of a leaf have the same header")
    func sameHeader() throws {
        let minter = try TestPKI.standard().minter()
        let tokens = [try minter.token(payload: "{}"), try minter.token(payload: #"{"a":1}"#)]
        let headers = Set(tokens.compactMap { $0.split(separator: ".").first })
        #expect(headers.count == 1)
    }

    @Test("minting twice gives the same token")
    func deterministic() throws {
        let minter = try TestPKI.p256().minter(leaf: 0)
        #expect(try minter.token(payload: "{}") == minter.token(payload: "{}"))
    }

    @Test("the header of the App Store's form is what the App Store writes")
    func appStoreHeader() {
        let header = TokenMinter.header(x5c: [[0xFF, 0xFF], [1]])
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","x5c":["//8=","AQ=="]}"#)
    }

    @Test("Xcode's form names a key and escapes slashes")
    func xcodeHeader() {
        let header = TokenMinter.header(x5c: [[0xFF, 0xFF]], form: .xcode)
        let expected = #"{"kid":"Apple_Xcode_Key","typ":"JWT","alg":"ES256","x5c":["\/\/8="]}"#
        #expect(String(decoding: header, as: UTF8.self) == expected)
    }

    @Test("the forger's chain has the genuine names and other keys")
    func forged() throws {
        let own = try TestPKI.standard()
        let forged = try TestPKI.forged()
        #expect(own.root.template.subject == forged.root.template.subject)
        #expect(own.root.key != forged.root.key)
    }

    @Test("an algorithm that does not fit the key is refused")
    func algorithmMismatch() throws {
        var template = try TestPKI.p256().root.template
        template.algorithm = .sha256WithRSA
        #expect(throws: MintingError.algorithmDoesNotFitKey) { try template.der() }
    }

    @Test("the device hash is SHA-384 over both identifiers in lower case")
    func deviceHash() throws {
        let lower = try DeviceHash.value(nonce: "ab", deviceIdentifier: "cd")
        #expect(try lower == DeviceHash.value(nonce: "AB", deviceIdentifier: "CD"))
        #expect(lower == Base64.encoded(try HashFunction.sha384.digest(Array("abcd".utf8))))
    }
}
