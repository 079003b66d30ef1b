import Foundation
import Minting
import OCSPResponders
import SignedPayloads
import TestMinting
import Testing

/// Answers that cannot be used, and how long the other answers are valid.
@Suite(.ownThreads) struct AnswerTests {
    @Test func `bytes that are not an answer are refused`() throws {
        let scene = try RevocationScene()
        let good = try OpenSSLResponder.answer(about: scene.leaf, scene.leafFiles())
        scene.leafServer.behaviour = .reply(good)
        #expect(throws: Never.self) { try scene.verdict(.hard).get() }
        let bodies: [[UInt8]] = [
            [], [0x30], Array("<html>Log in to the network</html>".utf8), Array(good.dropLast()),
            good + [0],
            good + good, [0x30, 0x80, 0, 0], Array(repeating: 0x30, count: 60_000),
            // A successful response without content (RFC 6960, section 4.2.1).
            [0x30, 0x03, 0x0a, 0x01, 0x00],
        ]
        for body in bodies {
            scene.leafServer.behaviour = .reply(body)
            #expect(try scene.unknownLeaf()?.detail == "responseMalformed", "\(body.count) bytes")
        }
        for status in [
            (1, "malformedRequest"), (2, "internalError"), (3, "tryLater"), (6, "unauthorized"),
        ] {
            scene.leafServer.behaviour = .reply([0x30, 0x03, 0x0a, 0x01, UInt8(status.0)])
            #expect(try scene.unknownLeaf() == .unsuccessful(status.1))
        }
    }

    @Test func `an HTTP response without an OCSP answer is refused`() throws {
        let scene = try RevocationScene()
        let elsewhere = try ScriptedServer(
            .reply(try OpenSSLResponder.answer(about: scene.leaf, scene.leafFiles())))
        let behaviours: [(ScriptedServer.Behaviour, String)] = [
            (.reply([], status: 500), "500"), (.reply([], status: 404), "404"),
            (.reply([], status: 302, headers: "Location: \(elsewhere.url)\r\n"), "302"),
            (.bytes(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), "http"), (.close, "http"),
            (.reply([UInt8](repeating: 0, count: 70_000)), "http"),
        ]
        for (behaviour, text) in behaviours {
            scene.leafServer.behaviour = behaviour
            let why = try #require(try scene.unknownLeaf())
            #expect(why.detail == "responderUnreachable")
            #expect("\(why)".contains(text) && "\(why)".contains(scene.leafServer.url))
        }
        #expect(elsewhere.requests.isEmpty, "no redirection is followed")
    }

    @Test func `a slow, silent or dripping responder is waited for until the timeout`()
        throws
    {
        let scene = try RevocationScene()
        let answer = try OpenSSLResponder.answer(about: scene.leaf, scene.leafFiles())
        for behaviour in [ScriptedServer.Behaviour.silence, .drip(answer, interval: 50)] {
            scene.leafServer.behaviour = behaviour
            let verifier = try scene.verifier(.hard, timeout: .seconds(1))
            let start = ContinuousClock.now
            let error = try #require(verifier.verdict(on: scene.token()).error)
            #expect(error.detail == "responderTimeout" && error.isRetryable)
            #expect(error.message.hasSuffix("the responder gave no answer within 1000 ms"))
            // This is not a limit on speed: a dripping answer would take a minute.
            #expect(start.duration(to: .now) < .seconds(20))
            // The whole batch waits only once.
            let again = ContinuousClock.now
            for number in 0..<50 { _ = verifier.verdict(on: try scene.token(number)) }
            #expect(again.duration(to: .now) < .seconds(10))
            #expect(scene.requestCounts[1] > 0)
        }
        scene.leafServer.behaviour = .forward(try scene.start(scene.leafFiles()).port, delay: 500)
        #expect(throws: Never.self) { try scene.verdict(.hard).get() }
    }

