import CommandProcesses
import Foundation
import Testing

/// The command's statement about itself, and about the files of a release.
@Suite struct VersionCommandTests {
    /// A statement with these subjects, each a name and a SHA-256.
    private static func statement(_ subjects: [(name: String, sha256: String)]) -> [UInt8] {
        let list = subjects.map { #"{"name":"\#($0.name)","digest":{"sha256":"\#($0.sha256)"}}"# }
        return Array(
            """
            {"_type":"https://in-toto.io/Statement/v1","subject":[\(list.joined(separator: ","))],
            "predicateType":"https://slsa.dev/provenance/v1","predicate":{}}
            """.utf8)
    }

    /// The SHA-256 of a file by another program.
    private static func sha256(_ file: URL) throws -> String {
        let run = try CommandProcess(shell: "openssl dgst -sha256 -r '\(file.path)'", [])
        return String(try #require(run.text.split(separator: " ").first))
    }

    @Test func `it names version, commit, compiler and features, a line each`() throws {
        let run = try CommandProcess(["version"])
        #expect(run.status == 0 && run.diagnostics.isEmpty)
        let form =
            /storekit-verify \d+\.\d+\.\d+\ncommit: .+\ncompiler: Swift 6.+\nfeatures: .*database, .*service\n/
        #expect(run.text.wholeMatch(of: form) != nil, "\(run.text)")
        let version = try CommandProcess(["--version"]).text
        #expect(run.text.hasPrefix("storekit-verify " + version))
        #expect(try CommandProcess(shell: "\"$0\" \"$@\" >/dev/full", ["version"]).status == 74)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func `a file is OK by the digest of all its bytes`(count: Int) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try folder.file("part.deb", content)
        let statement = try folder.file(
            "s.json",
            Self.statement([("other", String(repeating: "0", count: 64)), ("part.deb", Self.sha256(file))]))
        let arguments = ["version", "--verify", statement.path, file.path]
        let run = try CommandProcess(arguments)
        #expect(run.status == 0 && run.text == "\(file.path): OK\n", "\(run.text)\(run.diagnostics)")
        let piped = try CommandProcess(["version", "--verify", statement.path, "-"], input: content)
        #expect(piped.text == "-: OK, the statement calls it part.deb\n")
        content.append(7)
        _ = try folder.file("part.deb", content)
        let spoilt = try CommandProcess(arguments)
        #expect(spoilt.status == 1)
        #expect(spoilt.text.hasPrefix("\(file.path): not the statement's part.deb: the SHA-256 is "))
    }

    @Test func `each file gets its own sentence, and the gravest failure gives the status`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (good, other) = (try folder.file("good", [1]), try folder.file("other", [2]))
        let renamed = try folder.file("renamed", [1])
        let statement = try folder.file(
            "s.json", Self.statement([("lib/good", Self.sha256(good).uppercased())]))
        let verify = ["version", "--verify", statement.path]
        let run = try CommandProcess(verify + [good.path, other.path, renamed.path])
        #expect(run.status == 1)
        let lines = run.text.split(separator: "\n").map { String($0) }
        try #require(lines.count == 3)
        #expect(lines[0] == "\(good.path): OK")
        #expect(
            lines[1].hasPrefix("\(other.path): not in the statement, which has no such name and no SHA-256 "))
        #expect(lines[2] == "\(renamed.path): OK, the statement calls it lib/good")
        let missing = folder.url.appending(path: "missing").path
        let unread = try CommandProcess(verify + [missing, folder.url.path, other.path, good.path])
        #expect(unread.status == 66 && unread.text.split(separator: "\n").count == 2)
        #expect(unread.diagnostics.hasPrefix("storekit-verify: \(missing): No such file or directory\n"))
        #expect(unread.diagnostics.contains("storekit-verify: \(folder.url.path): Is a directory\n"))
    }

    #if os(Linux)
        @Test func `without a file, the program checks itself`() throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let digest = try Self.sha256(CommandProcess.executable)
            let own = try folder.file("own.json", Self.statement([("x86_64/storekit-verify", digest)]))
            let run = try CommandProcess(["version", "--verify", own.path])
            #expect(run.status == 0 && run.text.hasPrefix("this program: OK"), "\(run.text)")
            let zeros = String(repeating: "0", count: 64)
            let other = try folder.file("other.json", Self.statement([("storekit-verify", zeros)]))
            let changed = try CommandProcess(["version", "--verify", other.path])
            #expect(changed.status == 1 && changed.text.contains(digest))
        }
    #endif

    @Test(
        "a file that is not a statement is refused with a sentence, and no file is checked",
        arguments: [
            ("", "it is not JSON"), ("[]", "not an in-toto statement"), ("{}", "not an in-toto statement"),
            (#"{"_type":"https://in-toto.io/Statement/v0.1","subject":[]}"#, "not an in-toto statement"),
            (#"{"_type":7}"#, "not an in-toto statement"),
            (
                #"{"payloadType":"application/vnd.in-toto+json","payload":"","signatures":[]}"#,
                "signed envelope"
            ),
            (#"{"_type":"https://in-toto.io/Statement/v1"}"#, "no subjects"),
            (#"{"_type":"https://in-toto.io/Statement/v1","subject":[]}"#, "no subjects"),
            (#"{"_type":"https://in-toto.io/Statement/v1","subject":{}}"#, "no subjects"),
            (#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"a"}]}"#, "subject 1 lacks"),
            (
                #"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"a","digest":{"sha256":"00"}}]}"#,
                "subject 1 lacks"
            ),
            (#"{"_type":"https://in-toto.io/Statement/v1","_type":"x"}"#, "a second member named"),
        ])
    func refusesOtherStatements(text: String, reason: String) throws {
        let run = try CommandProcess(
            ["version", "--verify", "-", CommandProcess.vectors.path + "/README.md"], input: Array(text.utf8))
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.diagnostics.hasPrefix("storekit-verify: --verify -: "), "\(run.diagnostics)")
        #expect(run.diagnostics.contains(reason), "\(run.diagnostics)")
    }

    @Test func `a digest with another character than hexadecimal digits is refused`() throws {
        for digest in ["+" + String(repeating: "0", count: 63), String(repeating: "é", count: 32)] {
            let run = try CommandProcess(
                ["version", "--verify", "-"], input: Self.statement([("storekit-verify", digest)]))
            #expect(run.status == 64 && run.diagnostics.contains("subject 1 lacks"))
        }
    }

    @Test func `names of the statement cannot hide text from the person who reads`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file("a", [1])
        let name = "\\u001b[2K\\u202e" + String(repeating: "b", count: 500)
        let statement = try folder.file("s.json", Self.statement([(name, Self.sha256(file))]))
        let run = try CommandProcess(["version", "--verify", statement.path, file.path])
        #expect(run.status == 0 && run.text.utf8.count < file.path.utf8.count + 300)
        #expect(run.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202e })
    }

    @Test(
        arguments: [
            ["version", "file"], ["version", "--verify"], ["version", "--verify", "-", "-"],
            ["version", "--audit"],
        ])
    func `arguments that make no sense are a usage error`(arguments: [String]) throws {
        let run = try CommandProcess(arguments)
        #expect(run.status == 64 && run.output.isEmpty)
    }

    @Test func `a statement that cannot be read is named`() throws {
        let run = try CommandProcess(["version", "--verify", "/nonexistent", "/dev/null"])
        #expect(run.status == 66 && run.output.isEmpty)
        #expect(run.diagnostics == "storekit-verify: /nonexistent: No such file or directory\n")
    }
}
