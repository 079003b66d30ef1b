import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import TestMinting
import Testing

/// When a responder is asked again.
@Suite(.ownThreads) struct RefreshTests {
    @Test func `an answer is replaced in the background near the end of its validity`() async throws {
        let scene = try RevocationScene(life: .minutes(40))
        let verifier = try scene.verifier(.hard)
        _ = try verifier.verify(scene.token())
        scene.advance(by: 29 * 60)
        _ = try verifier.verify(scene.token())
        #expect(scene.requestCounts == [1, 1])
        // The old answers are used while the new ones are held back.
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

    @Test func `an answer that cannot be replaced is used until its end, and no longer`() async throws {
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

    @Test func `a dead responder is waited for once, and used again when it comes back`() async throws {
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
        // The request is made in the background, so this verdict does not wait.
        _ = verifier.verdict(on: try scene.token())
        try await eventually { verifier.verdict(on: try scene.token()).error == nil }
        #expect(scene.requestCounts == [2, 1])
    }

    /// A verifier whose request about the leaf has failed. The responder has come back since then.
    private func verifierAfterFailure(in scene: RevocationScene) throws -> SignedPayloadVerifier {
        let alive = scene.leafServer.behaviour
        scene.leafServer.behaviour = .close
        let verifier = try scene.verifier(.hard)
        #expect(verifier.verdict(on: try scene.token()).error?.code == .revocationUnknown)
        scene.leafServer.behaviour = alive
        return verifier
    }

    @Test func `a verification long after a failure waits for a new answer`() throws {
        let scene = try RevocationScene()
        let verifier = try verifierAfterFailure(in: scene)
        scene.advance(by: 301)
        #expect(throws: Never.self) { try verifier.verify(scene.token()) }
    }

    @Test func `a failure that lies in the future, after the clock was set back, is ignored`() throws {
        let scene = try RevocationScene()
        let verifier = try verifierAfterFailure(in: scene)
        scene.advance(by: -400)
        try scene.answerForIntermediate(.good)
        let other = try scene.verifier(.hard)
        // The answers now lie in the future. That counts as a failure too, so the responder is asked again.
        let before = scene.requestCounts[0]
        #expect(other.verdict(on: try scene.token()).error?.detail == "responseNotCurrent")
        #expect(verifier.verdict(on: try scene.token()).error?.detail == "responseNotCurrent")
        #expect(scene.requestCounts[0] == before + 2)
    }

    @Test func `a revocation is still known when the responder dies`() async throws {
        let scene = try RevocationScene(
            leaf: .revoked(CertificateTime(2025, 1, 1), reason: nil), life: .minutes(5))
        let verifier = try scene.verifier(.soft)
        #expect(verifier.verdict(on: try scene.token()).error?.code == .revokedCertificate)
        scene.leafServer.behaviour = .close
        scene.advance(by: 86_400)
        for _ in 0..<3 {
            #expect(verifier.verdict(on: try scene.token()).error?.code == .revokedCertificate)
        }
        // A newer good answer ends the revocation, as for a certificate on hold.
        scene.advance(by: -86_400 + 240)
        try await Task.sleep(for: .seconds(1.1))
        try scene.answerForLeaf(.good)
        // A request may have been under way when the clock was set back, and has failed. The next one is due
        // later.
        scene.advance(by: 31)
        try await eventually { verifier.verdict(on: try scene.token()).error == nil }
    }

    @Test func `an older good answer does not end a revocation`() async throws {
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
                // The request of the round before may have ended after the clock was moved. Then the next
                // request is due half a minute later.
                scene.advance(by: 31)
                let verdict = verifier.verdict(on: try scene.token())
                #expect(verdict.error?.code == .revokedCertificate)
                return scene.requestCounts[0] >= round + 2
            }
        }
    }
}
