import CompactJWS
import Minting
import SignedPayloads
import TestMinting
import Testing

/// Payloads signed with one certificate of a developer's machine.
@Suite struct XcodeTests {
    private let payload = #"{"transactionId":"0","environment":"Xcode","signedDate":1734000000000.25}"#

    @Test func `they are verified where environment and certificate are both asked for`() throws {
        for name in ["Xcode", "LocalTesting"] {
            let payload = #"{"transactionId":"0","environment":"\#(name)","signedDate":1734000000000}"#
            #expect(try verify(payload, [AppStoreEnvironment(rawValue: name)]) == nil)
        }
        #expect(try verify(payload, [.xcode, .production]) == nil)
    }

    @Test func `without the environment, one certificate is no chain`() throws {
        for environments in [[], [.production], [.sandbox, .production]]
            as [Set<AppStoreEnvironment>]
        {
            #expect(try verify(payload, environments)?.cause == .encoding(.x5cCount(1)))
        }
    }

    @Test func `without the certificate, it is untrusted`() throws {
        let error = try verify(payload, [.xcode], anchors: [.appleRootCAG3])
        #expect(error?.code == .invalidCertificateChain)
        #expect(error?.detail == "notPinned")
    }

    @Test func `the payload must say so itself, whatever else is accepted`() throws {
        let production = #"{"transactionId":"0","environment":"Production","signedDate":1734000000000}"#
        #expect(try verify(production, [.xcode, .production])?.code == .wrongEnvironment)
        #expect(try verify(payload, [.localTesting, .production])?.code == .wrongEnvironment)
        #expect(
            try verify(#"{"transactionId":"0","signedDate":1734000000000}"#, [.xcode])?.code
                == .wrongEnvironment)
    }

    @Test func `signature and dates are checked as ever`() throws {
        let expired = #"{"transactionId":"0","environment":"Xcode","signedDate":1834000000000}"#
        #expect(try verify(expired, [.xcode])?.code == .invalidCertificateChain)
        var segments = try XcodeIdentity().minter().segments(payload: Array(payload.utf8))
        segments.payload = Base64.urlEncoded(Array(expired.utf8))
        var policy = VerificationPolicy()
        policy.environments = [.xcode]
        let anchors = [TrustAnchor(der: try XcodeIdentity().template.der())]
        let verifier = try SignedPayloadVerifier(anchors: anchors, policy: policy)
        let error = #expect(throws: PayloadError.self) { try verifier.verify(segments.compact) }
        #expect(error?.code == .invalidSignature)
    }

    @Test func `asking for Xcode relaxes nothing for chains of three`() throws {
        let forged = try TestPKI.forged().minter().token(payload: payload)
        var policy = VerificationPolicy()
        policy.environments = [.xcode]
        let verifier = try SignedPayloadVerifier(
            anchors: [TrustAnchor(der: try XcodeIdentity().template.der()), .appleRootCAG3], policy: policy)
        let error = #expect(throws: PayloadError.self) { try verifier.verify(forged) }
        #expect(error?.code == .invalidCertificateChain)
    }

    private func verify(
        _ payload: String, _ environments: Set<AppStoreEnvironment>, anchors: [TrustAnchor]? = nil
    ) throws -> PayloadError? {
        let identity = try XcodeIdentity()
        var policy = VerificationPolicy()
        policy.environments = environments
        let verifier = try SignedPayloadVerifier(
            anchors: anchors ?? [TrustAnchor(der: identity.template.der())], policy: policy)
        let token = try identity.minter().token(payload: payload)
        return Result { () throws(PayloadError) in try verifier.verify(token) }.error
    }
}
