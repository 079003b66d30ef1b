import CommandProcesses
import Foundation
import Minting
import OCSPResponders
import TestMinting
import Testing

/// `--revocation`, with the real command and a real responder.
@Suite struct RevocationCommandTests {
    /// Two of OpenSSL's responders, and tokens whose certificates name them.
    private final class Scene: Sendable {
        let intermediate: OpenSSLResponder
        let leaf: OpenSSLResponder
        let pki: TestPKI

        init(leaf status: OCSPResponderFiles.Status = .good) throws {
            let standard = try TestPKI.p256()
            intermediate = try OpenSSLResponder(
                OCSPResponderFiles(
                    issuer: standard.root, signer: TestPKI.responder(of: standard.root),
                    certificates: [(standard.intermediate, .good)]))
            leaf = try OpenSSLResponder(
                OCSPResponderFiles(
                    issuer: standard.intermediate, signer: TestPKI.responder(of: standard.intermediate),
                    certificates: [(standard.leaves[2], status)]))
            pki = standard.naming(leafResponder: leaf.url, intermediateResponder: intermediate.url)
        }

        deinit {
            leaf.stop()
            intermediate.stop()
        }

        func input(_ count: Int) throws -> [UInt8] {
            let minter = try pki.minter()
            return try (0..<count).flatMap { number in
                let payload =
                    #"{"transactionId":"\#(number)","environment":"Sandbox","signedDate":1760000000000}"#
                return Array(try minter.token(payload: payload).utf8) + [0x0a]
            }
        }

        func run(
            _ arguments: [String], input: [UInt8], file: StaticString = #filePath
        ) throws -> CommandProcess {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let root = try folder.file("root.der", pki.root.der())
            return try CommandProcess(arguments + ["--root", root.path], input: input)
        }
    }

    @Test func `good certificates pass, by every engine and with an audit`() throws {
        let scene = try Scene()
        let input = try scene.input(700)
        let off = try scene.run(["--jobs", "2"], input: input)
        #expect(off.status == 0)
        for options in [
            [], ["--audit"], ["--engine", "portable"], ["--engine", "libcrypto"], ["--jobs", "1"],
        ] {
            let hard = try scene.run(["--revocation", "hard"] + options, input: input)
            #expect(
                hard.status == 0 && hard.output == off.output && hard.diagnostics.isEmpty, "\(options)")
        }
    }

    @Test func `a revoked certificate's tokens are refused, with both dates`() throws {
        let scene = try Scene(leaf: .revoked(CertificateTime(2025, 9, 20), reason: "superseded"))
        let input = try scene.input(3)
        #expect(try scene.run([], input: input).status == 0)
        for mode in ["soft", "hard"] {
            let run = try scene.run(["--revocation", mode, "--audit"], input: input)
            #expect(run.status == 1)
            let verdicts = try run.verdicts()
            #expect(verdicts.count == 3)
            for verdict in verdicts {
                #expect(!verdict.verified && verdict.error == "revokedCertificate")
                #expect(verdict.detail == "superseded" && verdict.retryable == nil)
                #expect(
                    verdict.message?.hasSuffix(
                        "was revoked at 2025-09-20T00:00:00Z (superseded), and the effective date is "
                            + "2025-10-09T08:53:20Z") ?? false)
            }
        }
    }

    @Test func `without an answer, soft accepts a token and hard fails with a retryable error`() throws {
        let scene = try Scene()
        scene.leaf.stop()
        let input = try scene.input(100)
        let off = try scene.run([], input: input)
        let soft = try scene.run(["--revocation", "soft", "--audit"], input: input)
        #expect(soft.status == 0 && soft.output == off.output)
        let hard = try scene.run(["--revocation", "hard", "--audit"], input: input)
        #expect(hard.status == 1)
        for verdict in try hard.verdicts() {
            #expect(verdict.error == "revocationUnknown" && verdict.retryable == true)
            #expect(verdict.detail == "responderUnreachable")
        }
    }

    @Test func `inspect shows the answers, and receipts and entitlements ask responders too`() throws {
        let scene = try Scene()
        let input = try scene.input(1)
        let off = try scene.run(["inspect"], input: input)
        #expect(off.text.contains("– revocation            off: no revocation service was asked"))
        let hard = try scene.run(["inspect", "--revocation", "hard"], input: input)
        #expect(hard.status == 0)
        // The finding is longer than one line, so the test compares its words up to the next check.
        let words = hard.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let finding = try #require(words.firstMatch(of: /✓ revocation (.*?) – identity/)).1
        for part in ["leaf: good until", "intermediate: good until", "signed by \"", "OCSP Responder"] {
            #expect(finding.contains(part), "\(part)")
        }
        scene.leaf.stop()
        let failed = try scene.run(["inspect", "--revocation", "hard", "--json"], input: input)
        #expect(failed.status == 1 && failed.text.contains(#""retryable":true"#))
        let entitlements = try scene.run(["entitlements", "--revocation", "hard"], input: input)
        #expect(entitlements.status == 1 && entitlements.diagnostics.contains("revocationUnknown"))
    }

    @Test func `a receipt whose responders do not answer passes soft, and fails hard`() throws {
        var pki = try ReceiptPKI.standard()
        let dead = "http://127.0.0.1:\(try Sockets.deadPort())/"
        pki.leaf.template.setResponder(dead)
        pki.intermediate.template.setResponder(dead)
        let receipt = try pki.minter().receipt(ReceiptContent(.init(), purchases: []))
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let root = try folder.file("root.der", pki.root.der()).path
        let input = Array(receipt.utf8)
        #expect(try CommandProcess(["receipt", "--root", root], input: input).status == 0)
        let soft = try CommandProcess(["receipt", "--root", root, "--revocation", "soft"], input: input)
        #expect(soft.status == 0)
        let hard = try CommandProcess(["receipt", "--root", root, "--revocation", "hard"], input: input)
        #expect(hard.status == 1 && hard.text.contains(#""error":"revocationUnknown""#))
        let answer = try CommandProcess(
            ["receipt", "--root", root, "--revocation", "hard", "--receipt-json"], input: input)
        #expect(answer.text == "{\"status\":21005}\n")
        let line = try CommandProcess(["--root", root, "--revocation", "hard"], input: input)
        #expect(try line.verdicts().map(\.error) == ["revocationUnknown"])
    }

    @Test func `an unknown mode is refused`() throws {
        let run = try CommandProcess(["--revocation", "maybe"])
        #expect(run.status == 64 && run.diagnostics.contains("'off', 'soft'"))
    }
}
