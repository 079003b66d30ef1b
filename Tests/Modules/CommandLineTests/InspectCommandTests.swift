import CommandProcesses
import Foundation
import Minting
import Testing

/// `storekit-verify inspect` on payloads.
@Suite struct InspectCommandTests {
    private let good: String

    init() throws {
        good = try TestPKI.standard().minter().token(
            payload:
                #"{"transactionId":"1","environment":"Sandbox","purchaseDate":1759999999999.5,"signedDate":1760000000000}"#
        )
    }

    @Test func `a verified payload is laid out with chain, dates, checks and payload`() throws {
        let run = try CommandProcess(["inspect"] + CommandProcess.root + [good])
        #expect(run.status == 0)
        #expect(run.diagnostics.isEmpty)
        for expected in [
            "✓ verified      transaction", "2025-10-09T08:53:19.999Z  1759999999999.5",
            "2025-10-09T08:53:20.000Z  1760000000000", "✓ signature", "– revocation",
            "\"transactionId\": \"1\"", "1759999999999.5,  // 2025-10-09T08:53:19.999Z",
            "SHA-256", "serial", "valid from",
        ] {
            #expect(run.text.contains(expected), "\(expected)")
        }
        #expect(!run.text.contains("UNVERIFIED"))
        #expect(!run.text.contains("\u{1b}"), "no colour where the output is no terminal")
    }

