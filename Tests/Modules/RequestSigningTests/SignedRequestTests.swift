import Foundation
import Minting
import RepositoryFiles
import RequestSigning
import StoreKitTestSession
import Testing
import WireFormats

/// The signed texts, byte for byte, and that libcrypto accepts the signatures.
@Suite struct SignedRequestTests {
    private let scene: SigningScene

    init() throws { scene = try SigningScene() }

    private static let header = #"{"alg":"ES256","kid":"TESTKEY123","typ":"JWT"}"#
    private static let base =
        #""bid":"com.example.garden","iss":"99b16628-15e4-4668-972b-eeff55eeff55""#
    private static let nonce = #""nonce":"20fba8a0-2b80-4a7d-a17f-85c1854727f8""#

    private func expect(_ unsigned: UnsignedJWS, _ payload: String) throws {
        let jws = try unsigned.signed(by: scene.key)
        #expect(jws.hasPrefix(unsigned.signingInput + "."))
        let parts = try scene.parts(jws)
        #expect(parts.header == Self.header)
        #expect(parts.payload == payload)
        #expect(parts.isSigned)
    }

    @Test func `a promotional offer has the claims of Apple's page`() throws {
        let (issuer, nonce, start) = (scene.issuer, SigningScene.nonce, SigningScene.start)
        try expect(
            issuer.promotionalOffer(
                "spring", productID: "plus", transactionID: "20", nonce: nonce, at: start),
            #"{"productId":"plus","offerIdentifier":"spring","transactionId":"20",\#(Self.base),"aud":"promotional-offer","iat":1767225600,\#(Self.nonce)}"#
        )
        try expect(
            issuer.promotionalOffer("spring", productID: "plus", nonce: nonce, at: start),
            #"{"productId":"plus","offerIdentifier":"spring",\#(Self.base),"aud":"promotional-offer","iat":1767225600,\#(Self.nonce)}"#
        )
    }

    @Test(arguments: [true, false])
    func `the eligibility for an introductory offer is a Boolean claim`(isAllowed: Bool) throws {
        try expect(
            scene.issuer.introductoryOffer(
                isAllowed: isAllowed, productID: "plus", transactionID: "20", nonce: SigningScene.nonce,
                at: SigningScene.start),
            #"{"productId":"plus","allowIntroductoryOffer":\#(isAllowed),"transactionId":"20",\#(Self.base),"aud":"introductory-offer-eligibility","iat":1767225600,\#(Self.nonce)}"#
        )
    }

    @Test func `an Advanced Commerce request is signed as it is, in standard base64`() throws {
        let request = Data(
            "{\n \"operation\" : \"CREATE_SUBSCRIPTION\", \"version\":\"1\", \"x\":\"ÿ>?\"}".utf8)
        let unsigned = try scene.issuer.advancedCommerce(
            request: request, nonce: SigningScene.nonce, at: SigningScene.start)
        try expect(
            unsigned,
            #"{"request":"\#(request.base64EncodedString())",\#(Self.base),"aud":"advanced-commerce-api","iat":1767225600,\#(Self.nonce)}"#
        )
        let data = RequestIssuer.advancedCommerceData(compactJWS: "a.b.c")
        #expect(String(decoding: data, as: UTF8.self) == #"{"signatureInfo":{"token":"a.b.c"}}"#)
    }

