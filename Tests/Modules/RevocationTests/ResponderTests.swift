import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import TestMinting
import Testing

/// The answers of OpenSSL's own responder, and the verdicts that follow.
@Suite(.ownThreads) struct ResponderTests {
    @Test(arguments: [RevocationMode.soft, .hard])
    func `good certificates pass, and the answers are kept`(_ mode: RevocationMode) throws {
        let scene = try RevocationScene()
        let verifier = try scene.verifier(mode)
        for number in 0..<3 {
            let payload = try verifier.verify(scene.token(number))
            #expect(payload.revocation.map(\.position) == [.leaf, .intermediate])
            for finding in payload.revocation {
                guard case .good(let signed) = finding.status else {
                    Issue.record("\(finding)")
                    continue
                }
                #expect(signed.responder.contains("OCSP Responder"))
                #expect(signed.nextUpdate.map { $0 > scene.now + 80_000 } ?? false)
            }
        }
        #expect(scene.requestCounts == [1, 1])
    }

    @Test func `no responder is asked in the mode off, or without a checker`() throws {
        let scene = try RevocationScene(leaf: .revoked(CertificateTime(2020, 1, 1), reason: nil))
        #expect(try scene.verdict(.off).get().revocation.isEmpty)
        let verifier = try SignedPayloadVerifier(anchors: [TrustAnchor(der: scene.pki.root.der())])
        #expect(try verifier.verify(scene.token()).revocation.isEmpty)
        #expect(scene.requestCounts == [0, 0])
    }

