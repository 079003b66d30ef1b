import CertificateChain
import CompactJWS
import FuzzTargets
import Minting
import SignedPayloads
import Testing
import WireFormats

/// Breaks every property once on purpose, to check that the targets report it.
@Suite struct OracleTests {
    @Test func `a decoder with several texts for one value is found`() throws {
        let target = try #require(FuzzTargets.named("planted")).init()
        try target.check(Array("QUI=".utf8))
        #expect(throws: Violation.self) { try target.check(Array("QUJ=".utf8)) }
    }

    @Test func `a verdict on another payload, signature or chain is found`() throws {
        let (pki, payload) = (try TestPKI.p256(), #"{"signedDate":1765000000123}"#)
        let segments = try pki.minter().segments(payload: Array(payload.utf8))
        let roots = [try pki.root.der()]
        let verifier = try SignedPayloadVerifier(anchors: roots.map { TrustAnchor(der: $0) })
        let verified = try verifier.verify(segments.compact)
        let oracle = VerdictOracle(roots: roots)
        try oracle.check(verified, of: Array(segments.compact.utf8))

        var others: [String] = []
        let otherPayload = try pki.minter().segments(payload: Array(#"{"signedDate":1765000000124}"#.utf8))
        others.append(otherPayload.compact)
        var otherSignature = segments
        otherSignature.signature = otherPayload.signature
        others.append(otherSignature.compact)
        others.append(try TestPKI.standard().minter().token(payload: payload))
        others.append(try XcodeIdentity().minter().token(payload: payload))
        others.append(segments.compact + "=")
        for other in others {
            #expect(throws: Violation.self) { try oracle.check(verified, of: Array(other.utf8)) }
        }
        let nowhere = VerdictOracle(roots: [try TestPKI.standard().root.der()])
        #expect(throws: Violation.self) { try nowhere.check(verified, of: Array(segments.compact.utf8)) }
    }

    @Test func `a header that is read otherwise than it should be is found`() throws {
        let right = try TestPKI.p256().minter().header
        let header = try JOSEHeader(right)
        try HeaderTarget.check(.success(header), of: right)
        let text = String(decoding: right, as: UTF8.self)
        for wrong in [
            text.replacing("ES256", with: "none"), text.replacing("{", with: #"{"crit":[],"#),
            text.replacing("{", with: #"{"a":1,"a":1,"#), text.replacing("]", with: #","AAAA"]"#),
            String(decoding: try TestPKI.standard().minter().header, as: UTF8.self),
        ] {
            #expect(throws: Violation.self) {
                try HeaderTarget.check(.success(header), of: Array(wrong.utf8))
            }
        }
        #expect(throws: Violation.self) { try HeaderTarget.check(.failure(.missingX5C), of: right) }
    }
}
