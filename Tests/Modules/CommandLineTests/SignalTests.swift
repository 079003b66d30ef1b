import CommandProcesses
import Foundation
import SeededRandom
import Testing

/// Signals in the middle of a run.
@Suite(.serialized) struct SignalTests {
    private static let roots = MixedCorpus.roots

    @Test(arguments: [SIGINT, SIGTERM], ["1", "2"])
    func `a signal at any moment leaves the first verdicts, in whole lines`(
        signal: Int32, jobs: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let corpus = try MixedCorpus(lines: 12_000, seed: 11)
        let file = try folder.file("corpus", corpus.input).path
        var random = SplitMix64(seed: UInt64(signal))
        var unfinished = 0
        for turn in 0..<12 {
            // Standard input stays open after the file, so that the signal comes before the end on the
            // fastest machine.
            let output = try folder.file("output", [])
            let command = try RunningCommand(
                Self.roots + ["--jobs", jobs, file, "-"], output: FileHandle(forWritingTo: output))
            defer { command.end() }
            while try Data(contentsOf: output).isEmpty { usleep(1_000) }
            usleep(UInt32(random.next() % 150_000))
            kill(command.processIdentifier, signal)
            // The process ends by the signal, so that its parent sees the cause.
            #expect(command.waitForExit() == 256 + signal, "\(turn)")
            // With several inputs, verdicts name them.
            let name = Array("{\"file\":\"\(file)\",\"line\":".utf8)
            let found = [UInt8](try Data(contentsOf: output))
            let lines = found.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            #expect(lines.last == [], "\(turn)")
            let unnamed = lines.dropLast().flatMap { line in
                #expect(line.starts(with: name))
                return Array("{\"line\":".utf8) + line.dropFirst(name.count) + [UInt8(ascii: "\n")]
            }
            #expect(corpus.expected.starts(with: unnamed), "\(turn)")
            if unnamed.count < corpus.expected.count { unfinished += 1 }
        }
        #expect(unfinished > 0, "no signal came in the middle")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends the command while the reader of its pipe stalls, in whole lines`(
        signal: Int32
    ) throws {
        // Only a piece of up to PIPE_BUF bytes is written completely or not at all (POSIX). Longer lines may
        // be cut.
        let corpus = try MixedCorpus(lines: 3_000, seed: 12, longest: 4_000)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.file("corpus", corpus.input).path
        let command = try RunningCommand(Self.roots + ["--jobs", "2", file])
        defer { command.end() }
        let beginning = command.read(1)
        command.waitForFullPipe()
        kill(command.processIdentifier, signal)
        #expect(command.waitForExit() == 128 + signal, "what is in hand cannot be written, and is given up")
        let output = beginning + command.readToEnd()
        #expect(output.areWholeLines(of: corpus.expected) && output.count < corpus.expected.count)
    }

    @Test(arguments: ["--ignore-signal", "--block-signal"])
    func `a signal that the parent process ignores or blocks is handled`(by option: String) throws {
        for (name, number) in [("INT", SIGINT), ("TERM", SIGTERM)] {
            let command = try RunningCommand([], by: "exec env \(option)=\(name) \"$0\" \"$@\"")
            defer { command.end() }
            try command.send(Array("x\n".utf8))
            let verdict = command.read(10)
            #expect(verdict == Array("{\"line\":1,".utf8))
            kill(command.processIdentifier, number)
            #expect(command.waitForExit() == 256 + number)
        }
    }
}