    @Test func `any line of an archive can be laid out, by the number that verify gives it`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let expected = try CommandProcess(["inspect"] + CommandProcess.root + [good]).output
        let others = [String](repeating: "no token", count: 2_000)
        let content = others + ["", good, String(repeating: "a", count: 40_000), "last"]
        let archive = Array(content.joined(separator: "\n").utf8)
        let file = try folder.file("archive.jws", archive).path
        func run(_ line: String, _ options: [String] = [], input: [UInt8] = []) throws -> CommandProcess {
            try CommandProcess(["inspect", "--line", line] + options + CommandProcess.root, input: input)
        }
        for input in [[file], ["-"]] {
            let run = try run("2002", input, input: archive)
            #expect(run.output == expected && run.status == 0 && run.diagnostics.isEmpty)
        }
        #expect(try run("2004", [file]).text.contains("UNVERIFIED"))
        for (line, message) in [
            ("2001", "line 2001 is empty"), ("2005", "line 2005 does not exist: the input has 2004 lines"),
        ] {
            let run = try run(line, [file])
            #expect(run.status == 64 && run.output.isEmpty && run.diagnostics.contains(message))
        }
        let long = try run("2003", [file, "--max-token-bytes", "30000"])
        #expect(long.status == 64 && long.diagnostics.contains("40000 bytes long, and the limit is 30000"))
        #expect(try run("0", [file]).status == 64)
        #expect(try run("1", [good]).status == 64)
        #expect(try run("1", [folder.url.path + "/none"]).status == 66)
    }

    @Test func `the payload may be an argument, a file, standard input, or inside a JSON object`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let expected = try CommandProcess(["inspect"] + CommandProcess.root + [good]).output
        let file = try folder.file("token.jws", Array("\n\(good)\r\n".utf8)).path
        #expect(try CommandProcess(["inspect", file] + CommandProcess.root).output == expected)
        #expect(
            try CommandProcess(["inspect", "-"] + CommandProcess.root, input: Array(good.utf8)).output
                == expected)
        #expect(
            try CommandProcess(["inspect"] + CommandProcess.root, input: Array(good.utf8)).output == expected)
        let object = "{\"signedPayload\":\"\(good)\"}"
        #expect(try CommandProcess(["inspect", object] + CommandProcess.root).output == expected)
    }

    @Test func `an unverified payload is shown and clearly labelled`() throws {
        let run = try CommandProcess(["inspect", good])
        #expect(run.status == 1)
        #expect(run.text.contains("✗ NOT VERIFIED"))
        #expect(run.text.contains("Payload — UNVERIFIED"))
        #expect(run.text.contains("\"transactionId\": \"1\""))
        #expect(run.text.contains("✗ certificate chain"))
        #expect(run.text.contains("not reached"))
    }

    @Test func `--json is one object, in which only a verified payload is called payload`() throws {
        struct Inspection: Decodable {
            struct Check: Decodable { let check, outcome, reason: String }
            struct Payload: Decodable { let transactionId: String }
            let verified: Bool
            let type: String?
            let error: String?
            let payload: Payload?
            let unverifiedPayload: Payload?
            let checks: [Check]
        }
        let verified = try CommandProcess(["inspect", "--json", good] + CommandProcess.root)
        let object = try JSONDecoder().decode(Inspection.self, from: Data(verified.output))
        #expect(object.verified && object.payload?.transactionId == "1" && object.unverifiedPayload == nil)
        #expect(object.checks.count == 11)
        let unverified = try CommandProcess(["inspect", "--json", good])
        let other = try JSONDecoder().decode(Inspection.self, from: Data(unverified.output))
        #expect(!other.verified && other.payload == nil && other.unverifiedPayload?.transactionId == "1")
        #expect(other.error == "invalidCertificateChain")
        #expect(unverified.status == 1)
    }

    @Test(
        "garbage is inspected too",
        arguments: [
            "x", "a.b.c", "{", "{\"a\":1}", "..", "\u{1b}[31mred",
            "eyJhbGciOiJFUzI1NiJ9.eyJhIjoiXHUwMDFiIn0.AA",
        ])
    func survivesGarbage(text: String) throws {
        for arguments in [["inspect"], ["inspect", "--json"]] {
            let run = try CommandProcess(arguments, input: Array(text.utf8))
            #expect(run.status == 1)
            #expect(run.text.contains("invalidEncoding"))
            #expect(!run.text.contains("\u{1b}"), "nothing of the input reaches a terminal as a control")
        }
    }

    @Test func `control characters and text direction overrides in a payload are shown escaped`() throws {
        let token = try TestPKI.standard().minter().token(
            payload: "{\"a\u{202e}b\":\"\u{9b}31m\u{7f}\u{2066}é\",\"signedDate\":1760000000000}")
        let run = try CommandProcess(["inspect", token] + CommandProcess.root)
        #expect(run.text.contains("\"a\\u202eb\": \"\\u009b31m\\u007f\\u2066é\""))
    }

    @Test func `a missing file gives status 66, and an input without a payload is reported`() throws {
        #expect(try CommandProcess(["inspect", "/nonexistent/file"]).status == 66)
        let empty = try CommandProcess(["inspect"])
        #expect(empty.status == 64)
        #expect(empty.diagnostics.contains("no payload"))
    }

    @Test func `colour is for terminals, and NO_COLOR is honoured`() throws {
        let token = good
        let shell = "script -qec \"'$0' inspect $1 $2 $3\" /dev/null"
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else {
            Issue.record("script(1) is not installed")
            return
        }
        let coloured = try CommandProcess(
            shell: shell, CommandProcess.root + [token], environment: ["NO_COLOR": "", "TERM": "xterm"])
        #expect(coloured.text.contains("\u{1b}[32m✓"))
        let plain = try CommandProcess(
            shell: shell, CommandProcess.root + [token], environment: ["NO_COLOR": "1", "TERM": "xterm"])
        #expect(plain.text.contains("✓ verified"))
        #expect(!plain.text.contains("\u{1b}["))
    }
}

/// `storekit-verify inspect` on app receipts.
@Suite struct InspectReceiptTests {
    private let receipt: [UInt8]

    init() throws { receipt = try ReceiptCommandTests.vector("valid/receipts.b64", line: 1) }

    @Test func `a receipt is laid out with its signed data, chain, dates, checks and content`() throws {
        let run = try CommandProcess(["inspect"] + ReceiptCommandTests.root, input: receipt)
        #expect(run.status == 0 && run.diagnostics.isEmpty)
        for expected in [
            "✓ verified      receipt", "Signed data (PKCS #7)",
            "signature     256 bytes, RSA, with SHA-256", "leaf          O=Storekit Verify",
            "intermediate  ", "root  ", "receiptCreationDate   2025-12-06T05:46:40.000Z",
            "\"purchaseDate\": ", "✓ signature", "– revocation", "receipt creation date,",
            "a set of attributes, 1 purchase", "\"bundleId\": \"com.example.garden\"",
        ] {
            #expect(run.text.contains(expected), "\(expected)")
        }
        #expect(!run.text.contains("UNVERIFIED") && !run.text.contains("payloads inside"))
    }

