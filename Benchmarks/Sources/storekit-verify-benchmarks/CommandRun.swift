import BenchmarkKit
import Foundation

/// One way to run the command over a corpus. Verdicts go to /dev/null, and their number must be right.
struct CommandRun {
    let workshop: Workshop
    let command: String
    let corpus: CorpusFile
    var options: [String] = []
    var isPiped = false

    /// Lines a second, from the process's start to its end, and its maximum memory in megabytes.
    func measure() throws -> (linesPerSecond: Double, megabytes: Double) {
        let file = workshop.path(of: corpus)
        let root = corpus.purchases == nil ? Workshop.root : Workshop.receiptRoot
        let arguments = ["verify", "--root", root, "--summary"] + options + (isPiped ? [] : [file])
        let errors = workshop.folder.path("errors")
        var process = ChildProcess(command, arguments)
        process.errors = .file(errors)
        let run = try isPiped ? ChildProcess("cat", [file]).run(into: process) : process.run()
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        guard run.status == (corpus.verified == corpus.lines ? 0 : 1), said.hasPrefix(corpus.summary) else {
            throw BenchmarkError.unexpectedEnd(program: command, status: run.status, detail: said)
        }
        return (Double(corpus.lines) / run.seconds, Double(run.peakBytes) / 1_000_000)
    }
}
