import ArgumentParser
import BenchmarkKit
import Foundation

/// `storekit-verify-benchmarks [options]`: measures the package and its peers, and writes the results.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit-verify-benchmarks",
        abstract:
            "Measure storekit-verify and its peers in the same run, and write a table, a chart and JSON.",
        discussion: """
            Every round runs each scenario and its peers once, one after the other. Only a complete run goes \
            to Benchmarks/Results by itself; one with --quick or --only goes to a temporary folder, unless \
            --output names another.
            """)

    /// The groups by name.
    enum GroupName: String, ExpressibleByArgument, CaseIterable {
        case shapes, kernel, token, receipt, command, database, worst
    }

    @Flag(help: "Small sizes, to see that everything works; the figures mean little.")
    var quick = false

    @Option(
        help:
            """
            How many rounds of the command (default: 5, with --quick 2); of tokens 4 times as many, of signatures \
            16 times.
            """
    )
    var rounds: Int?

    @Option(help: "Measure this group only.")
    var only: GroupName?

    @Option(
        help: ArgumentHelp(
            """
            Take shapes from this folder's tokens, which Apple signed, where it has them; by default from the \
            folder genuine in the one that PRIVATE_TEST_DATA names.
            """, valueName: "directory"))
    var genuine: String?

    @Option(help: ArgumentHelp("Write the results here.", valueName: "directory"))
    var output: String?

    @Option(help: ArgumentHelp("Measure this command instead of one built from here.", valueName: "path"))
    var command: String?

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        Interruption.watch()
        let plan = Plan(isQuick: quick, rounds: rounds)
        let workshop = try Workshop(command: command)
        let genuine =
            genuine ?? ProcessInfo.processInfo.environment["PRIVATE_TEST_DATA"].map { "\($0)/genuine" }
        // The command is measured first: while this process is small, it does not hide the memory of others.
        var results: [GroupName: GroupResult] = [:]
        for name in [GroupName.command, .database, .worst, .shapes, .kernel, .token, .receipt]
        where only == nil || only == name {
            let group =
                switch name {
                case .shapes: try ShapeGroup.make(plan, workshop, genuine: genuine)
                case .kernel: try KernelGroup.make(plan)
                case .token: try TokenGroup.make(plan, workshop)
                case .receipt: try ReceiptGroup.make(plan, workshop)
                case .command: try CommandGroup.make(plan, workshop)
                case .database: try DatabaseGroup.make(plan, workshop)
                case .worst: try WorstGroup.make(plan, workshop)
                }
            let rounds =
                switch name {
                case .kernel: plan.kernelRounds
                case .token: plan.tokenRounds
                case .shapes, .receipt, .command, .database, .worst: plan.rounds
                }
            results[name] = try group.run(rounds: rounds) { message in
                try Interruption.check()
                StandardError.say(message)
            }
            try workshop.discardCorpora()
        }
        let report = Report(
            machine: .current(), date: Self.today,
            groups: GroupName.allCases.compactMap { results[$0] })
        try write(report)
    }

    private func write(_ report: Report) throws {
        let folder = output.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? defaultFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let chart = SVGChart(report).text
        let table = MarkdownReport.text(of: report, chart: "results.svg")
        try Data(chart.utf8).write(to: folder.appending(path: "results.svg"))
        try Data(table.utf8).write(to: folder.appending(path: "README.md"))
        try JSONReport(report).data().write(to: folder.appending(path: "results.json"))
        print(MarkdownReport.text(of: report, chart: nil), terminator: "")
        StandardError.say("written to \(folder.path)")
    }

    private var defaultFolder: URL {
        quick || only != nil
            ? FileManager.default.temporaryDirectory.appending(path: "storekit-verify-benchmarks-partial")
            : Workshop.repository.appending(path: "Benchmarks/Results")
    }

    private static var today: String { Date.now.formatted(.iso8601.year().month().day()) }
}