    @Test func `the receipt may be an argument, DER, in lines, or the first of several`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let expected = try CommandProcess(["inspect"] + ReceiptCommandTests.root, input: receipt).text
        func content(_ text: String) -> Substring {
            text[(text.range(of: "Content")?.lowerBound ?? text.endIndex)...]
        }
        let data = try #require(Data(base64Encoded: Data(receipt)))
        let wrapped = data.base64EncodedString(options: .lineLength64Characters)
        let several = receipt + [0x0a] + (try ReceiptCommandTests.vector("valid/receipts.b64", line: 2))
        for input in [[UInt8](data), Array(wrapped.utf8), several, Array("\r\n".utf8) + receipt] {
            let path = try folder.file("receipt", input).path
            let run = try CommandProcess(["inspect", path] + ReceiptCommandTests.root)
            #expect(run.status == 0 && content(run.text) == content(expected))
        }
        let argument = String(decoding: receipt, as: UTF8.self)
        #expect(try CommandProcess(["inspect", argument] + ReceiptCommandTests.root).text == expected)
    }

    @Test func `an unverified receipt is shown and clearly labelled`() throws {
        let run = try CommandProcess(["inspect"], input: receipt)
        #expect(run.status == 1)
        #expect(run.text.contains("✗ NOT VERIFIED  receipt"))
        #expect(run.text.contains("Content — UNVERIFIED"))
        #expect(run.text.contains("✗ certificate chain"))
        #expect(run.text.contains("not reached"))
    }

    @Test func `requested checks are listed among the checks`() throws {
        let run = try CommandProcess(
            [
                "inspect", "--bundle-id", "com.example.garden", "--environment", "Sandbox", "--device-id",
                "6F1C2B7E-0D3A-4E58-9B64-8A2F5C7D1E90",
            ] + ReceiptCommandTests.root,
            input: try ReceiptCommandTests.vector("valid/receipts-device-id.b64", line: 2))
        #expect(run.text.contains("✓ identity              environment, bundle identifier as asked for"))
        #expect(run.text.contains("✓ device                made for the device asked for"))
    }

    @Test func `--json is one object, in which only verified content is called payload`() throws {
        struct Inspection: Decodable {
            struct SignedData: Decodable { let receiptBytes, contentBytes, signatureBytes: Int }
            struct Payload: Decodable { let bundleId: String }
            struct Certificate: Decodable { let position: String }
            let verified: Bool
            let type: String?
            let signedData: SignedData?
            let certificates: [Certificate]
            let payload, unverifiedPayload: Payload?
        }
        func inspect(_ options: [String], _ input: [UInt8]) throws -> Inspection {
            let run = try CommandProcess(["inspect", "--json"] + options, input: input)
            #expect(run.output.count { $0 == 0x0a } == 1)
            return try JSONDecoder().decode(Inspection.self, from: Data(run.output))
        }
        let verified = try inspect(ReceiptCommandTests.root, receipt)
        #expect(verified.verified && verified.type == "receipt" && verified.payload != nil)
        #expect(verified.unverifiedPayload == nil && verified.signedData?.signatureBytes == 256)
        #expect(verified.certificates.map(\.position) == ["leaf", "intermediate", "root"])
        let unverified = try inspect([], receipt)
        #expect(!unverified.verified && unverified.payload == nil && unverified.unverifiedPayload != nil)
        let broken = try inspect([], Array("MIIB".utf8))
        #expect(!broken.verified && broken.type == nil && broken.signedData == nil)
    }

    @Test func `every invalid receipt is inspected too`() throws {
        let folder = CommandProcess.vectors.appending(path: "invalid")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "b64" }
        #expect(files.count > 20)
        for file in files {
            let line = try Data(contentsOf: file).split(separator: 0x0a).first ?? Data()
            let run = try CommandProcess(["inspect"], input: [UInt8](line))
            #expect(run.status == 1 && run.text.contains("✗ NOT VERIFIED"), "\(file.lastPathComponent)")
        }
    }
}