    @Test(
        "what is no Advanced Commerce request is refused",
        arguments: [
            "", "[]", "null", "{", #"{"operation":"CREATE_SUBSCRIPTION"}"#, #"{"version":"1"}"#,
            #"{"operation":"CREATE_SUBSCRIPTION","version":1}"#, #"{"operation":"","version":"1"}"#,
            #"{"operation":"A","operation":"B","version":"1"}"#,
        ])
    func refusesRequest(_ text: String) throws {
        #expect(throws: RequestSigningError.self) {
            try scene.issuer.advancedCommerce(request: Data(text.utf8), at: SigningScene.start)
        }
    }

    @Test func `the API's token lasts five minutes, and an hour at most`() throws {
        let (issuer, start) = (scene.issuer, SigningScene.start)
        let claims = #"\#(Self.base),"aud":"appstoreconnect-v1","iat":1767225600,"exp":"#
        try expect(issuer.serverAPIToken(at: start), "{\(claims)1767225900}")
        try expect(issuer.serverAPIToken(at: start, lasting: 3600), "{\(claims)1767229200}")
        try expect(issuer.serverAPIToken(at: start, lasting: 1), "{\(claims)1767225601}")
        for seconds in [0, -1, 3601, .max, .min] {
            #expect(throws: RequestSigningError.lifetime(seconds: seconds)) {
                try issuer.serverAPIToken(at: start, lasting: seconds)
            }
        }
    }

    @Test func `a date that no clock shows is refused`() throws {
        for seconds in [-0.001, -1e300, 253_402_300_800, 1e300, .infinity, .nan] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(throws: RequestSigningError.date) { try scene.issuer.serverAPIToken(at: date) }
            #expect(throws: RequestSigningError.date) {
                try scene.issuer.promotionalOffer("spring", productID: "plus", at: date)
            }
            #expect(throws: RequestSigningError.date) {
                try UnsignedPromotionalOffer("o", productID: "p", bundleID: "b", keyID: "k", at: date)
            }
        }
    }

    @Test func `an empty name is refused by Apple's name for it`() throws {
        let (issuer, start) = (scene.issuer, SigningScene.start)
        let attempts: [(String, () throws -> Void)] = [
            ("keyId", { _ = try RequestIssuer(keyID: "", issuerID: "i", bundleID: "b") }),
            ("issuerId", { _ = try RequestIssuer(keyID: "k", issuerID: "", bundleID: "b") }),
            ("bundleId", { _ = try RequestIssuer(keyID: "k", issuerID: "i", bundleID: "") }),
            ("productId", { _ = try issuer.promotionalOffer("o", productID: "", at: start) }),
            ("offerIdentifier", { _ = try issuer.promotionalOffer("", productID: "p", at: start) }),
            (
                "transactionId",
                { _ = try issuer.promotionalOffer("o", productID: "p", transactionID: "", at: start) }
            ),
            (
                "transactionId",
                {
                    _ = try issuer.introductoryOffer(
                        isAllowed: true, productID: "p", transactionID: "", at: start)
                }
            ),
            (
                "keyId",
                { _ = try UnsignedPromotionalOffer("o", productID: "p", bundleID: "b", keyID: "", at: start) }
            ),
        ]
        for (name, attempt) in attempts {
            #expect(throws: RequestSigningError.empty(name)) { try attempt() }
        }
    }

    @Test func `each signature has a nonce of its own`() throws {
        let texts = try (0..<50).map { _ in
            try scene.issuer.promotionalOffer("o", productID: "p", at: SigningScene.start).signingInput
        }
        #expect(Set(texts).count == texts.count)
    }

    // MARK: - The first form of promotional offers

    @Test func `the first form of an offer signs Apple's seven parts`() throws {
        // The values are those of the test in Apple's libraries.
        let offer = try UnsignedPromotionalOffer(
            "offerId", productID: "productId", bundleID: "bundleId", keyID: "keyId",
            appAccountToken: "appAccountToken", nonce: SigningScene.nonce,
            at: Date(timeIntervalSince1970: 1_698_148_900))
        let text = [
            "bundleId", "keyId", "productId", "offerId", "appaccounttoken",
            "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "1698148900000",
        ].joined(separator: "\u{2063}")
        #expect(Array(offer.signingInput.utf8) == Array(text.utf8))
        let signed = try offer.signed(by: scene.key)
        #expect(scene.verifies(text, der: Array(signed.signature)))
        #expect(Data(base64Encoded: signed.encodedSignature) == signed.signature)
        #expect(!scene.verifies(text + " ", der: Array(signed.signature)))
    }

    @Test func `an offer without an account keeps both separators, and milliseconds count`() throws {
        let offer = try UnsignedPromotionalOffer(
            "o", productID: "p", bundleID: "b", keyID: "k", nonce: SigningScene.nonce, at: SigningScene.start)
        #expect(
            offer.signingInput.split(separator: "\u{2063}", omittingEmptySubsequences: false)
                == ["b", "k", "p", "o", "", "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "1767225600500"])
    }

    @Test(arguments: 0..<5)
    func `a separator in a part is refused, because the text would fit two offers`(part: Int) throws {
        var parts = ["o", "p", "b", "k", "a"]
        parts[part] += "\u{2063}x"
        let name = ["offerIdentifier", "productId", "bundleId", "keyId", "appAccountToken"][part]
        #expect(throws: RequestSigningError.separator(name)) {
            try UnsignedPromotionalOffer(
                parts[0], productID: parts[1], bundleID: parts[2], keyID: parts[3],
                appAccountToken: parts[4], at: SigningScene.start)
        }
    }

    // MARK: - Keys that sign elsewhere

    @Test func `a signature made elsewhere is taken in both forms`() throws {
        let (start, scene) = (SigningScene.start, scene)
        let unsigned = try scene.issuer.serverAPIToken(at: start)
        let offer = try UnsignedPromotionalOffer("o", productID: "p", bundleID: "b", keyID: "k", at: start)
        let raw = try scene.apiKey.key.signature(of: Array(unsigned.signingInput.utf8)).raw
        let der = SigningScene.der(raw)
        let keys = [
            SigningKey(returning: .raw) { digest in
                #expect(digest.count == 32)
                return Data(raw)
            }, SigningKey(returning: .der) { _ in Data(der) },
        ]
        for key in keys {
            #expect(try scene.parts(unsigned.signed(by: key)).isSigned)
            #expect(try Array(offer.signed(by: key).signature) == der)
            #expect("\(key)" == "a key that signs elsewhere")
        }
        #expect(try scene.parts(unsigned.signed(with: Data(der), as: .der)).isSigned)
        #expect(try scene.parts(unsigned.signed(with: Data(raw), as: .raw)).isSigned)
        let digest = try HashFunction.sha256.digest(Array(unsigned.signingInput.utf8))
        #expect(Array(unsigned.digest) == digest)
    }

    @Test func `short numbers are padded in the raw form, and DER is minimal`() throws {
        let unsigned = try scene.issuer.serverAPIToken(at: SigningScene.start)
        for raw in [
            [UInt8](repeating: 0, count: 31) + [1] + [UInt8](repeating: 0, count: 31) + [0x80],
            [UInt8](repeating: 0xff, count: 64),
        ] {
            let der = SigningScene.der(raw)
            let key = SigningKey(returning: .der) { _ in Data(der) }
            let jws = try unsigned.signed(by: key)
            #expect(try jws == unsigned.signed(with: Data(raw), as: .raw))
        }
    }

    @Test func `what is no signature in the announced form is refused`() throws {
        let unsigned = try scene.issuer.serverAPIToken(at: SigningScene.start)
        let raw = [UInt8](repeating: 7, count: 64)
        let der = SigningScene.der(raw)
        let longForm: [UInt8] = [0x30, 0x81, UInt8(der.count - 2)] + der[2...]
        let wide = [UInt8](repeating: 7, count: 33)
        let tooWide: [UInt8] = [0x30, 70, 0x02, 33] + wide + [0x02, 33] + wide
        for bytes in [[], raw, der + [0], Array(der.dropLast()), longForm, tooWide, [0x30, 0]] {
            #expect(throws: RequestSigningError.notASignature) {
                try unsigned.signed(with: Data(bytes), as: .der)
            }
        }
        for bytes in [[], der, raw + [0], Array(raw.dropLast()), [UInt8](repeating: 0, count: 64)] {
            #expect(throws: RequestSigningError.notASignature) {
                try unsigned.signed(with: Data(bytes), as: .raw)
            }
        }
        struct Unreachable: Error, CustomStringConvertible { var description: String { "no module" } }
        #expect(throws: RequestSigningError.failed("no module")) {
            try unsigned.signed(by: SigningKey(returning: .raw) { _ in throw Unreachable() })
        }
    }

    @Test func `each signature of the shared table is made, or refused with its sentence`() throws {
        let cases = try DoorCases()
        #expect(cases.groups["signatures"]?.concerns(.library) == true)
        let key = try NamedKey(scene.key, keyID: "K1", issuerID: "I1")
        for each in cases.signatures {
            let kind = try #require(SignatureKind(rawValue: each.kind))
            let members = each.values.map { name, value in
                let value: JSONTree =
                    name == "seconds"
                    ? .number(value)
                    : ["true": .bool(true), "false": .bool(false)][value]
                        ?? .string(value)
                return JSONTree.Member(name: name, value: value)
            }
            do throws(RequestSigningError) {
                _ = try key.answer(
                    kind, members, bundleID: SigningScene.bundleID, at: SigningScene.start)
                #expect(each.refused == nil, "\(each)")
            } catch {
                #expect(each.refused.map { "\(error)".hasPrefix($0) } == true, "\(each): \(error)")
            }
        }
    }
}
