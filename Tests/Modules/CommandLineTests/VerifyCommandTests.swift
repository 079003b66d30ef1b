import CommandProcesses
import Foundation
import Minting
import RepositoryFiles
import Testing

/// `storekit-verify [verify]`: lines in, verdicts out.
@Suite struct VerifyCommandTests {
    private let good: String
    private let bad = "not.a.token"

    init() throws {
        good = try TestPKI.standard().minter().token(
            payload: #"{"transactionId":"1","signedDate":1760000000000}"#)
    }

    @Test func `every file of vectors gives its manifest's verdicts, on one core and on several`() throws {
        struct File: Decodable {
            struct Line: Decodable {
                let line: Int
                let verified: Bool
                let type: String?
                let error: String?
                let at: String?
            }
            let file: String
            let roots: [String]
            let options: [String]
            let lines: [Line]
        }
        let manifest = CommandProcess.vectors.appending(path: "manifest.json")
        let files = try JSONDecoder().decode([File].self, from: Data(contentsOf: manifest))
        for file in files {
            let roots = file.roots.flatMap { ["--root", CommandProcess.vectors.appending(path: $0).path] }
            let path = CommandProcess.vectors.appending(path: file.file).path
            let runs = try ["1", "3"].map { jobs in
                try CommandProcess(roots + file.options + ["--jobs", jobs, path])
            }
            #expect(runs[0].output == runs[1].output, "\(file.file)")
            #expect(runs[0].status == (file.lines.allSatisfy(\.verified) ? 0 : 1), "\(file.file)")
            #expect(runs[0].diagnostics.isEmpty)
            let verdicts = try runs[0].verdicts()
            #expect(verdicts.count == file.lines.count)
            for (verdict, line) in zip(verdicts, file.lines) {
                #expect(verdict.line == line.line, "\(file.file)")
                #expect(
                    verdict.verified == line.verified && verdict.type == line.type,
                    "\(file.file):\(line.line)")
                #expect(verdict.error == line.error && verdict.at == line.at, "\(file.file):\(line.line)")
            }
        }
    }

    @Test func `output is the documented object, members in order, payload as signed but on one line`() throws
    {
        let payload = "{\r\n  \"transactionId\" : \"1\",\n\t\"price\": 1.50e1, \"signedDate\":1760000000000}"
        let token = try TestPKI.standard().minter().token(payload: payload)
        let run = try CommandProcess(CommandProcess.root, input: Array("\(token)\n\(bad)".utf8))
        let lines = run.text.split(separator: "\n").map(String.init)
        let first =
            #"{"line":1,"verified":true,"type":"transaction","payload":{  "transactionId" : "1","#
            + "\t" + #""price": 1.50e1, "signedDate":1760000000000}}"#
        #expect(lines.first == first)
        #expect(
            lines.last?.hasPrefix(#"{"line":2,"verified":false,"error":"invalidEncoding","detail":""#)
                ?? false)
        #expect(run.status == 1)
    }

