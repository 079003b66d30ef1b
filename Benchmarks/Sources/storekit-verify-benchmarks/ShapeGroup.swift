import BenchmarkKit
import Foundation
import SignedPayloads

/// The command over every shape that a line can have, and the library over the main ones.
struct ShapeGroup {
    private let plan: Plan
    private let workshop: Workshop
    private let command: String
    private let rows: [Row]

    /// One shape.
    private struct Row {
        let name: String
        let title: String
        let corpus: CorpusFile
        let options: [String]
        let isUnderWrongRoot: Bool
        /// The ratios to `openssl speed` that the project asks for, with AVX-512 IFMA and with AVX2.
        let floors: (ifma: Double, avx2: Double)
        /// Whether two jobs are measured too.
        let hasTwoJobs: Bool
        /// Whether the library is measured too.
        let hasLibrary: Bool

        init(
            _ name: String, _ title: String, _ corpus: CorpusFile, _ options: [String] = [],
            isUnderWrongRoot: Bool = false, floors: (ifma: Double, avx2: Double), hasTwoJobs: Bool = false,
            hasLibrary: Bool = false
        ) {
            self.name = name
            self.title = title
            self.corpus = corpus
            self.options = options
            self.isUnderWrongRoot = isUnderWrongRoot
            self.floors = floors
            self.hasTwoJobs = hasTwoJobs
            self.hasLibrary = hasLibrary
        }

        /// The title, with the tokens' origin.
        var fullTitle: String { corpus.isGenuine ? "\(title), genuine" : title }
    }

    static func make(_ plan: Plan, _ workshop: Workshop, genuine: String?) throws -> Group {
        let group = try ShapeGroup(plan, workshop, genuine: genuine)
        return Group(
            title: "Shapes of input, one job",
            method: """
                Lines a second of the release build of `storekit-verify`, from a file, NDJSON to /dev/null, \
                wall-clock time of the whole process, one job unless said. The peer is `openssl speed \
                ecdsap256` in the same round. Two jobs and the library are compared with the command and \
                one job. The mixed archive is 60 % \
                notifications with two payloads inside, 30 % transactions and 10 % of the other kinds, with \
                nested, null, absent and escaped members, under 5 leaves; 1 % of the signatures are spoilt, \
                and half of the lines are JSON objects around the token. Rows marked genuine repeat tokens \
                that Apple signed; the others are minted, and no two lines are the same. The library gets \
                the same tokens as strings, in one call of `BatchVerifier.verify`; no process starts for it. \
                A floor is the ratio that \
                the project asks for with this processor's vector instructions; nothing fails below it.
                """,
            scenarios: try group.scenarios, headlines: group.headlines)
    }

    private init(_ plan: Plan, _ workshop: Workshop, genuine folder: String?) throws {
        self.plan = plan
        self.workshop = workshop
        command = try workshop.command()
        let genuine = try folder.map { try GenuineTokens(folder: $0, workshop) }
        rows = try Self.rows(Corpora(plan: plan, workshop: workshop), genuine)
    }

    /// Makes the files of shapes.
    private struct Corpora {
        let plan: Plan
        let workshop: Workshop

        /// A file of minted lines, or one of genuine lines, if there are any.
        func file(
            _ name: String, of content: String, isVaried: Bool = false, wrappedPercent: Int = 0,
            genuine: [String]? = nil
        ) throws -> CorpusFile {
            let lines = content == "notifications" ? plan.shapeNotifications : plan.shapeLines
            let corpus = CorpusFile(
                name: name, lines: lines, content: content, isVaried: isVaried,
                wrappedPercent: wrappedPercent, isGenuine: genuine != nil)
            return try ready(corpus, genuine)
        }

