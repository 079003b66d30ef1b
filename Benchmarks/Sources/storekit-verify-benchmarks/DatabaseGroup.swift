import BenchmarkKit
import Foundation

/// The command's database: payloads that are new, payloads that are known, and one customer's entitlements.
struct DatabaseGroup {
    private let workshop: Workshop
    /// The command with a database; `nil` if SQLite is not on this machine.
    private let command: String?
    private let corpus: CorpusFile
    private let rounds: Int

    /// How many customers more to ask for. The start of a process is not measured.
    private static let customers = 200

    static func make(_ plan: Plan, _ workshop: Workshop) throws -> Group {
        let group = try DatabaseGroup(plan, workshop)
        return Group(
            title: "The database",
            method: """
                `ingest` with the build that has a database, wall-clock time of the whole process, all cores; the \
                file was read once before. The transactions have nested, null and escaped members; seven have the \
                same original transaction and download, and each has its own account token. For a customer, the \
                figure is the time that one of \(customers) more takes `entitlements --customer`: to find seven \
                transactions among \(plan.lines), and to verify them.
                """,
            scenarios: group.scenarios,
            headlines: [
                Headline("new transactions a second", "ingest/new"),
                Headline("known transactions a second", "ingest/known"),
                Headline(
                    "new transactions ÷ `openssl speed` verifications", "ingest/new",
                    dividedBy: "ingest/openssl"),
                Headline("one customer's entitlements", "ingest/customer"),
            ])
    }

    private init(_ plan: Plan, _ workshop: Workshop) throws {
        self.workshop = workshop
        rounds = plan.rounds
        corpus = CorpusFile(name: "ingest", lines: plan.lines, isVaried: true)
        // The header that the build needs.
        let hasSQLite = FileManager.default.fileExists(atPath: "/usr/include/sqlite3.h")
        command = hasSQLite ? try workshop.commandWithDatabase() : nil
        if hasSQLite { try workshop.mint(corpus) }
    }

    private var database: String { workshop.folder.path("purchases.db") }

    private var scenarios: [Scenario] {
        let new = Series(
            "ingest/new", "`ingest`, new transactions", .linesPerSecond, bar: "ingest, new transactions")
        let known = Series(
            "ingest/known", "`ingest`, known transactions", .linesPerSecond, peer: "ingest/new",
            bar: "ingest, known transactions")
        let customer = Series("ingest/customer", "one customer's entitlements", .milliseconds)
        guard let command else {
            return [new, known, customer].map {
                Scenario($0, unavailable: "libsqlite3-dev is not on this machine")
            }
        }
        let speed = Series(
            "ingest/openssl", "`openssl speed ecdsap256`, verifications", .signaturesPerSecond, isPeer: true,
            bar: "openssl speed, bare signatures")
        return [
            workshop.opensslSpeed(speed, .ecdsaP256, seconds: rounds < 3 ? 1 : 2),
            Scenario(new, count: corpus.lines) {
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: database + suffix)
                }
                return try ingest(command, "\(corpus.lines) new, 0 known, 0 without a purchase")
            },
            Scenario(known, count: corpus.lines) {
                try ingest(command, "0 new, \(corpus.lines) known, 0 without a purchase")
            },
            Scenario(customer, count: Self.customers) {
                let one = try entitlements(command, of: 1)
                return try (entitlements(command, of: 1 + Self.customers) - one) * 1000
                    / Double(Self.customers)
            },
        ]
    }

    /// Lines a second. The summary must end with these counts.
    private func ingest(_ command: String, _ counts: String) throws -> Double {
        let errors = workshop.folder.path("errors")
        var process = ChildProcess(
            command,
            [
                "ingest", "--summary", "--root", Workshop.root, "--database", database,
                workshop.path(of: corpus),
            ])
        process.errors = .file(errors)
        try workshop.warm(corpus)
        let run = try process.run()
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        guard run.status == 0, said.hasSuffix("; \(counts)\n") else {
            throw BenchmarkError.unexpectedEnd(program: command, status: run.status, detail: said)
        }
        return Double(corpus.lines) / run.seconds
    }

    /// The seconds of a process that lists the entitlements of so many customers, the first of the corpus.
    private func entitlements(_ command: String, of customers: Int) throws -> Double {
        let output = workshop.folder.path("entitlements")
        let names = (0..<min(customers, corpus.lines / 7)).flatMap {
            ["--customer", "app-transaction:\(704_000_000_000_000_001 + $0)"]
        }
        var process = ChildProcess(
            command,
            ["entitlements", "--root", Workshop.root, "--database", database, "--at", "2025-12-10"] + names)
        process.output = .file(output)
        let run = try process.run()
        let said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard run.status == 0, !said.isEmpty else {
            throw BenchmarkError.unexpectedEnd(program: command, status: run.status, detail: said)
        }
        return run.seconds
    }
}
