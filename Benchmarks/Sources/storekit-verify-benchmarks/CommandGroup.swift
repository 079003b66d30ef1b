import BenchmarkKit
import Foundation

/// The command as users run it, from the process's start to its end.
struct CommandGroup {
    private let plan: Plan
    private let workshop: Workshop
    private let command: String
    private let oneKey: CorpusFile
    private let manyKeys: CorpusFile
    private let fewBad: CorpusFile
    private let slow: CorpusFile
    private let allBad: CorpusFile
    private let fresh: CorpusFile
    private let forged: CorpusFile
    /// Signed like `oneKey`, with certificates that name OCSP responders.
    private let asked: CorpusFile?
    private let single = CorpusFile(name: "one-token", lines: 1)

    static func make(_ plan: Plan, _ workshop: Workshop) throws -> Group {
        let group = try CommandGroup(plan, workshop)
        return Group(
            title: "The command",
            method: """
                The release build of `storekit-verify`, NDJSON to /dev/null, wall-clock time of the whole \
                process; files were read once before. The verdicts are counted in every run. `openssl speed` \
                verifies one signature again and again, and its rate is by the wall clock too; `openssl dgst \
                -sha256` hashes the file with all tokens. Memory is the process's largest resident set, \
                and would not show below the 25 MB that the benchmark itself holds then.
                """,
            scenarios: group.scenarios, headlines: headlines)
    }

    private init(_ plan: Plan, _ workshop: Workshop) throws {
        self.plan = plan
        self.workshop = workshop
        command = try workshop.command()
        oneKey = CorpusFile(name: "one-key", lines: plan.lines)
        manyKeys = CorpusFile(name: "64-keys", lines: plan.lines, chains: .shared(keys: 64))
        fewBad = CorpusFile(name: "1-percent-bad", lines: plan.lines, badPercent: 1)
        slow = CorpusFile(name: "one-key-short", lines: plan.slowLines)
        allBad = CorpusFile(name: "all-bad", lines: plan.chains, badPercent: 100)
        fresh = CorpusFile(name: "fresh-chains", lines: plan.chains, chains: .fresh)
        forged = CorpusFile(name: "forged-chains", lines: plan.chains, chains: .forged)
        asked =
            workshop.hasOpenSSL
            ? CorpusFile(name: "revocation", lines: plan.lines, responders: try workshop.makeResponders())
            : nil
        for corpus in [oneKey, manyKeys, fewBad, slow, allBad, fresh, forged, single]
            + [asked].compactMap(\.self)
        {
            try workshop.mint(corpus)
        }
    }

    /// The scenarios, ordered so that compared ones are close together.
    private var scenarios: [Scenario] {
        [speed]
            + [
                verify(
                    "file/1", "file, `--jobs 1`", oneKey, ["--jobs", "1"], peer: "openssl-speed",
                    bar: "file, 1 job", memory: "file/1/memory"),
                digest,
                verify(
                    "file/2", "file, `--jobs 2`", oneKey, ["--jobs", "2"], peer: "file/1",
                    bar: "file, 2 jobs",
                    memory: "file/2/memory"),
                verify(
                    "pipe/1", "pipe, `--jobs 1`", oneKey, ["--jobs", "1"], isPiped: true, peer: "file/1",
                    bar: "pipe, 1 job", memory: "pipe/1/memory"),
                verify(
                    "pipe/2", "pipe, `--jobs 2`", oneKey, ["--jobs", "2"], isPiped: true, peer: "file/2",
                    memory: "pipe/2/memory"),
                verify(
                    "64-keys/1", "64 keys, `--jobs 1`", manyKeys, ["--jobs", "1"], peer: "file/1",
                    bar: "64 keys, 1 job"),
                verify(
                    "1-percent-bad/1", "1 % bad signatures, `--jobs 1`", fewBad, ["--jobs", "1"],
                    peer: "file/1",
                    bar: "1 % bad, 1 job"),
            ]
            + revocation
            + engines("portable", "portable engine", oneKey, ["portable"], peer: "file/1")
            + engines("short", "one key, \(plan.slowLines) tokens", slow, ["auto", "libcrypto"])
            + engines("all-bad", "all signatures bad", allBad, ["auto", "libcrypto"])
            + engines("fresh", "every line a new chain", fresh, ["auto", "libcrypto"])
            + engines("forged", "every line a forged chain", forged, ["auto", "libcrypto"])
            + [start]
    }

    /// Runs over one corpus with several engines, compared with libcrypto by default.
    private func engines(
        _ name: String, _ title: String, _ corpus: CorpusFile, _ engines: [String], peer: String? = nil
    ) -> [Scenario] {
        engines.map { engine in
            verify(
                "\(name)/\(engine)", "\(title), `--engine \(engine) --jobs 1`", corpus,
                ["--jobs", "1", "--engine", engine],
                peer: peer ?? (engine == "libcrypto" ? nil : "\(name)/libcrypto"),
                bar: name == "short" && engine == "libcrypto" ? "--engine libcrypto, 1 job" : nil)
        }
    }