    @Test func `a dead responder, or a certificate that names none, gives no answer`() throws {
        let scene = try RevocationScene()
        let dead = "http://127.0.0.1:\(try Sockets.deadPort())/"
        let names: [(String?, String)] = [
            (dead, "responderUnreachable"), (nil, "noResponder"), ("ftp://127.0.0.1/", "noResponder"),
            ("ldap:///cn=x", "noResponder"), ("http:", "responderUnreachable"),
            ("http://[::1", "responderUnreachable"), ("http://127.0.0.1:99999/", "responderUnreachable"),
            ("http://responder.invalid/", "responderUnreachable"),
            ("https://127.0.0.1/", "responderUnreachable"), ("http://a@127.0.0.1/", "responderUnreachable"),
            ("http://127.0.0.1/ HTTP/1.1", "responderUnreachable"),
            ("http://127.0.0.1/" + String(repeating: "a", count: 256), "noResponder"),
        ]
        for (name, detail) in names {
            let pki = scene.pki.naming(
                leafResponder: name, intermediateResponder: scene.intermediateServer.url)
            let token = try pki.minter().token(payload: #"{"signedDate":1760000000000}"#)
            #expect(throws: Never.self) { try scene.verifier(.soft).verify(token) }
            let error = try scene.verifier(.hard).verdict(on: token).error
            #expect(error?.code == .revocationUnknown && error?.detail == detail, "\(name ?? "-")")
        }
    }

    @Test func `an answer to another request is refused`() throws {
        let scene = try RevocationScene()
        #expect(throws: Never.self) { try scene.verdict(.hard).get() }
        let request = try #require(scene.leafServer.requests.first)
        let files = try scene.leafFiles()
        scene.leafServer.behaviour = .reply(try OpenSSLResponder.answer(to: request, files))
        #expect(try scene.unknownLeaf() == .nonceMismatch)
        let other = try OpenSSLResponder.answer(about: scene.pki.leaves[0], files)
        scene.leafServer.behaviour = .reply(other)
        #expect(try scene.unknownLeaf() == .otherCertificate)
        // The serial number is the leaf's, but the issuer is a different one.
        let root = try OCSPResponderFiles(
            issuer: scene.pki.root, signer: TestPKI.responder(of: scene.pki.root),
            certificates: [(scene.leaf, .good)])
        scene.leafServer.behaviour = .reply(try OpenSSLResponder.answer(about: scene.leaf, root))
        #expect(try scene.unknownLeaf()?.detail == "responseUntrusted")
    }

    @Test func `an answer without a nonce counts within its times, give or take five minutes`() throws {
        let scene = try RevocationScene()
        let answer = try OpenSSLResponder.answer(about: scene.leaf, scene.leafFiles(), life: .minutes(30))
        scene.leafServer.behaviour = .reply(answer)
        for (offset, isCurrent) in [
            (0, true), (1_800 + 240, true), (1_800 + 360, false), (-240, true), (-360, false),
        ] {
            scene.advance(by: Int64(offset))
            if isCurrent {
                let finding = try scene.verdict(.hard).get().revocation.first
                #expect(finding.map { "\($0)".hasPrefix("leaf: good until") } ?? false, "\(offset)")
            } else {
                let why = try scene.unknownLeaf()
                #expect(why?.detail == "responseNotCurrent")
                let isEarly = if case .notYetValid? = why { true } else { false }
                #expect(isEarly == (offset < 0))
            }
            scene.advance(by: -Int64(offset))
        }
    }

    @Test func `an answer without nextUpdate is kept for minutes, and must be fresh`() throws {
        let scene = try RevocationScene()
        let answer = try OpenSSLResponder.answer(about: scene.leaf, scene.leafFiles(), life: .unsaid)
        scene.leafServer.behaviour = .reply(answer)
        scene.advance(by: 500)
        let verifier = try scene.verifier(.hard)
        let finding = try verifier.verify(scene.token()).revocation.first
        #expect(finding.map { "\($0)".hasPrefix("leaf: good, signed by") } ?? false)
        #expect(scene.leafServer.requests.count == 1)
        scene.advance(by: 200)
        guard case .stale? = try scene.unknownLeaf() else { throw ResponderError.noSocket }
        // A nonce proves that it is fresh, even if the responder's clock is wrong.
        try scene.answerForLeaf(.good, life: .unsaid)
        #expect(throws: Never.self) { try scene.verdict(.hard).get() }
    }
}
