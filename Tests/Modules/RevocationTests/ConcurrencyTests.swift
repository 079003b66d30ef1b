import Dispatch
import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import Synchronization
import TestMinting
import Testing

/// Many verifications that need the same answers at once.
@Suite struct RevocationConcurrencyTests {
    @Test func `hundreds of threads ask once`() throws {
        let scene = try RevocationScene()
        let gate = Gate()
        guard case .forward(let port, _) = scene.leafServer.behaviour else { return }
        scene.leafServer.behaviour = .held(gate, port)
        let verifier = try scene.verifier(.hard, timeout: .seconds(60))
        let tokens = try (0..<300).map { try scene.token($0) }
        let (started, failures, all) = (Counter(), Counter(), DispatchGroup())
        for token in tokens {
            all.enter()
            Thread.detachNewThread {
                started.increment()
                if verifier.verdict(on: token).error != nil { failures.increment() }
                all.leave()
            }
        }
        // All threads wait before there is an answer.
        while started.count < tokens.count || scene.leafServer.requests.isEmpty {
            Thread.sleep(forTimeInterval: 0.01)
        }
        gate.open()
        all.wait()
        #expect(failures.count == 0)
        #expect(scene.requestCounts == [1, 1])
    }

    @Test func `tasks that block all threads of the pool get their answer`() async throws {
        let scene = try RevocationScene()
        let gate = Gate()
        guard case .forward(let port, _) = scene.leafServer.behaviour else { return }
        scene.leafServer.behaviour = .held(gate, port)
        let verifier = try scene.verifier(.hard)
        let tokens = try (0..<200).map { try scene.token($0) }
        // The answer must arrive without a free thread of Swift's task pool.
        let server = scene.leafServer
        Thread.detachNewThread {
            while server.requests.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
            Thread.sleep(forTimeInterval: 0.3)
            gate.open()
        }
        let failures = await withTaskGroup(of: Bool.self) { group in
            for token in tokens { group.addTask { verifier.verdict(on: token).error != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 0)
        #expect(scene.requestCounts == [1, 1])
    }

    @Test func `asynchronous verification blocks no thread`() async throws {
        let scene = try RevocationScene()
        let gate = Gate()
        guard case .forward(let port, _) = scene.leafServer.behaviour else { return }
        scene.leafServer.behaviour = .held(gate, port)
        let batch = BatchVerifier(try scene.verifier(.hard, timeout: .seconds(60)))
        let tokens = try (0..<100).map { try scene.token($0) }
        let verified = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for token in tokens {
                group.addTask {
                    _ = try await batch.verify(token)
                    verified.increment()
                }
            }
            group.addTask {
                var count = 0
                for await verdict in batch.verdicts(on: Tokens(tokens)) {
                    _ = try verdict.get()
                    count += 1
                }
                #expect(count == tokens.count)
            }
            try await eventually { !scene.leafServer.requests.isEmpty }
            // If each of those tasks blocked a thread, none would be left for these.
            await withTaskGroup(of: Void.self) { others in
                for _ in 0..<1_000 { others.addTask { await Task.yield() } }
            }
            #expect(verified.count == 0)
            gate.open()
            try await group.waitForAll()
        }
        #expect(verified.count == tokens.count)
        #expect(scene.requestCounts == [1, 1])
    }

    @Test(arguments: [RevocationMode.soft, .hard])
    func `batches give the same verdicts as single verifications`(_ mode: RevocationMode) async throws {
        let second = RevocationScene.signedSecond
        let statuses: [OCSPResponderFiles.Status?] = [
            .good, nil, .revoked(CertificateTime(secondsSince1970: second + 100), reason: nil),
            .revoked(CertificateTime(secondsSince1970: second + 100), reason: "keyCompromise"),
        ]
        for status in statuses {
            let scene = try RevocationScene()
            if let status { try scene.answerForLeaf(status) } else { scene.leafServer.behaviour = .close }
            let tokens = try (0..<700).map { try scene.token($0, second: second + $0 % 200) }
            for engine in [BatchVerifier.Engine.auto, .portable, .libcrypto] {
                let verifier = try scene.verifier(mode)
                let alone = tokens.map { verifier.verdict(on: $0) }
                let together = BatchVerifier(try scene.verifier(mode), engine: engine).verify(tokens)
                let batch = BatchVerifier(try scene.verifier(mode), engine: engine)
                var streamed: [Result<VerifiedPayload, PayloadError>] = []
                for await verdict in batch.verdicts(on: Tokens(tokens)) { streamed.append(verdict) }
                for verdicts in [together, streamed] {
                    #expect(verdicts.map { $0.error } == alone.map { $0.error })
                    #expect(verdicts.map(Self.findings) == alone.map(Self.findings))
                }
            }
        }
    }

    @Test func `payloads inside a notification are asked about too`() throws {
        let scene = try RevocationScene(leaf: .revoked(CertificateTime(2025, 1, 1), reason: nil))
        let transaction = try scene.token()
        var outer = scene.pki
        // A different leaf, by its serial number, signs the envelope. Its responder knows it.
        let files = try OCSPResponderFiles(
            issuer: outer.intermediate, signer: TestPKI.responder(of: outer.intermediate),
            certificates: [(outer.leaves[1], .good)])
        outer.leaves[1].template.setResponder(try scene.start(files).url)
        let notification = try outer.minter(leaf: 1).token(
            payload:
                #"{"notificationUUID":"1","signedDate":1740000000000,"data":{"signedTransactionInfo":"\#(transaction)"}}"#
        )
        let error = try #require(scene.verifier(.hard).verdict(on: notification).error)
        #expect(error.code == .revokedCertificate && error.member == "data.signedTransactionInfo")
    }

    @Test func `no responder is asked about a pinned certificate`() throws {
        let identity = try XcodeIdentity()
        let scene = try RevocationScene()
        var policy = VerificationPolicy()
        policy.environments = [.xcode]
        let verifier = try SignedPayloadVerifier(
            anchors: [TrustAnchor(der: identity.template.der())], policy: policy,
            revocation: scene.checker(.hard))
        let token = try identity.minter().token(
            payload: #"{"transactionId":"1","environment":"Xcode","signedDate":1760000000000}"#)
        let inspection = verifier.inspect(Array(token.utf8).span)
        #expect((try inspection.verdict.get()).revocation.isEmpty)
        let check = inspection.checks.first { $0.check == .revocation }
        #expect(
            check?.outcome == .notAsked && check?.reason == "no responder to ask: the certificate is pinned")
    }

    private static func findings(_ verdict: Result<VerifiedPayload, PayloadError>) -> [String]? {
        // The times of answers differ between verifiers that made their own requests.
        (try? verdict.get())?.revocation.map { "\($0.position) \("\($0.status)".prefix(8))" }
    }
}

/// A counter that tasks increment.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock(\.self) }

    func increment() { number.withLock { $0 += 1 } }
}

/// The tokens as an asynchronous sequence.
private struct Tokens: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<String>

        mutating func next() async -> String? { rest.popFirst() }
    }

    typealias Failure = Never
    let tokens: [String]

    init(_ tokens: [String]) { self.tokens = tokens }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: tokens[...]) }
}
