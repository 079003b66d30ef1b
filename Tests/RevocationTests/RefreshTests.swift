import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import Testing

/// When responders are asked again.
@Suite(.ownThreads) struct RefreshTests {
    @Test func `an answer is replaced in the background when most of its life is over`() async throws {
        let scene = try RevocationScene(life: .minutes(40))
        let verifier = try scene.verifier(.hard)
        _ = try verifier.verify(scene.token())
        scene.advance(by: 29 * 60)
        _ = try verifier.verify(scene.token())
        #expect(scene.requestCounts == [1, 1])
        // While the new answers are held back, the old ones serve.
        let responder = try scene.start(scene.leafFiles(), .minutes(80))
        let gate = Gate()
        scene.leafServer.behaviour = .held(gate, responder.port)
        scene.advance(by: 2 * 60)
        for _ in 0..<20 { _ = try verifier.verify(scene.token()) }
        try await eventually { scene.requestCounts == [2, 2] }
        for _ in 0..<20 { _ = try verifier.verify(scene.token()) }
        #expect(scene.requestCounts == [2, 2])
        let first = try verifier.verify(scene.token()).revocation.first
        gate.open()
        try await eventually { try verifier.verify(scene.token()).revocation.first != first }
        #expect(scene.requestCounts == [2, 2])
    }

    @Test func `an answer that cannot be replaced serves to its end, and not beyond`() async throws {
        let scene = try RevocationScene(life: .minutes(40))
        let verifier = try scene.verifier(.hard)
        _ = try verifier.verify(scene.token())
        scene.leafServer.behaviour = .close
        scene.advance(by: 35 * 60)
        _ = try verifier.verify(scene.token())
        try await eventually { scene.requestCounts[0] == 2 }
        _ = try verifier.verify(scene.token())
        scene.advance(by: 11 * 60)
        #expect(verifier.verdict(on: try scene.token()).error?.detail == "responderUnreachable")
    }

    @Test func `a dead responder is waited for once, and found again when it comes back`() async throws {
        let scene = try RevocationScene()
        let alive = scene.leafServer.behaviour
        scene.leafServer.behaviour = .close
        let verifier = try scene.verifier(.hard)
        for _ in 0..<10 {
            #expect(verifier.verdict(on: try scene.token()).error?.code == .revocationUnknown)
        }
        #expect(scene.requestCounts == [1, 1])
        scene.leafServer.behaviour = alive
        scene.advance(by: 25)
        #expect(verifier.verdict(on: try scene.token()).error?.code == .revocationUnknown)
        #expect(scene.requestCounts == [1, 1])
        scene.advance(by: 10)
        // Asked in the background: this verdict does not wait.
        _ = verifier.verdict(on: try scene.token())
        try await eventually { verifier.verdict(on: try scene.token()).error == nil }
        #expect(scene.requestCounts == [2, 1])
    }

    /// A verifier that has asked about the leaf in vain; the responder is back since.
    private func verifierAfterFailure(in scene: RevocationScene) throws -> SignedPayloadVerifier {
        let alive = scene.leafServer.behaviour
        scene.leafServer.behaviour = .close
        let verifier = try scene.verifier(.hard)
        #expect(verifier.verdict(on: try scene.token()).error?.code == .revocationUnknown)
        scene.leafServer.behaviour = alive
        return verifier
    }

    @Test func `whoever asks long after a failure waits for an answer`() throws {
        let scene = try RevocationScene()
        let verifier = try verifierAfterFailure(in: scene)
        scene.advance(by: 301)
        #expect(throws: Never.self) { try verifier.verify(scene.token()) }
    }

    @Test func `a failure of the future, by a clock that was set back, is forgotten`() throws {
        let scene = try RevocationScene()
        let verifier = try verifierAfterFailure(in: scene)
        scene.advance(by: -400)
        try scene.answerForIntermediate(.good)
        let other = try scene.verifier(.hard)
        // The answers are of the future now, which is another failure; and so is asked about again.
        let before = scene.requestCounts[0]
        #expect(other.verdict(on: try scene.token()).error?.detail == "responseNotCurrent")
        #expect(verifier.verdict(on: try scene.token()).error?.detail == "responseNotCurrent")
        #expect(scene.requestCounts[0] == before + 2)
    }

    @Test func `that a certificate was revoked is not forgotten when the responder dies`() async throws {
        let scene = try RevocationScene(
            leaf: .revoked(CertificateTime(2025, 1, 1), reason: nil), life: .minutes(5))
        let verifier = try scene.verifier(.soft)
        #expect(verifier.verdict(on: try scene.token()).error?.code == .revokedCertificate)
        scene.leafServer.behaviour = .close
        scene.advance(by: 86_400)
        for _ in 0..<3 {
            #expect(verifier.verdict(on: try scene.token()).error?.code == .revokedCertificate)
        }
        // A newer answer takes it back, as for a certificate that was on hold.
        scene.advance(by: -86_400 + 240)
        try await Task.sleep(for: .seconds(1.1))
        try scene.answerForLeaf(.good)
        // A request that was under way when the clock was set back has failed since; the next is due after that.
        scene.advance(by: 31)
        try await eventually { verifier.verdict(on: try scene.token()).error == nil }
    }

    @Test func `an older good answer does not take back that a certificate was revoked`() async throws {
        let scene = try RevocationScene()
        let older = try OpenSSLResponder.answer(about: scene.leaf, scene.leafFiles(), life: .days(7))
        try await Task.sleep(for: .seconds(1.1))
        try scene.answerForLeaf(.revoked(CertificateTime(2025, 1, 1), reason: nil), life: .minutes(40))
        let verifier = try scene.verifier(.hard)
        #expect(verifier.verdict(on: try scene.token()).error?.code == .revokedCertificate)
        scene.leafServer.behaviour = .reply(older)
        for round in 0..<3 {
            scene.advance(by: 45 * 60)
            try await eventually {
                // The request of the round before may have ended after the clock was moved: half a minute later,
                // the next is due.
                scene.advance(by: 31)
                let verdict = verifier.verdict(on: try scene.token())
                #expect(verdict.error?.code == .revokedCertificate)
                return scene.requestCounts[0] >= round + 2
            }
        }
    }
}
