import CommandProcesses
import Foundation
import Minting
import TestMinting
import Testing

/// Correct and wrong ways to call the command.
@Suite struct UsageTests {
    @Test(
        "nonsense is a usage error, with nothing on standard output",
        arguments: [
            ["--nonsense"], ["--jobs", "0"], ["--jobs", "many"], ["--output", "xml"],
            ["--environment", "Moon"],
            ["--device-id", "7"], ["--effective-date", "yesterday"],
            ["--effective-date", "2025-13-01T00:00:00Z"], ["--effective-date", "2025-02-30"],
            ["--effective-date", "2025-01-01T25:00:00Z"], ["--effective-date", "2025-01-01T10:00:00"],
            ["--effective-date", "2025-01-01T10:00:00Zjunk"],
            ["--effective-date", "2025-01-01T10:00:00+99:00"],
            ["--app-apple-id", "x"], ["--max-token-bytes", "0"], ["--max-token-bytes", "-1"], ["--root"],
            ["inspect", "a", "b"], ["device-hash"], ["device-hash", "--nonce", "x", "--device-id", "y"],
        ])
    func refusesNonsense(arguments: [String]) throws {
        let run = try CommandProcess(arguments)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.contains("Usage:") || run.diagnostics.contains("Error:"))
    }

    #if !Service
        @Test func `a build without the service says how to get one`() throws {
            let run = try CommandProcess(["serve"])
            #expect(run.status == 64)
            #expect(run.diagnostics.contains("swift build -c release --traits Service"))
        }
    #endif

    @Test func `any number of jobs will do`() throws {
        for jobs in ["1", "3", "9223372036854775807"] {
            let run = try CommandProcess(["--jobs", jobs], input: Array("x\ny\nz\n".utf8))
            #expect(run.status == 1)
            #expect(try run.verdicts().count == 3)
        }
    }

    @Test func `help and version go to standard output and succeed`() throws {
        for arguments in [
            ["--help"], ["verify", "--help"], ["receipt", "--help"], ["inspect", "--help"],
            ["device-hash", "--help"],
        ] {
            let run = try CommandProcess(arguments)
            #expect(run.status == 0)
            #expect(run.text.contains("USAGE: storekit-verify"))
        }
        let version = try CommandProcess(["--version"])
        #expect(version.status == 0)
        #expect(version.text.contains(/^\d+\.\d+\.\d+\n$/))
    }

    @Test func `a root that cannot be read or is no certificate stops the command before anything is judged`()
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let missing = try CommandProcess(
            ["--root", folder.url.appending(path: "missing").path], input: [0x61])
        #expect(missing.status == 66)
        #expect(missing.output.isEmpty)
        let other = try folder.file("other", Array("hello".utf8)).path
        let wrong = try CommandProcess(["--root", other], input: [0x61])
        #expect(wrong.status == 64)
        #expect(wrong.output.isEmpty)
        #expect(wrong.diagnostics.contains("no certificate"))
    }

    @Test func `roots may be DER or PEM, several in a file and several files, and replace the default`()
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let roots = [try TestPKI.p256().root.der(), try TestPKI.standard().root.der()]
        let both = try folder.file(
            "both.pem", Array(roots.map { Base64.pem("CERTIFICATE", $0) }.joined().utf8)
        ).path
        let one = try folder.file("one.der", roots[0]).path
        let payload = #"{"signedDate":1760000000000}"#
        let input = try [TestPKI.p256(), .standard()].map { try $0.minter().token(payload: payload) }
        let bytes = Array(input.joined(separator: "\n").utf8)
        #expect(
            try CommandProcess(["--root", both], input: bytes).verdicts().map(\.verified) == [true, true])
        #expect(
            try CommandProcess(["--root", one], input: bytes).verdicts().map(\.verified) == [true, false])
        #expect(try CommandProcess([], input: bytes).verdicts().map(\.verified) == [false, false])
    }

    @Test func `device-hash prints what openssl computes`() throws {
        let arguments = [
            "device-hash", "--nonce", "7EDEA87D-98F0-42D0-9682-49CA81022F73", "--device-id",
            "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
        ]
        let run = try CommandProcess(arguments)
        #expect(run.status == 0)
        #expect(run.text == "8R9O2P3ME4KudcpU9mIRUODoK4X3TK/CdP/7+DdMsE5f63+WAUM+MjN7H8KsbRPF\n")
        #expect(try CommandProcess(shell: "\"$0\" \"$@\" >/dev/full", arguments).status == 74)
    }
}
