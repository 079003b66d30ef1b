import CommandProcesses
import Foundation
import Testing

/// Output that cannot be written, or can be written only in part.
@Suite(.serialized) struct OutputFaultTests {
    private static let vectors = CommandProcess.vectors.path
    private static let roots = MixedCorpus.roots
    private static let tokens = vectors + "/valid/transactions.jws"

    /// Calls that write to standard output and not to standard error, and their exit status.
    private static let calls: [(arguments: [String], status: Int32)] = [
        (["--help"], 0), (["--version"], 0), (["verify", "--help"], 0), (["help", "inspect"], 0),
        (["--generate-completion-script", "bash"], 0),
        (["verify"] + roots + [tokens], 0), (["verify", "--output", "payload"] + roots + [tokens], 0),
        (["verify", "--output", "typed"] + roots + [vectors + "/valid/realtime-requests.jws"], 0),
        (["verify"] + [tokens], 1), (["receipt"] + roots + [vectors + "/valid/receipts.b64"], 1),
        (["receipt", "--receipt-json"] + roots + ["RECEIPT"], 0),
        (["receipt", "--transaction-ids"] + roots + ["RECEIPT"], 0),
        (["inspect"] + roots + ["TOKEN"], 0), (["inspect", "--json"] + roots + ["TOKEN"], 0),
        (["inspect"] + roots + ["RECEIPT"], 0),
        (["entitlements", "--at", "2025-12-10"] + roots + ["PURCHASES"], 0),
        (["entitlements", "--at", "2025-12-10", "--output", "text"] + roots + ["PURCHASES"], 0),
        (
            [
                "device-hash", "--nonce", "7EDEA87D-98F0-42D0-9682-49CA81022F73", "--device-id",
                "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
            ], 0
        ),
    ]

    /// The calls, with file names in place of the placeholders.
    private static func calls(_ folder: TemporaryFolder) throws -> [(arguments: [String], status: Int32)] {
        func lines(_ range: Range<Int>, of name: String) throws -> [UInt8] {
            let content = [UInt8](try Data(contentsOf: CommandProcess.vectors.appending(path: name)))
            let newline = UInt8(ascii: "\n")
            return Array(content.split(separator: newline)[range].joined(separator: [newline]))
        }
        let names = [
            "TOKEN": try folder.file("token", lines(0..<1, of: "valid/transactions.jws")).path,
            // A later line is the refund of the same transaction.
            "PURCHASES": try folder.file("purchases", lines(0..<3, of: "valid/transactions.jws")).path,
            "RECEIPT": try folder.file("receipt", lines(16..<17, of: "valid/receipts.b64")).path,
        ]
        return calls.map { call in (call.arguments.map { names[$0] ?? $0 }, call.status) }
    }

    @Test func `every command reports a full disk or a closed output once`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (arguments, status) in try Self.calls(folder) {
            let written = try CommandProcess(arguments)
            #expect(written.status == status && !written.output.isEmpty, "\(arguments)")
            for target in [">/dev/full", ">&-"] {
                let run = try CommandProcess(shell: "\"$0\" \"$@\" \(target)", arguments)
                #expect(run.status == 74, "\(arguments) \(target)")
                let said = run.diagnostics.split(separator: "\n").filter {
                    $0.hasPrefix("storekit-verify: standard output: ")
                }
                #expect(said.count == 1, "\(arguments) \(target): \(run.diagnostics)")
            }
        }
    }

    @Test func `a reader that closes the pipe before the first byte is no failure, for any command`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (arguments, status) in try Self.calls(folder) {
            for ignoring in ["", "trap '' PIPE;"] {
                let shell = "\(ignoring) { sleep 0.02; \"$0\" \"$@\"; echo $? >&2; } | :"
                let run = try CommandProcess(shell: shell, arguments)
                // Failures that were found before count.
                #expect(run.diagnostics == "0\n" || run.diagnostics == "\(status)\n", "\(arguments)")
            }
        }
    }

    @Test func `standard error that cannot be written changes neither results nor status`() throws {
        let corpus = try MixedCorpus(lines: 600, seed: 1)
        for format in ["ndjson", "payload"] {
            let arguments = Self.roots + ["--summary", "--output", format]
            let whole = try CommandProcess(arguments, input: corpus.input)
            for target in ["2>&-", "2>/dev/full"] {
                let run = try CommandProcess(shell: "\"$0\" \"$@\" \(target)", arguments, input: corpus.input)
                #expect(run.status == 1 && run.output == whole.output, "\(format) \(target)")
            }
        }
        for target in ["2>&-", "2>/dev/full"] {
            #expect(try CommandProcess(shell: "\"$0\" \"$@\" \(target)", ["--nonsense"]).status == 64)
            #expect(try CommandProcess(shell: "\"$0\" \"$@\" \(target)", ["/nonexistent"]).status == 66)
            let deaf = try CommandProcess(shell: "\"$0\" \"$@\" >/dev/full \(target)", ["--help"])
            #expect(deaf.status == 74)
        }
    }

    @Test(arguments: ["", "trap '' XFSZ;"])
    func `a file at its size limit keeps the output before it, and the command reports the error`(
        ignoring: String
    ) throws {
        let corpus = try MixedCorpus(lines: 2_000, seed: 2)
        // The limit counts blocks of 512 bytes. The diagnostics go to another file, which stays far below it.
        for blocks in [8, 100, 1_000] {
            let run = try CommandProcess(
                shell: "\(ignoring) ulimit -f \(blocks); \"$0\" \"$@\"", Self.roots, input: corpus.input)
            #expect(run.status == 74)
            #expect(run.diagnostics == "storekit-verify: standard output: File too large\n")
            #expect(run.output.count == blocks * 512 && corpus.expected.starts(with: run.output))
        }
    }

    @Test(.enabled(if: canMount, "only root may mount the small file system that fills up"))
    func `a full disk keeps the output before it, and the command reports the error`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 2_000, seed: 3)
        let input = try folder.file("input", corpus.input).path
        let disk = folder.url.appending(path: "disk").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        let shell = """
            mount -t tmpfs -o size=64k none '\(disk)' || exit 99
            "$0" "$@" >'\(disk)/output'; code=$?
            cat '\(disk)/output'; umount '\(disk)'; exit $code
            """
        let run = try CommandProcess(shell: shell, Self.roots + [input])
        #expect(run.status == 74)
        #expect(run.diagnostics == "storekit-verify: standard output: No space left on device\n")
        #expect(run.output.count == 65_536 && corpus.expected.starts(with: run.output))
    }

    private static let canMount: Bool = {
        let shell = """
            folder=$(mktemp -d); mount -t tmpfs none "$folder" && umount "$folder"; code=$?
            rmdir "$folder"; exit $code
            """
        return (try? CommandProcess(shell: shell, []))?.status == 0
    }()
}
