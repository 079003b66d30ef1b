import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import TestMinting
import Testing

/// Requests about many certificates at once, each on its own connection.
@Suite(.ownThreads) struct ManyCertificatesTests {
    private let scene: RevocationScene
    /// Two hundred leaves with one key. Each has its own name and serial number.
    private let leaves: [TestPKI]

    init() throws {
        let scene = try RevocationScene()
        leaves = (0..<200).map { number in
            var pki = scene.pki
            pki.leaves[2].template.serialNumber = [0x10, UInt8(number)]
            // OpenSSL's responder does not accept two certificates with the same name.
            pki.leaves[2].template.subject.commonName += " \(number)"
            return pki
        }
        self.scene = scene
    }

    /// The verdicts on one token of each leaf. One verifier gives them on as many threads.
    private func verdicts(
        timeout: Duration
    ) async throws -> [Result<VerifiedPayload, PayloadError>] {
        let verifier = try scene.verifier(.hard, timeout: timeout)
        let tokens = try leaves.map { pki in
            try pki.minter().token(payload: #"{"signedDate":1760000000000}"#)
        }
        return await withTaskGroup { group in
            let executor = ThreadExecutor()
            for token in tokens {
                group.addTask(executorPreference: executor) { verifier.verdict(on: token) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `two hundred certificates are asked about at once`() async throws {
        let files = try OCSPResponderFiles(
            issuer: scene.pki.intermediate, signer: TestPKI.responder(of: scene.pki.intermediate),
            certificates: leaves.map { ($0.leaves[2], .good) })
        scene.leafServer.behaviour = .forward(try scene.start(files).port)
        let verdicts = try await verdicts(timeout: .seconds(60))
        let messages = Set(verdicts.compactMap { $0.error?.message.suffix(160) })
        #expect(verdicts.count == 200 && messages.isEmpty, "\(messages.first ?? "")")
        #expect(scene.requestCounts == [200, 1])
        #expect(Sockets.connectionCount(to: scene.leafServer.port) == 0)
    }

    @Test func `a silent responder of two hundred certificates is waited for once`() async throws {
        scene.leafServer.behaviour = .silence
        let start = ContinuousClock.now
        // The intermediate's responder needs some of the time too, and most of two seconds under a sanitizer.
        let verdicts = try await verdicts(timeout: .seconds(6))
        let details = Set(verdicts.map { $0.error?.detail })
        #expect(details == ["responderTimeout"])
        // One after another, the requests would take minutes.
        #expect(start.duration(to: .now) < .seconds(60))
        try await eventually { Sockets.connectionCount(to: scene.leafServer.port) == 0 }
    }
}
