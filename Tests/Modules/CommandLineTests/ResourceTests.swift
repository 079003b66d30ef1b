import CommandProcesses
import Foundation
import RepositoryFiles
import Testing

/// Machines with few resources, and machines under load.
@Suite(.serialized) struct ResourceTests {
    private static let roots = MixedCorpus.roots

    @Test func `thousands of mixed lines get their verdicts in order, however many cores there are`()
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(
            lines: TestScale.size(small: 2_000, usual: 8_000, large: 20_000), seed: 20)
        let file = try folder.file("corpus", corpus.input).path
        let firstCore = #"$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)"#
        let core = "taskset -c \(firstCore)"
        let shells = [
            "\"$0\" \"$@\"", "\(core) \"$0\" \"$@\"", "\(core) \"$0\" --jobs 8 \"$@\"",
            "\"$0\" --jobs 64 \"$@\"", "\"$0\" --engine libcrypto \"$@\"",
        ]
        for shell in shells {
            let run = try CommandProcess(shell: shell, Self.roots + [file])
            #expect(run.status == 1 && run.output == corpus.expected, "\(shell)")
            #expect(run.diagnostics == "", "\(shell)")
        }
        for jobs in ["1", "2", "8"] {
            let run = try CommandProcess(
                shell: "cat '\(file)' | \"$0\" \"$@\"", Self.roots + ["--jobs", jobs])
            #expect(run.status == 1 && run.output == corpus.expected, "\(jobs)")
        }
    }

    @Test func `two hundred runs at the same time give the same output`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 60, seed: 21)
        let file = try folder.file("corpus", corpus.input).path
        let run = "\"$0\" \"$@\" >'\(folder.url.path)/'$i 2>&1; echo $? >'\(folder.url.path)/'$i.status"
        let shell =
            "seq 200 | xargs -P 200 -I {} env i={} sh -c '\(run.replacing("'", with: ""))' \"$0\" \"$@\""
        let all = try CommandProcess(shell: shell, Self.roots + [file])
        #expect(all.status == 0 && all.output.isEmpty && all.diagnostics == "")
        for number in 1...200 {
            let output = folder.url.appending(path: "\(number)")
            #expect(try [UInt8](Data(contentsOf: output)) == corpus.expected, "\(number)")
            #expect(try String(contentsOf: output.appendingPathExtension("status"), encoding: .utf8) == "1\n")
        }
    }

    @Test func `with little memory the output is right, or its beginning with a failure`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 3_000, seed: 22, longest: 4_000)
        let file = try folder.file("corpus", corpus.input).path
        var complete = 0
        for kilobytes in [
            30_000, 50_000, 60_000, 67_000, 69_000, 80_000, 120_000, 200_000, 400_000, 2_000_000,
        ] {
            // Swift ends the process at once if there is no memory. Lines in a pipe are whole all the same,
            // because they are written in pieces that are never split.
            let shell = """
                { (ulimit -v \(kilobytes); timeout -k 1 60 "$0" "$@"); echo $? >&2; } | cat
                """
            let run = try CommandProcess(
                shell: shell, Self.roots + [file], environment: ["SWIFT_BACKTRACE": "enable=no"])
            let status = run.diagnostics.split(separator: "\n").last.flatMap { Int($0) }
            if status == 1, run.output == corpus.expected {
                complete += 1
            } else {
                #expect(run.output.areWholeLines(of: corpus.expected), "\(kilobytes) kB")
                let isClean = status.map { $0 > 1 && $0 != 124 } ?? false
                #expect(isClean, "\(kilobytes) kB: \(run.diagnostics.suffix(300))")
            }
        }
        #expect(complete > 0)
    }

    @Test func `with few file descriptors the command works, or reports that there are too few`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 300, seed: 23)
        let file = try folder.file("corpus", corpus.input).path
        for command in ["verify", "receipt", "entitlements", "inspect"] {
            let arguments = [command] + Self.roots + [file]
            let usual = try CommandProcess(arguments)
            for descriptors in 4...9 {
                let run = try CommandProcess(shell: "ulimit -n \(descriptors); \"$0\" \"$@\"", arguments)
                if run.status == usual.status {
                    #expect(run.output == usual.output, "\(command), \(descriptors)")
                } else {
                    #expect(descriptors < 6, "standard streams, a pipe and the file are all that it takes")
                    #expect(
                        [66, 71].contains(run.status) && run.output.isEmpty, "\(command), \(descriptors)")
                    #expect(run.diagnostics.hasSuffix(": Too many open files\n"), "\(run.diagnostics)")
                }
            }
        }
    }

    @Test(.enabled(if: canDenyThreads, "takes root, setpriv and prlimit, and a folder that all may read"))
    func `without any thread the command reports it, and with one it works`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 1_000, seed: 24)
        let file = try folder.file("corpus", corpus.input).path
        for command in ["verify", "receipt", "entitlements", "inspect"] {
            let arguments = [command] + Self.roots + [file]
            let usual = try CommandProcess(arguments)
            for threads in 1...4 {
                let run = try CommandProcess(shell: Self.denying(threads), arguments)
                if run.status == usual.status {
                    #expect(run.output == usual.output, "\(command), \(threads)")
                } else {
                    #expect(threads == 1, "one to work, and one to listen for signals")
                    #expect(run.status == 71 && run.output.isEmpty, "\(command): \(run.status)")
                    #expect(run.diagnostics.split(separator: "\n").count == 1, "\(run.diagnostics)")
                }
            }
        }
    }

    /// Runs the command as a user without other processes, limited to this many threads, its own included.
    private static func denying(_ threads: Int) -> String {
        // The limit does not apply to root. The user number is random, so that no other process has it.
        let user = Int.random(in: 1_000_000..<2_000_000)
        return "timeout -k 1 60 prlimit --nproc=\(threads) setpriv --reuid=\(user) \"$0\" \"$@\""
    }

    private static let canDenyThreads: Bool = {
        guard geteuid() == 0 else { return false }
        let root = CommandProcess.vectors.appending(path: "pki/root.pem").path
        return (try? CommandProcess(shell: denying(4), ["inspect", "--root", root, "/"]))?.status == 66
    }()

    @Test func `any number of files is read with a handful of descriptors`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 3, seed: 25)
        let file = try folder.file("corpus", corpus.input).path
        for command in ["verify", "receipt", "entitlements"] {
            let arguments = [command] + Self.roots + [file]
            let run = try CommandProcess(
                shell: "ulimit -n 12; \"$0\" \"$@\"", arguments + Array(repeating: file, count: 999))
            #expect(
                try run.status == CommandProcess(arguments).status,
                "\(command): \(run.diagnostics.suffix(200))")
        }
    }
}
