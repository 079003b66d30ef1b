import BenchmarkKit
import Foundation

/// The command's processor time for hostile lines, compared with an ordinary token of an unknown chain.
struct WorstGroup {
    private let workshop: Workshop
    private let command: String
    private let plan: Plan
    private let folder: String
    /// The file of ordinary tokens is the first one.
    private let files: [String]
    /// The files' first lines, under the same names.
    private let firstLines: String

    static func make(_ plan: Plan, _ workshop: Workshop) throws -> Group {
        let group = try WorstGroup(plan, workshop)
        return Group(
            title: "The worst token of each kind",
            method: """
                Tokens and receipts that a sender without any key of Apple's can make to take long; `mint worst` \
                writes them. No two are the same. The figure is the command's processor time for one line more, \
                with `--jobs 1 --output none`: that for all lines, less that for the first line alone, divided \
                by the number of the others. Every line must be refused. The peer is an ordinary token of an \
                unknown chain.
                """,
            scenarios: group.scenarios, headlines: group.headlines)
    }

    private init(_ plan: Plan, _ workshop: Workshop) throws {
        self.workshop = workshop
        command = try workshop.command()
        self.plan = plan
        firstLines = try workshop.mintWorst(lines: 1).folder
        (folder, files) = try workshop.mintWorst(lines: plan.worstLines)
        // Reads the files once, so that every run finds them in memory.
        try workshop.finish(ChildProcess("cksum", files.map { "\(folder)/\($0)" }))
    }

    private var scenarios: [Scenario] {
        files.map { file in
            Scenario(
                Series(
                    Self.identifier(file), "worst token: \(Self.kind(file))", .milliseconds,
                    peer: file == files.first ? nil : files.first.map(Self.identifier)),
                count: plan.worstLines
            ) { try milliseconds(file) }
        }
    }

    private var headlines: [Headline] {
        files.map { Headline("worst token: \(Self.kind($0))", Self.identifier($0)) }
    }

    /// The processor time of one line more. The first line's is left out, because it holds the process's start
    /// and the tables that libcrypto prepares once.
    private func milliseconds(_ file: String) throws -> Double {
        let first = try (0..<plan.starts).map { _ in
            try processorSeconds("\(firstLines)/\(file)", lines: 1)
        }
        let all = try processorSeconds("\(folder)/\(file)", lines: plan.worstLines)
        return (all - (Spread(of: first)?.median ?? .nan)) * 1000 / Double(plan.worstLines - 1)
    }

    /// The processor time of a whole process, which must refuse all lines of a file.
    private func processorSeconds(_ path: String, lines: Int) throws -> Double {
        let errors = workshop.folder.path("errors")
        let anchors = ["--root", Workshop.root, "--root", Workshop.receiptRoot]
        let options = ["--jobs", "1", "--output", "none", "--summary"]
        var process = ChildProcess(command, ["verify"] + anchors + options + [path])
        process.errors = .file(errors)
        let run = try process.run()
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        let summary = "storekit-verify: \(lines) lines, 0 verified, \(lines) not"
        guard run.status == 1, said.hasPrefix(summary) else {
            throw BenchmarkError.unexpectedEnd(program: command, status: run.status, detail: said)
        }
        return run.processorSeconds
    }

    private static func identifier(_ file: String) -> String { "worst/\(name(file))" }

    private static func kind(_ file: String) -> String { name(file).replacing("-", with: " ") }

    /// A file's name without its ending.
    private static func name(_ file: String) -> String { String(file.prefix { $0 != "." }) }
}