        /// The mixed archive; of genuine lines, no signature is spoilt.
        func mixed(_ genuine: [String]? = nil) throws -> CorpusFile {
            if let genuine {
                return try ready(
                    CorpusFile(name: "genuine-mixed", lines: plan.shapeMixed, isGenuine: true), genuine)
            }
            return try ready(
                CorpusFile(
                    name: "mixed", lines: plan.shapeMixed, chains: .shared(keys: 5), badPercent: 1,
                    content: "mixed", isVaried: true, wrappedPercent: 50))
        }

        private func ready(_ corpus: CorpusFile, _ genuine: [String]? = nil) throws -> CorpusFile {
            if let genuine {
                try workshop.write(corpus, repeating: genuine)
            } else {
                try workshop.mint(corpus)
            }
            return corpus
        }
    }

    /// The rows, the headline first. Rows of one file are close together.
    private static func rows(_ corpora: Corpora, _ genuine: GenuineTokens?) throws -> [Row] {
        let minted = try corpora.file("transactions", of: "transactions")
        let transactions =
            try genuine.map {
                try corpora.file("genuine-transactions", of: "transactions", genuine: $0.transactions)
            } ?? minted
        let wrapped = try corpora.file(
            "wrapped", of: "transactions", wrappedPercent: 100,
            genuine: genuine?.transactions.map { GenuineTokens.wrapped($0, "signedTransactionInfo") })
        let notifications = try corpora.file(
            "notifications", of: "notifications", isVaried: true, genuine: genuine?.notifications)
        let logged = try corpora.file(
            "logged", of: "notifications", isVaried: true, wrappedPercent: 100,
            genuine: genuine?.notifications.map { GenuineTokens.wrapped($0, "signedPayload") })
        let apps = try corpora.file("app-transactions", of: "app-transactions")
        var rows = [
            Row("mixed", "the mixed archive", try corpora.mixed(), floors: mixed, hasTwoJobs: true),
            Row(
                "transactions", "transactions", transactions, floors: bare, hasTwoJobs: true, hasLibrary: true
            ),
            Row(
                "typed", "transactions, `--output typed`", transactions, ["--output", "typed"], floors: (9, 6)
            ),
            Row(
                "app-apple-id", "transactions, `--app-apple-id`", transactions,
                ["--app-apple-id", "1234567890"], floors: bare),
            Row(
                "wrong-root", "transactions, the wrong `--root`", transactions, isUnderWrongRoot: true,
                floors: (25, 12)),
            Row(
                "effective-date", "transactions, `--effective-date`", minted,
                ["--effective-date", "2026-06-01"], floors: bare),
            Row(
                "varied", "transactions, nested, null and escaped members",
                try corpora.file("varied", of: "transactions", isVaried: true), floors: (16, 8.5)),
            Row("wrapped", "transactions in a JSON object", wrapped, floors: (13, 7.5), hasTwoJobs: true),
            Row(
                "renewals", "renewal information",
                try corpora.file("renewals", of: "renewals", genuine: genuine?.renewals), floors: bare),
            Row("app-transactions", "app transactions", apps, floors: bare),
            Row(
                "device-id", "app transactions, `--device-id`", apps,
                ["--device-id", "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"], floors: bare),
            Row(
                "realtime-requests", "realtime requests",
                try corpora.file("realtime-requests", of: "realtime-requests"), floors: bare),
            Row(
                "notifications", "notifications", notifications, floors: (2.2, 1.8), hasTwoJobs: true,
                hasLibrary: true),
            Row(
                "typed-notifications", "notifications, `--output typed`", notifications,
                ["--output", "typed"],
                floors: (1.6, 1.2), hasTwoJobs: true),
            Row("logged", "notifications as a webhook logs them", logged, floors: (2, 1.6)),
        ]
        if let genuine {
            rows.insert(
                Row("genuine-mixed", "a mixed archive", try corpora.mixed(genuine.mixed), floors: mixed),
                at: 1)
        }
        return rows
    }

