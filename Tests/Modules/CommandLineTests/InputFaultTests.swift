import CommandProcesses
import Foundation
import SeededRandom
import Testing

/// Input that cannot be read, that ends too soon, or that changes while it is read.
@Suite(.serialized) struct InputFaultTests {
    private static let roots = MixedCorpus.roots

    @Test(arguments: ["/nonexistent", "/", "/proc/self/mem"])
    func `an unreadable file is reported by name, and the others are processed`(unreadable: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 500, seed: 4)
        let good = try folder.file("good", corpus.input).path
        for command in ["verify", "entitlements", "receipt"] {
            let without = try CommandProcess([command] + Self.roots + [good, good])
            let run = try CommandProcess(
                [command] + Self.roots + [unreadable, good, unreadable, good, unreadable])
            #expect(run.status == 66, "\(command)")
            #expect(run.output == without.output, "\(command)")
            let said = run.diagnostics.split(separator: "\n").count {
                $0.hasPrefix("storekit-verify: \(unreadable): ")
            }
            #expect(said == 3, "\(command): \(run.diagnostics)")
        }
        for arguments in [
            ["inspect", unreadable], ["--root", unreadable], ["receipt", "--root", unreadable],
        ] {
            let run = try CommandProcess(arguments)
            #expect(run.status == 66 && run.output.isEmpty, "\(arguments)")
            #expect(run.diagnostics.split(separator: "\n").count == 1, "\(arguments)")
        }
    }

    @Test(
        arguments: [
            ("gzip", "gzip -dc 'FILE' | storekit-verify …", [0x1f, 0x8b, 0x08]),
            ("zstd", "zstd -dc 'FILE' | storekit-verify …", [0x28, 0xb5, 0x2f, 0xfd]),
            ("Parquet", "duckdb ", [0x50, 0x41, 0x52, 0x31, 0x15]),
        ] as [(String, String, [UInt8])])
    func `a packed file is refused with the pipe to use, and the others are processed`(
        format: String, pipe: String, beginning: [UInt8]
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 100, seed: 14)
        let content = beginning + (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let good = try folder.file("good", corpus.input).path
        let packed = try folder.file("packed", content).path
        for command in ["verify", "entitlements"] {
            let without = try CommandProcess([command] + Self.roots + [good, good])
            let run = try CommandProcess([command] + Self.roots + [packed, good, packed, good])
            #expect(run.status == 66 && run.output == without.output, "\(command)")
            let said = run.diagnostics.split(separator: "\n").count {
                $0.hasPrefix("storekit-verify: \(packed): ") && $0.contains(format)
                    && $0.contains(pipe.replacing("FILE", with: packed))
            }
            #expect(said == 2, "\(command): \(run.diagnostics)")
            let piped = try CommandProcess([command] + Self.roots, input: content)
            #expect(piped.status == 66 && piped.output.isEmpty, "\(command)")
            #expect(piped.diagnostics.hasPrefix("storekit-verify: standard input: "), "\(command)")
            #expect(piped.diagnostics.contains(pipe), "\(command): \(piped.diagnostics)")
        }
        let line = try CommandProcess(["inspect", "--line", "1", packed])
        #expect(line.status == 66 && line.output.isEmpty && line.diagnostics.contains(format))
    }

    @Test func `closed standard input is an error only for a command that reads it`() throws {
        let corpus = try MixedCorpus(lines: 100, seed: 5)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file("corpus", corpus.input).path
        let shell = "\"$0\" \"$@\" <&-"
        for command in ["verify", "receipt", "entitlements", "inspect"] {
            let run = try CommandProcess(shell: shell, [command] + Self.roots)
            #expect(run.status == 66 && run.output.isEmpty, "\(command)")
            #expect(run.diagnostics == "storekit-verify: standard input: Bad file descriptor\n", "\(command)")
        }
        let run = try CommandProcess(shell: shell, Self.roots + [file])
        #expect(run.status == 1 && run.output == corpus.expected)
    }

    @Test func `a writer that dies in the middle of a line leaves a line that is not verified`() throws {
        let corpus = try MixedCorpus(lines: 400, seed: 6)
        let newline = UInt8(ascii: "\n")
        var random = SplitMix64(seed: 6)
        for _ in 0..<12 {
            let cut = Int(random.next() % UInt64(corpus.input.count))
            let whole = corpus.input[..<cut].count { $0 == newline }
            let isCut = cut > 0 && corpus.input[cut - 1] != newline
            // The writer never closes the pipe itself, because it is killed.
            let shell = "{ cat; kill -9 $(exec sh -c 'echo $PPID'); } | \"$0\" \"$@\""
            let run = try CommandProcess(shell: shell, Self.roots, input: Array(corpus.input[..<cut]))
            var verdicts = run.output.split(separator: newline)[...]
            if isCut, let last = try run.verdicts().last, last.line == whole + 1 {
                verdicts = verdicts.dropLast()
                // The last line may lack only its line break. It is then whole.
                let isWhole = corpus.input[cut] <= 0x20
                #expect(isWhole || !last.verified, "\(cut)")
            } else {
                #expect(!isCut, "the line that was cut has no verdict")
            }
            let text = Array(verdicts.joined(separator: [newline]))
            #expect(corpus.expected.starts(with: text), "\(cut)")
            #expect(verdicts.count == corpus.verdictCount(ofFirst: whole), "\(cut)")
        }
    }

    @Test func `a named pipe is read like a file, until its last writer closes it`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 1_000, seed: 7)
        let pipe = folder.url.appending(path: "pipe").path
        let shell = """
            mkfifo '\(pipe)'
            { head -c 100000; sleep 0.1; cat; } <&3 >'\(pipe)' &
            "$0" "$@" '\(pipe)'
            """
        let run = try CommandProcess(
            shell: "{ \(shell)\n} 3<&0", Self.roots, input: corpus.input)
        #expect(run.status == 1 && run.output == corpus.expected)
    }

    @Test func `verdicts do not wait for a writer that has stopped writing`() throws {
        let corpus = try MixedCorpus(lines: 300, seed: 8)
        let command = try RunningCommand(Self.roots)
        defer { command.end() }
        // The beginning of another line is sent too. The command must not wait for the rest of it.
        try command.send(corpus.input + "eyJhbGciOiJFUzI1NiIs".utf8)
        let found = command.read(corpus.expected.count)
        #expect(found == corpus.expected, "everything that is due, while the pipe stays open")
    }

    @Test(arguments: ["shrinks", "grows"])
    func `a file that changes during reading gets verdicts on the bytes read`(change: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 4_000, seed: 9)
        let later = try MixedCorpus(lines: 50, seed: 10)
        let file = try folder.file("input", corpus.input)
        let command = try RunningCommand(Self.roots + ["--jobs", "2", file.path])
        defer { command.end() }
        // The test does not read the output, so that the command stops in the middle of the file.
        let beginning = command.read(10_000)
        let handle = try FileHandle(forWritingTo: file)
        if change == "shrinks" {
            try handle.truncate(atOffset: 1_000)
        } else {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(later.input))
        }
        try handle.close()
        let output = beginning + command.readToEnd()
        #expect(command.waitForExit() == 1)
        if change == "shrinks" {
            // The last line may differ, because it ends where the file ended at that time.
            let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let whole = Array(lines.dropLast(2).joined(separator: [UInt8(ascii: "\n")]))
            #expect(lines.last == [] && lines.count > 2 && corpus.expected.starts(with: whole))
            #expect(output.count < corpus.expected.count)
        } else {
            #expect(output.starts(with: corpus.expected))
            let rest = output.dropFirst(corpus.expected.count).count { $0 == UInt8(ascii: "\n") }
            #expect(rest == later.verdictCount(ofFirst: later.lines))
        }
    }
}
