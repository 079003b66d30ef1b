import CommandProcesses
import Foundation
import Minting
import Testing

/// Behaviour in a pipe: promptness, bounds, and all ways to end.
@Suite(.serialized) struct StreamTests {
    private let good: String

    init() throws {
        good = try TestPKI.standard().minter().token(
            payload: #"{"transactionId":"1","signedDate":1760000000000}"#)
    }

    @Test func `a verdict comes within 50 ms of its line, while the pipe stays open`() throws {
        let process = Process()
        process.executableURL = CommandProcess.executable
        process.arguments = CommandProcess.root
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var delays: [Duration] = []
        var garbageDelays: [Duration] = []
        for number in 1...12 {
            let start = ContinuousClock.now
            let isGood = number % 3 != 0
            try input.fileHandleForWriting.write(contentsOf: Data(((isGood ? good : "x") + "\n").utf8))
            // The next line is sent after the answer to this one. A verdict held back would stop the test
            // here.
            let verdict = output.fileHandleForReading.availableData
            let delay = start.duration(to: .now)
            if isGood { delays.append(delay) } else { garbageDelays.append(delay) }
            #expect(verdict.last == UInt8(ascii: "\n"))
            #expect(String(decoding: verdict, as: UTF8.self).hasPrefix("{\"line\":\(number),"))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        // Only the fastest counts, so that a busy machine does not fail the test. A verdict held back would
        // be late every time.
        #expect(try #require(delays.min()) < .milliseconds(50))
        #expect(try #require(garbageDelays.min()) < .milliseconds(50))
    }

    @Test func `a line that comes in pieces is one line`() throws {
        let process = Process()
        process.executableURL = CommandProcess.executable
        process.arguments = CommandProcess.root
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        for piece in Array("\(good)\r\n".utf8).chunked(by: 700) {
            try input.fileHandleForWriting.write(contentsOf: Data(piece))
            Thread.sleep(forTimeInterval: 0.002)
        }
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test func `a long input comes out complete and in order, from a pipe as from a file`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var lines: [String] = []
        for number in 0..<3_000 {
            lines.append(number % 7 == 3 ? "bad\(number)" : number % 11 == 5 ? "" : good)
        }
        let file = try folder.file("long.jws", Array(lines.joined(separator: "\n").utf8)).path
        let direct = try CommandProcess(CommandProcess.root + [file])
        let piped = try CommandProcess(
            shell: "cat \"$3\" | \"$0\" \"$1\" \"$2\"", CommandProcess.root + [file])
        #expect(direct.output == piped.output)
        let expected = lines.indices.filter { !lines[$0].isEmpty }
        let verdicts = try direct.verdicts()
        #expect(verdicts.map(\.line) == expected.map { $0 + 1 })
        #expect(verdicts.map(\.verified) == expected.map { lines[$0] == good })
    }

    @Test func `a reader that closes the pipe ends the command quietly`() throws {
        let input = Array(String(repeating: good + "\n", count: 4_000).utf8)
        let run = try CommandProcess(
            shell: "{ \"$0\" \"$@\"; echo $? >&2; } | head -n 1", CommandProcess.root, input: input)
        #expect(run.text.split(separator: "\n").count == 1)
        #expect(run.diagnostics == "0\n")
    }

    @Test(arguments: ["1", "2"])
    func `a reader that goes away ends the command, though its input stays open`(jobs: String) throws {
        let process = Process()
        process.executableURL = CommandProcess.executable
        process.arguments = CommandProcess.root + ["--jobs", jobs]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let lines = Data((good + "\n").utf8)
        try input.fileHandleForWriting.write(contentsOf: lines)
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        try output.fileHandleForReading.close()
        try input.fileHandleForWriting.write(contentsOf: lines)
        let start = ContinuousClock.now
        while process.isRunning, start.duration(to: .now) < .seconds(30) {
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(!process.isRunning)
        if process.isRunning { process.terminate() } else { #expect(process.terminationStatus == 0) }
    }

    @Test func `output that cannot be written has an exit status of its own`() throws {
        let input = Array(String(repeating: good + "\n", count: 10).utf8)
        for target in [">/dev/full", ">&-"] {
            let run = try CommandProcess(shell: "\"$0\" \"$@\" \(target)", CommandProcess.root, input: input)
            #expect(run.status == 74)
            #expect(run.diagnostics.hasPrefix("storekit-verify: standard output: "))
        }
        let silent = try CommandProcess(
            shell: "\"$0\" \"$@\" --output none >&-", CommandProcess.root, input: input)
        #expect(silent.status == 0, "nothing to write, nothing to fail")
    }

    @Test(arguments: ["INT", "TERM"])
    func `a signal leaves whole lines behind`(signal: String) throws {
        let shell = """
            ( while :; do printf '%s\\n' "$3" || exit; done ) 2>/dev/null | {
                "$0" "$1" "$2" <&3 & sleep 0.3; kill -\(signal) $!; wait $!; echo $? >&2
            } 3<&0
            """
        // A shell's background job ignores SIGINT, but the command must handle it. An HTTP client in this
        // process may ignore SIGPIPE. Then printf reports an error when the reader is gone.
        let run = try CommandProcess(shell: shell, CommandProcess.root + [good])
        let verdicts = try run.verdicts()
        try #require(verdicts.count > 0)
        #expect(verdicts.map(\.line) == Array(1...verdicts.count))
        #expect(run.diagnostics.hasSuffix(signal == "INT" ? "130\n" : "143\n"), "\(run.diagnostics)")
    }

    @Test(
        "memory stays under 64 MB, whatever comes",
        arguments: [
            ("yes '' | head -c 100000000", 0),
            ("head -c 100000000 /dev/urandom", 1),
            ("head -c 300000000 /dev/zero", 1),
            ("{ printf '{'; head -c 100000000 /dev/zero | tr '\\0' ' '; }", 1),
            ("head -c 50000000 /dev/zero | tr '\\0' '{'", 1),
            ("head -c 1000000 /dev/zero | tr '\\0' '.'", 1),
        ])
    func boundsMemory(producer: String, status: Int) throws {
        // The kernel's high-water mark of memory, read until the process ends.
        let shell = """
            { \(producer); sleep 0.2; } | {
                "$0" "$@" <&3 >/dev/null & pid=$!
                while mark=$(grep VmHWM "/proc/$pid/status" 2>/dev/null); do peak=$mark; sleep 0.05; done
                wait $pid; code=$?
                echo "$peak" >&2; exit $code
            } 3<&0
            """
        let run = try CommandProcess(shell: shell, [])
        #expect(run.status == Int32(status))
        let match = try #require(run.diagnostics.firstMatch(of: /VmHWM:\s*(\d+) kB/), "\(run.diagnostics)")
        #expect(try #require(Int(match.1)) < 64_000, "\(producer)")
    }

    @Test func `whether an object is too long does not depend on how it arrives`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Read at once, all of them fit the buffer. Read in pieces, each one is incomplete for a while.
        let line = "{\"signedPayload\":\"\(good)\",\"x\":\"\(String(repeating: "x", count: 100_000))\"}\n"
        let input = Array(String(repeating: line, count: 6).utf8)
        let file = try folder.file("objects", input).path
        let limit = CommandProcess.root + ["--max-token-bytes", "5000"]
        let whole = try CommandProcess(limit + [file])
        #expect(try whole.verdicts().map(\.error) == Array(repeating: "tooLarge", count: 6))
        let pieces = try CommandProcess(
            shell: "dd bs=7919 status=none if=\"$5\" | \"$0\" \"$1\" \"$2\" \"$3\" \"$4\"", limit + [file])
        #expect(pieces.output == whole.output)
        #expect(try CommandProcess(CommandProcess.root + [file]).status == 0)
    }

    @Test func `a line over the limit is refused, and the lines after it are verified`() throws {
        let input = Array("\(String(repeating: "x", count: 3_000_000))\r\n\(good)\n".utf8)
        let run = try CommandProcess(CommandProcess.root, input: input)
        let verdicts = try run.verdicts()
        #expect(verdicts.map(\.error) == ["tooLarge", nil])
        #expect(verdicts[0].message?.contains("3000000 bytes") ?? false, "without the line's end")
        let exact = ["--max-token-bytes", "\(good.utf8.count)"]
        #expect(try CommandProcess(CommandProcess.root + exact, input: Array("\(good)\r\n".utf8)).status == 0)
        let less = ["--max-token-bytes", "\(good.utf8.count - 1)"]
        #expect(try CommandProcess(CommandProcess.root + less, input: Array(good.utf8)).status == 1)
    }
}

extension Array {
    fileprivate func chunked(by size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
