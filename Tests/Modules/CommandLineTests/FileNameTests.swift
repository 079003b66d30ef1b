import CommandProcesses
import Foundation
import Testing

/// Names of files that are not UTF-8, and hidden characters in names and messages.
@Suite struct FileNameTests {
    /// The name `bad`, the byte FF, `.jws`, as the shell's printf writes it.
    private static let name = #"bad\377.jws"#

    /// Runs the command in a folder with two files. `bad` FF `.jws` is not valid; `$f` is its name. The other
    /// file is good, and its name has U+FFFD in place of that byte.
    private func run(_ command: String) throws -> CommandProcess {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let good = CommandProcess.vectors.appending(path: "valid/transactions.jws")
        try FileManager.default.copyItem(at: good, to: folder.url.appending(path: "bad\u{fffd}.jws"))
        return try CommandProcess(
            shell: "cd '\(folder.url.path)'; f=$(printf '\(Self.name)'); echo x > \"$f\"; \(command)",
            CommandProcess.root)
    }

    @Test(
        "a name that is not UTF-8 opens that file and no other",
        arguments: [
            #""$0" "$@" "$f""#, #""$0" verify "$@" -- "$f""#, #""$0" receipt "$@" "$f""#,
            #""$0" inspect "$@" "$f""#, #""$0" entitlements "$@" "$f""#,
        ])
    func opensItsOwnFile(command: String) throws {
        #expect(try run(command).status == 1)
    }

    @Test func `a root whose name is not UTF-8 is read from that file`() throws {
        for option in [#"--root "$f""#, #"--root="$f""#] {
            let run = try run(#""$0" \#(option) bad*.jws"#)
            #expect(run.status == 64)
            #expect(run.diagnostics.contains(#"--root bad\xff.jws: no certificate"#))
        }
    }

    @Test func `different names are written differently`() throws {
        let names = [#"a\377"#, #"a\\377"#, #"a\\xff"#, #"a\357\277\275"#, #"a\\x5cxff"#]
        var written: Set<String> = []
        for name in names {
            let run = try run(#"g=$(printf '\#(name)'); echo x > "$g"; "$0" "$@" "$f" "$g""#)
            let file = try #require(try run.verdicts().last?.file)
            #expect(written.insert(file).inserted)
        }
        #expect(written.contains(#"a\xff"#))
        #expect(written.contains("a\u{fffd}"))
    }

    @Test func `a bundle identifier that is not UTF-8 is a usage error`() throws {
        #expect(try run(#""$0" "$@" --bundle-id "$f""#).status == 64)
    }

    /// One of each kind: C0, DEL, C1, line and paragraph separators, bidirectional and zero-width characters.
    private static let hidden: [UInt32] = [
        0x01, 0x1b, 0x7f, 0x85, 0x9b, 0x61c, 0x200b, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x2060, 0x2066,
        0x2069, 0xfeff,
    ]

    @Test(arguments: hidden)
    func `a hidden character in a name is escaped in file and on standard error`(code: UInt32) throws {
        let character = try #require(UnicodeScalar(code))
        let escape =
            #"\u"# + String(repeating: "0", count: 4 - String(code, radix: 16).count)
            + String(code, radix: 16)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = try folder.file("a\(character)b", [0x78]).path
        let verdicts = try CommandProcess([path, path])
        #expect(verdicts.text.contains(#"a\#(escape)b",""#))
        #expect(!verdicts.text.unicodeScalars.contains(character))
        #expect(try verdicts.verdicts().first?.file == path)

        for arguments in [
            [path + "missing"], ["--root", path + "missing"], ["--bogus-\(character)b"],
            ["--jobs", "\(character)b"], ["--output", "payload", path, path],
        ] {
            let run = try CommandProcess(arguments)
            #expect(run.diagnostics.contains("\(escape)b"))
            #expect(!run.diagnostics.unicodeScalars.contains(character))
        }
    }

    @Test func `a line break in an argument begins no line on standard error`() throws {
        let run = try CommandProcess(["--bogus\nstorekit-verify: all verified"])
        #expect(run.status == 64)
        #expect(run.diagnostics.hasPrefix(#"Error: Unknown option '--bogus\u000astorekit-verify"#))
    }

    @Test(arguments: hidden)
    func `a hidden character in a message that quotes a payload is escaped`(code: UInt32) throws {
        let character = try #require(UnicodeScalar(code))
        let algorithm =
            #"\u"# + String(repeating: "0", count: 4 - String(code, radix: 16).count)
            + String(code, radix: 16)
        let header = Data(#"{"alg":"\#(algorithm)"}"#.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let line = Array("\(header).e30.AA".utf8)
        let verdicts = try CommandProcess([], input: line)
        #expect(!verdicts.text.unicodeScalars.dropLast().contains(character))
        #expect(try verdicts.verdicts().first?.message?.unicodeScalars.contains(character) == true)
        for arguments in [["inspect", "--json"], ["inspect"]] {
            let run = try CommandProcess(arguments, input: line)
            #expect(run.text.contains(algorithm))
            #expect(!run.text.unicodeScalars.contains(character))
        }
    }
}
