import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import Synchronization
import TestMinting
import Testing

/// A PKI whose certificates name two servers of the test, OpenSSL's responders behind these servers, and a
/// clock that tests can move.
final class RevocationScene: Sendable {
    /// One server stands before the responder of the intermediate, which issued the leaf. The other stands
    /// before the responder of the root.
    let leafServer: ScriptedServer
    let intermediateServer: ScriptedServer
    let pki: TestPKI
    private let clockOffset = Atomic<Int64>(0)
    private let responders = Mutex<[OpenSSLResponder]>([])

    /// A scene in which both certificates are good.
    init(
        leaf: OCSPResponderFiles.Status = .good, intermediate: OCSPResponderFiles.Status = .good,
        life: OpenSSLResponder.Life = .days(1)
    ) throws {
        leafServer = try ScriptedServer(.close)
        intermediateServer = try ScriptedServer(.close)
        pki = try TestPKI.p256().naming(
            leafResponder: leafServer.url, intermediateResponder: intermediateServer.url)
        try answerForLeaf(leaf, life: life)
        try answerForIntermediate(intermediate, life: life)
    }

    deinit { for responder in responders.withLock({ $0 }) { responder.stop() } }

    /// The leaf that signs tokens.
    var leaf: TestPKI.Entity { pki.leaves[2] }

    /// The files that a responder of the intermediate reads.
    func leafFiles(
        _ status: OCSPResponderFiles.Status = .good, signer: TestPKI.Entity? = nil
    ) throws -> OCSPResponderFiles {
        try OCSPResponderFiles(
            issuer: pki.intermediate, signer: signer ?? TestPKI.responder(of: pki.intermediate),
            certificates: [(leaf, status)])
    }

    /// The files that a responder of the root reads.
    func intermediateFiles(_ status: OCSPResponderFiles.Status = .good) throws -> OCSPResponderFiles {
        try OCSPResponderFiles(
            issuer: pki.root, signer: TestPKI.responder(of: pki.root),
            certificates: [(pki.intermediate, status)])
    }

    /// Starts one of OpenSSL's responders behind the server.
    @discardableResult
    func answerForLeaf(
        _ status: OCSPResponderFiles.Status, life: OpenSSLResponder.Life = .days(1),
        signer: TestPKI.Entity? = nil, options: [String] = []
    ) throws -> OpenSSLResponder {
        let responder = try start(leafFiles(status, signer: signer), life, options)
        leafServer.behaviour = .forward(responder.port)
        return responder
    }

    @discardableResult
    func answerForIntermediate(
        _ status: OCSPResponderFiles.Status, life: OpenSSLResponder.Life = .days(1)
    ) throws -> OpenSSLResponder {
        let responder = try start(intermediateFiles(status), life, [])
        intermediateServer.behaviour = .forward(responder.port)
        return responder
    }

    func start(
        _ files: OCSPResponderFiles, _ life: OpenSSLResponder.Life = .days(1), _ options: [String] = []
    ) throws -> OpenSSLResponder {
        let responder = try OpenSSLResponder(files, life: life, options: options)
        responders.withLock { $0.append(responder) }
        return responder
    }

    /// Moves the clock by this many seconds.
    func advance(by seconds: Int64) { clockOffset.add(seconds, ordering: .sequentiallyConsistent) }

    /// The scene's time.
    var now: Int64 {
        Int64(Date().timeIntervalSince1970) + clockOffset.load(ordering: .sequentiallyConsistent)
    }

    func checker(_ mode: RevocationMode, timeout: Duration = .seconds(20)) -> RevocationChecker {
        RevocationChecker(mode, transport: HTTPOCSPTransport(), timeout: timeout) { self.now }
    }

    func verifier(
        _ mode: RevocationMode, timeout: Duration = .seconds(20),
        policy: VerificationPolicy = VerificationPolicy()
    ) throws -> SignedPayloadVerifier {
        try SignedPayloadVerifier(
            anchors: [TrustAnchor(der: pki.root.der())], policy: policy,
            revocation: checker(mode, timeout: timeout))
    }

    /// 2025-10-09T08:53:20Z, when the tokens were signed.
    static let signedSecond = 1_760_000_000

    /// A transaction.
    func token(_ number: Int = 1, second: Int = signedSecond) throws -> String {
        try pki.minter().token(
            payload: #"{"transactionId":"\#(number)","environment":"Sandbox","signedDate":\#(second)000}"#
        )
    }

    /// The verdict of a verifier without earlier answers.
    func verdict(
        _ mode: RevocationMode, timeout: Duration = .seconds(20)
    ) throws -> Result<VerifiedPayload, PayloadError> {
        try verifier(mode, timeout: timeout).verdict(on: token())
    }

    /// How many requests each server received.
    var requestCounts: [Int] { [leafServer.requests.count, intermediateServer.requests.count] }

    /// Why nothing is known about the leaf, for `soft`, which accepts it, and for `hard`, which does not.
    func unknownLeaf(timeout: Duration = .seconds(20)) throws -> RevocationUnknown? {
        let passed = try verdict(.soft, timeout: timeout).get()
        let refused = try #require(verdict(.hard, timeout: timeout).error)
        #expect(refused.code == .revocationUnknown && refused.check == .revocation)
        #expect(refused.isRetryable && refused.storeKitCase == nil)
        #expect(passed.revocation.map(\.position) == [.leaf, .intermediate])
        guard case .revocation(let error) = refused.cause, case .unknown(let why) = error.violation,
            case .unknown(let other) = passed.revocation.first?.status
        else {
            Issue.record("\(refused)")
            return nil
        }
        #expect(error.position == .leaf)
        #expect(why.detail == other.detail, "\(why); \(other)")
        #expect(refused.message.contains("Receipt Signing") && refused.message.hasSuffix("\(why)"))
        return why
    }
}

extension SignedPayloadVerifier {
    func verdict(on token: String) -> Result<VerifiedPayload, PayloadError> {
        Result { () throws(PayloadError) in try verify(token) }
    }
}

extension Result where Failure == PayloadError {
    /// The error; `nil` for a success.
    var error: PayloadError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// Waits until work in the background has an effect.
func eventually(_ condition: () throws -> Bool) async throws {
    for _ in 0..<3_000 {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("it did not happen within half a minute")
}