    @Test(
        "a revoked certificate does not pass from then on, nor before if its key may be compromised",
        arguments: [
            (-1, nil, true), (0, nil, true), (0, "superseded", true), (1, "superseded", false),
            (1, nil, false), (86_400, "cessationOfOperation", false), (1, "keyCompromise", true),
            (86_400 * 300, "keyCompromise", true), (1, "CACompromise", true), (-1, "unspecified", true),
            (1, "certificateHold", false), (1, "affiliationChanged", false),
        ] as [(Int, String?, Bool)], [RevocationMode.soft, .hard])
    func revoked(_ row: (offset: Int, reason: String?, isRefused: Bool), _ mode: RevocationMode) throws {
        let date = CertificateTime(secondsSince1970: RevocationScene.signedSecond).advanced(
            by: row.offset)
        let scene = try RevocationScene(leaf: .revoked(date, reason: row.reason))
        let verdict = try scene.verdict(mode)
        guard row.isRefused else {
            let payload = try verdict.get()
            guard case .revoked(Int64(date.secondsSince1970), _, _)? = payload.revocation.first?.status
            else {
                Issue.record("\(payload.revocation)")
                return
            }
            return
        }
        let error = try #require(verdict.error)
        #expect(error.code == .revokedCertificate && error.storeKitCase == .revokedCertificate)
        #expect(error.check == .revocation && !error.isRetryable)
        #expect(error.message.contains("was revoked at \(date.iso8601)"))
        #expect(error.message.contains("the effective date is 2025-10-09T08:53:20Z"))
        #expect(
            error.message.contains(row.reason.map { "(\($0.lowercasedFirst))" } ?? "(no reason given)"))
    }

    @Test func `a revoked intermediate makes its leaves invalid`() throws {
        let scene = try RevocationScene(
            intermediate: .revoked(CertificateTime(2024, 1, 1), reason: "cessationOfOperation"))
        let error = try #require(scene.verdict(.soft).error)
        #expect(error.code == .revokedCertificate && error.detail == "cessationOfOperation")
        #expect(error.message.hasPrefix("the intermediate certificate"))
        // A known revocation matters more than a missing answer.
        scene.leafServer.behaviour = .close
        #expect(try scene.verdict(.hard).error?.code == .revokedCertificate)
    }

    @Test func `the revocation date is compared with the effective date that the caller fixes`() throws {
        let scene = try RevocationScene(leaf: .revoked(CertificateTime(2026, 1, 1), reason: "superseded"))
        var policy = VerificationPolicy()
        #expect(throws: Never.self) { try scene.verifier(.hard, policy: policy).verify(scene.token()) }
        policy.effectiveDate = Date(timeIntervalSince1970: 1_790_000_000)
        let error = #expect(throws: PayloadError.self) {
            try scene.verifier(.hard, policy: policy).verify(scene.token())
        }
        #expect(error?.code == .revokedCertificate)
    }

    @Test func `an answer that the certificate is unknown is not used`() throws {
        let scene = try RevocationScene()
        let files = try OCSPResponderFiles(
            issuer: scene.pki.intermediate, signer: TestPKI.responder(of: scene.pki.intermediate),
            certificates: [(scene.pki.leaves[0], .good)])
        scene.leafServer.behaviour = .forward(try scene.start(files).port)
        #expect(try scene.unknownLeaf() == .unknownCertificate)
    }

    @Test func `an answer that the issuer itself signed is accepted`() throws {
        let scene = try RevocationScene()
        try scene.answerForLeaf(.good, signer: scene.pki.intermediate)
        let finding = try #require(scene.verdict(.hard).get().revocation.first)
        guard case .good(let signed) = finding.status else { throw ResponderError.noSocket }
        #expect(signed.responder.contains("Developer Relations"))
    }

    @Test func `an answer by any other signer is refused`() throws {
        let scene = try RevocationScene()
        let forged = try TestPKI.forged()
        var sameNames = forged.intermediate
        sameNames.template.subject = scene.pki.intermediate.template.subject
        var expired = try TestPKI.responder(of: scene.pki.intermediate)
        expired.template.notAfter = CertificateTime(2022, 1, 1)
        var purposeless = try TestPKI.responder(of: scene.pki.intermediate)
        purposeless.template.remove(CertificateExtension.Identifier.extendedKeyUsage)
        var notSigning = try TestPKI.responder(of: scene.pki.intermediate)
        notSigning.template.set(.keyUsage(CertificateExtension.KeyUsage.keyAgreement))
        let signers = [
            ("of the root", try TestPKI.responder(of: scene.pki.root)),
            ("of a forger", try TestPKI.responder(of: sameNames)), ("a forger", sameNames),
            ("the leaf", scene.leaf), ("the root", scene.pki.root), ("expired", expired),
            ("without the purpose", purposeless), ("without the usage", notSigning),
        ]
        for (name, signer) in signers {
            try scene.answerForLeaf(.good, signer: signer)
            let why = try #require(try scene.unknownLeaf())
            #expect(why.detail == "responseUntrusted", "\(name): \(why)")
        }
    }

    @Test func `an answer by a responder of another authority is refused`() throws {
        let scene = try RevocationScene()
        // An authority that the issuer certified has issued this responder. Delegation goes only one step.
        var authority = try TestPKI.responder(of: scene.pki.intermediate, label: "Authority")
        authority.template.set(.basicConstraints(isCA: true))
        authority.template.set(.keyUsage(CertificateExtension.KeyUsage.keyCertSign))
        let signer = try TestPKI.responder(of: authority)
        let chain = try scene.answerForLeaf(.good, signer: signer)
        chain.stop()
        let request = try OCSPResponderFiles(
            issuer: scene.pki.intermediate, signer: signer, certificates: [(scene.leaf, .good)])
        let answer = try OpenSSLResponder.answer(about: scene.leaf, request)
        scene.leafServer.behaviour = .reply(answer)
        #expect(try scene.unknownLeaf()?.detail == "responseUntrusted")
    }

    @Test func `an answer signed with SHA-1 is refused`() throws {
        let scene = try RevocationScene()
        try scene.answerForLeaf(.good, options: ["-rmd", "sha1"])
        #expect(try scene.unknownLeaf()?.detail == "responseAlgorithm")
        try scene.answerForLeaf(.good, options: ["-rmd", "sha512"])
        #expect(throws: Never.self) { try scene.verdict(.hard).get() }
        var weak = try TestPKI.responder(of: scene.pki.intermediate)
        weak.template.algorithm = .ecdsaWithSHA1
        try scene.answerForLeaf(.good, signer: weak)
        #expect(try scene.unknownLeaf()?.detail == "responseAlgorithm")
    }
}

extension String {
    /// OpenSSL writes `CACompromise` where RFC 5280 has `cACompromise`.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
