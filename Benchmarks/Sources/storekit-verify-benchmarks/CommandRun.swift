import BenchmarkKit
import Foundation

/// One way to run the command over a corpus. Verdicts go to /dev/null, and their number must be right.
struct CommandRun {
    let workshop: Workshop
    let command: String
    let corpus: CorpusFile
    var options: [String] = []
    var isPiped = false
    /// Whether the command is to trust a root that signed none of the chains.
    var isUnderWrongRoot = false

    /// Lines a second, from the process's start to its end, and its maximum memory in megabytes.
    func measure() throws -> (linesPerSecond: Double, megabytes: Double) {
        let file = workshop.path(of: corpus)
        let root = isUnderWrongRoot ? Workshop.otherRoot : corpus.root
        let verified = isUnderWrongRoot ? 0 : corpus.verified
        let anchors = root.map { ["--root", $0] } ?? []
        let arguments = ["verify", "--summary"] + anchors + options + (isPiped ? [] : [file])
        let errors = workshop.folder.path("errors")
        var process = ChildProcess(command, arguments)
        process.errors = .file(errors)
        try workshop.warm(corpus)
        let run = try isPiped ? ChildProcess("cat", [file]).run(into: process) : process.run()
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        guard run.status == (verified == corpus.lines ? 0 : 1),
            said.hasPrefix(corpus.summary(verified: verified))
        else {
            throw BenchmarkError.unexpectedEnd(program: command, status: run.status, detail: said)
        }
        return (Double(corpus.lines) / run.seconds, Double(run.peakBytes) / 1_000_000)
    }
}