    /// The floors of bare tokens under any policy, and of mixed archives.
    private static let bare = (ifma: 20.0, avx2: 10.0)
    private static let mixed = (ifma: 3.2, avx2: 2.6)

    private static let peer = "openssl-speed"

    private var scenarios: [Scenario] {
        get throws {
            let series = Series(
                Self.peer, "`openssl speed ecdsap256`, verifications", .signaturesPerSecond, isPeer: true,
                bar: "openssl speed, bare signatures")
            let speed = workshop.opensslSpeed(series, .ecdsaP256, seconds: plan.rounds < 3 ? 1 : 2)
            return try [speed] + rows.flatMap(scenarios)
        }
    }

    private var headlines: [Headline] {
        rows.flatMap { row in
            var headlines = [
                Headline("\(row.fullTitle) ÷ `openssl speed`", row.name, dividedBy: Self.peer)
            ]
            if row.hasTwoJobs {
                headlines.append(Headline("the same, 2 jobs ÷ 1", "\(row.name)/2", dividedBy: row.name))
            }
            if row.hasLibrary {
                headlines.append(
                    Headline(
                        "the library ÷ the command, \(row.title)", "\(row.name)/library", dividedBy: row.name)
                )
            }
            return headlines
        }
    }

    private func scenarios(of row: Row) throws -> [Scenario] {
        var scenarios = [
            scenario(
                row, jobs: 1,
                Series(
                    row.name, row.fullTitle, .linesPerSecond, peer: Self.peer, floor: floor(of: row),
                    bar: row.fullTitle.replacing("`", with: "")))
        ]
        if row.hasTwoJobs {
            scenarios.append(
                scenario(
                    row, jobs: 2,
                    Series(
                        "\(row.name)/2", "\(row.fullTitle), 2 jobs", .linesPerSecond, peer: row.name,
                        floor: 1.85)))
        }
        if row.hasLibrary { scenarios.append(try library(row)) }
        return scenarios
    }

    private func scenario(_ row: Row, jobs: Int, _ series: Series) -> Scenario {
        let run = CommandRun(
            workshop: workshop, command: command, corpus: row.corpus,
            options: ["--jobs", String(jobs)] + row.options, isUnderWrongRoot: row.isUnderWrongRoot)
        return Scenario(series, count: row.corpus.lines) { try run.measure().linesPerSecond }
    }

    /// `BatchVerifier.verify` over the first lines of a row's file, in one call.
    private func library(_ row: Row) throws -> Scenario {
        let series = Series(
            "\(row.name)/library", "\(row.fullTitle), BatchVerifier", .linesPerSecond, peer: row.name,
            floor: 0.9)
        let path = workshop.path(of: row.corpus)
        guard let file = FileHandle(forReadingAtPath: path),
            let text = try file.read(upToCount: plan.shapeBytes),
            let end = text.lastIndex(of: UInt8(ascii: "\n"))
        else { throw BenchmarkError.unreadable(path) }
        let tokens = text[..<end].split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let anchors = try row.corpus.root.map { root in
            try TrustAnchor.certificates(in: [UInt8](Data(contentsOf: URL(filePath: root))))
        }
        let subject = try BatchVerifierSubject(
            anchors: anchors ?? [.appleRootCAG3], engine: .auto, batchSize: tokens.count)
        let watch = Stopwatch(seconds: plan.tokenSeconds, countPerCall: tokens.count)
        var refused = 0
        return Scenario(series, count: watch.count) {
            let speed = try watch.speed { refused += tokens.count - subject.verifiedCount(of: tokens) }
            guard refused == 0 else { throw BenchmarkError.wrongVerdict(series.title) }
            return speed
        }
    }

    /// The floor on this machine. Without vector instructions there is no floor.
    private func floor(of row: Row) -> Double? {
        switch Machine.currentVectorInstructions {
        case "AVX-512 IFMA": row.floors.ifma
        case .some: row.floors.avx2
        case nil: nil
        }
    }
}