    private func verify(
        _ name: String, _ title: String, _ corpus: CorpusFile, _ options: [String], isPiped: Bool = false,
        peer: String? = nil, bar: String? = nil, memory: String? = nil
    ) -> Scenario {
        let run = CommandRun(
            workshop: workshop, command: command, corpus: corpus, options: options, isPiped: isPiped)
        let speed = Series(name, title, .tokensPerSecond, peer: peer, bar: bar)
        guard let memory else {
            return Scenario(speed, count: corpus.lines) { try run.measure().linesPerSecond }
        }
        let peak = Series(memory, "\(title), memory", .megabytes)
        return Scenario([speed, peak], count: corpus.lines) {
            let figures = try run.measure()
            return [figures.linesPerSecond, figures.megabytes]
        }
    }

    /// The same tokens without revocation, and with a request to the issuers at the start of each run.
    private var revocation: [Scenario] {
        ["off", "hard"].map { mode in
            let title = "`--revocation \(mode) --jobs 1`"
            let peer = mode == "off" ? nil : "revocation/off"
            guard let asked else {
                return Scenario(
                    Series("revocation/\(mode)", title, .tokensPerSecond, peer: peer),
                    unavailable: "openssl is not on this machine")
            }
            return verify(
                "revocation/\(mode)", title, asked, ["--jobs", "1", "--revocation", mode], peer: peer)
        }
    }

    private var speed: Scenario {
        let series = Series(
            "openssl-speed", "`openssl speed ecdsap256`, verifications", .signaturesPerSecond, isPeer: true,
            bar: "openssl speed, bare signatures")
        return workshop.opensslSpeed(series, .ecdsaP256, seconds: plan.rounds < 3 ? 1 : 2)
    }

    private var digest: Scenario {
        let series = Series(
            "openssl-dgst", "`openssl dgst -sha256` of the file", .tokensPerSecond, isPeer: true,
            bar: "openssl dgst -sha256, hashing alone")
        guard workshop.hasOpenSSL else {
            return Scenario(series, unavailable: "openssl is not on this machine")
        }
        let process = ChildProcess("openssl", ["dgst", "-sha256", workshop.path(of: oneKey)])
        return Scenario(series, count: plan.lines) {
            var process = process
            process.output = .null
            let run = try process.run()
            guard run.status == 0 else {
                throw BenchmarkError.unexpectedEnd(program: "openssl dgst", status: run.status, detail: "")
            }
            return Double(plan.lines) / run.seconds
        }
    }

    /// The milliseconds of a whole process that verifies one token; the median of several processes.
    private var start: Scenario {
        let run = CommandRun(workshop: workshop, command: command, corpus: single)
        return Scenario(Series("start", "one token, start to end", .milliseconds), count: plan.starts) {
            let times = try (0..<plan.starts).map { _ in 1000 / (try run.measure().linesPerSecond) }
            return Spread(of: times)?.median ?? .nan
        }
    }

    private static let headlines = [
        Headline(
            "`--jobs 1`, one key: tokens ÷ `openssl speed` verifications", "file/1",
            dividedBy: "openssl-speed"),
        Headline("the same ÷ `openssl dgst -sha256` of the file", "file/1", dividedBy: "openssl-dgst"),
        Headline("`--jobs 2` ÷ `--jobs 1`", "file/2", dividedBy: "file/1"),
        Headline("from a pipe ÷ from a file", "pipe/1", dividedBy: "file/1"),
        Headline("64 keys ÷ one key", "64-keys/1", dividedBy: "file/1"),
        Headline("1 % bad signatures ÷ none", "1-percent-bad/1", dividedBy: "file/1"),
        Headline("`--revocation hard` ÷ `off`", "revocation/hard", dividedBy: "revocation/off"),
        Headline("all signatures bad ÷ libcrypto", "all-bad/auto", dividedBy: "all-bad/libcrypto"),
        Headline("every line a new chain ÷ libcrypto", "fresh/auto", dividedBy: "fresh/libcrypto"),
        Headline("every line a forged chain ÷ libcrypto", "forged/auto", dividedBy: "forged/libcrypto"),
        Headline("one token, from the start of the process to its end", "start"),
        Headline("memory, file, `--jobs 1`", "file/1/memory"),
        Headline("memory, file, `--jobs 2`", "file/2/memory"),
        Headline("memory, pipe, `--jobs 1`", "pipe/1/memory"),
        Headline("memory, pipe, `--jobs 2`", "pipe/2/memory"),
    ]
}