    @Test(
        "line ends may be LF or CRLF, and the last may be missing; empty lines are counted and skipped",
        arguments: ["%\n%", "%\r\n%\r\n", "\n%\n\r\n\n%\n\n", "%\n%\r"])
    func readsLines(form: String) throws {
        let input = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: good)
        let run = try CommandProcess(CommandProcess.root + ["--summary"], input: Array(input.utf8))
        #expect(run.status == 0)
        let expected = form.hasPrefix("\n") ? [2, 5] : [1, 2]
        #expect(try run.verdicts().map(\.line) == expected)
        #expect(run.diagnostics.contains(form.hasPrefix("\n") ? "4 empty" : "0 empty"), "\(run.diagnostics)")
    }

    @Test func `an empty input is verified, with nothing to say`() throws {
        let run = try CommandProcess([])
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.diagnostics.isEmpty)
    }

    @Test func `one bad line never affects another, whatever its bytes`() throws {
        var input: [UInt8] = []
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "\n") {
            input += [byte, byte ^ 0x55 == 0x0a ? 0 : byte ^ 0x55, 0x0a] + Array(good.utf8) + [0x0a]
        }
        let run = try CommandProcess(CommandProcess.root, input: input)
        let verdicts = try run.verdicts()
        #expect(verdicts.count { $0.line % 2 == 0 && $0.verified } == 255)
        #expect(verdicts.count { $0.line % 2 == 1 && !$0.verified } == 255)
        #expect(run.status == 1)
    }

    @Test func `a log's JSON objects are token lines too`() throws {
        let input =
            "{\"signedPayload\":\"\(good)\"}\n{\"signedTransaction\" : \"\(good)\", \"x\":[{}]}\r\n{}\n{\n"
        let run = try CommandProcess(CommandProcess.root, input: Array(input.utf8))
        #expect(try run.verdicts().map(\.verified) == [true, true, false, false])
    }

    @Test func `several files are named, each with its own line numbers, and - is standard input`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let first = try folder.file("a \"b\".jws", Array("\(good)\n\n\(bad)\n".utf8)).path
        let second = try folder.file("second.jws", Array(good.utf8)).path
        let run = try CommandProcess(
            CommandProcess.root + [first, "-", second], input: Array("\(good)\n".utf8))
        let verdicts = try run.verdicts()
        #expect(verdicts.map(\.file) == [first, first, "-", second])
        #expect(verdicts.map(\.line) == [1, 3, 1, 1])
        #expect(verdicts.map(\.verified) == [true, false, true, true])
        let alone = try CommandProcess(CommandProcess.root + [first]).verdicts()
        #expect(alone.allSatisfy { $0.file == nil })
        let named = try CommandProcess(CommandProcess.root + ["--with-filename", first]).verdicts()
        #expect(named.map(\.file) == [first, first])
        let piped = try CommandProcess(CommandProcess.root + ["--with-filename"], input: Array(good.utf8))
        #expect(try piped.verdicts().map(\.file) == [nil])
    }

    @Test func `a file that cannot be read does not affect the others`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file("good.jws", Array(good.utf8)).path
        for missing in [folder.url.appending(path: "missing").path, folder.url.path] {
            let run = try CommandProcess(CommandProcess.root + [missing, file])
            #expect(run.status == 66)
            #expect(try run.verdicts().map(\.verified) == [true])
            #expect(run.diagnostics.hasPrefix("storekit-verify: \(missing): "))
            #expect(run.diagnostics.split(separator: "\n").count == 1)
        }
        #expect(try CommandProcess(shell: "\"$0\" <&-", []).status == 66)
    }

    @Test func `payload output holds verified payloads alone, and failures go to standard error`() throws {
        let input = Array("\(good)\n\(bad)\n\(good)\n".utf8)
        let run = try CommandProcess(CommandProcess.root + ["--output", "payload"], input: input)
        #expect(
            run.text
                == String(repeating: "{\"transactionId\":\"1\",\"signedDate\":1760000000000}\n", count: 2))
        #expect(run.diagnostics.hasPrefix("storekit-verify: line 2: invalidEncoding: "))
        #expect(run.diagnostics.split(separator: "\n").count == 1)
        #expect(run.status == 1)
        let silent = try CommandProcess(CommandProcess.root + ["--output", "none"], input: input)
        #expect(silent.output.isEmpty)
        #expect(silent.diagnostics.isEmpty)
        #expect(silent.status == 1)
    }

    @Test func `options set the accepted identity, device, date and size`() throws {
        let input = Array("\(good)\n".utf8)
        let cases: [(arguments: [String], error: String?)] = [
            (["--bundle-id", "a", "--bundle-id", "b"], "wrongBundleIdentifier"),
            (["--environment", "Sandbox"], "wrongEnvironment"), (["--app-apple-id", "7"], nil),
            (["--device-id", "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"], "invalidDeviceVerification"),
            (["--effective-date", "2010-01-01T00:00:00Z"], "invalidCertificateChain"),
            (["--effective-date", "2025-12-31T23:59:59.5Z"], nil), (["--effective-date", "2025-12-31"], nil),
            (["--effective-date", "2025-12-31T23:59:59+02:00"], nil),
            (["--max-token-bytes", "100"], "tooLarge"),
        ]
        for (arguments, error) in cases {
            let verdicts = try CommandProcess(CommandProcess.root + arguments, input: input).verdicts()
            #expect(verdicts.map(\.error) == [error], "\(arguments)")
        }
    }

    @Test func `text in a payload cannot begin a second line of diagnostics`() throws {
        let payload = #"{"bundleId":"a\nstorekit-verify: line 2: \u009b\u202e","signedDate":1760000000000}"#
        let token = try TestPKI.standard().minter().token(payload: payload)
        let run = try CommandProcess(
            CommandProcess.root + ["--bundle-id", "b", "--output", "payload"], input: Array(token.utf8))
        #expect(run.diagnostics.unicodeScalars.count { $0.value < 0x20 } == 1)
        #expect(run.diagnostics.contains(#"\u000astorekit-verify: line 2: \u009b\u202e"#))
    }

    @Test
    func `output and status are the same whatever the engine and the number of jobs, and an audit agrees`()
        throws
    {
        let folders = ["valid", "invalid"].map { CommandProcess.vectors.appending(path: $0) }
        var files = try folders.flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        files += try PrivateTestData.genuine.files(in: "jws")
        let paths = files.map(\.path).filter { $0.hasSuffix(".jws") }.sorted()
        // Every line comes twice, so that keys are used often.
        for roots in [["root.pem", "p256-root.pem"], []] {
            let options = roots.flatMap {
                ["--root", CommandProcess.vectors.appending(path: "pki/\($0)").path]
            }
            let reference = try CommandProcess(
                options + ["--engine", "libcrypto", "--jobs", "1"] + paths + paths)
            #expect(reference.status == 1)
            for engine in ["auto", "portable", "vector"] {
                for jobs in ["1", "2", "5"] {
                    let arguments = options + ["--engine", engine, "--jobs", jobs] + paths + paths
                    let run = try CommandProcess(arguments)
                    #expect(run.output == reference.output && run.status == 1, "\(engine), \(jobs) jobs")
                }
            }
            let audited = try CommandProcess(options + ["--audit"] + paths + paths)
            #expect(audited.output == reference.output && audited.status == 1)
        }
    }

    @Test func `the summary counts lines and failures by code and detail, on standard error`() throws {
        let run = try CommandProcess(
            CommandProcess.root + ["--summary"], input: Array("\(good)\n\(bad)\n\n{}\n\(good)x\n".utf8))
        #expect(
            run.diagnostics
                == "storekit-verify: 4 lines, 1 verified, 3 not (invalidEncoding 3: base64url 2, envelope 1), 1 empty skipped\n"
        )
    }

    @Test func `progress is shown on request, and removed at the end`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file("many.jws", Array(String(repeating: good + "\n", count: 6_000).utf8)).path
        let shown = try CommandProcess(
            CommandProcess.root + [
                "--progress", "--jobs", "1", "--engine", "libcrypto", "--output", "none", file,
            ])
        #expect(shown.diagnostics.contains("lines"))
        #expect(shown.diagnostics.hasSuffix("\r\u{1b}[K"))
        let hidden = try CommandProcess(CommandProcess.root + ["--no-progress", "--output", "none", file])
        #expect(hidden.diagnostics.isEmpty)
        let unasked = try CommandProcess(CommandProcess.root + ["--output", "none", file])
        #expect(unasked.diagnostics.isEmpty, "standard error is no terminal here")
    }
}
