import BenchmarkKit
import Foundation
import SignedPayloads

/// Whole tokens a second, on one core and in this process, compared with the libraries that users could take
/// instead.
struct TokenGroup {
    private let plan: Plan
    private let workshop: Workshop
    private let corpus: CorpusFile
    private let tokens: [String]
    private let anchors: [TrustAnchor]
    private let root: [UInt8]

    static func make(_ plan: Plan, _ workshop: Workshop) throws -> Group {
        let group = try TokenGroup(plan, workshop)
        return Group(
            title: "Whole tokens, one core",
            method: """
                Transactions of 5.3 kB with three certificates, all of one key, verified in one process: the \
                token's text comes in, its chain, signature and dates are judged, its payload comes out. \
                Each library is first seen to accept a good token and to refuse one with a changed signature. \
                The peer is a pipeline on swift-certificates and swift-crypto that judges the chain of each \
                token, as Apple's library for Swift does. jwt-kit does not ask for Apple's markers, and no library \
                makes online checks. A round's figure is the median of its calls.
                """,
            scenarios: try group.scenarios(), headlines: headlines)
    }

    private init(_ plan: Plan, _ workshop: Workshop) throws {
        self.plan = plan
        self.workshop = workshop
        corpus = CorpusFile(name: "tokens", lines: plan.batch)
        try workshop.mint(corpus)
        let text = try String(contentsOfFile: workshop.path(of: corpus), encoding: .utf8)
        tokens = text.split(separator: "\n").map(String.init)
        guard let pem = FileManager.default.contents(atPath: Workshop.root),
            case let anchors = try TrustAnchor.certificates(in: Array(pem)), let root = anchors.first?.der
        else { throw BenchmarkError.unreadable(Workshop.root) }
        self.anchors = anchors
        self.root = root
    }

    private static let peer = "certificates"

    private func scenarios() throws -> [Scenario] {
        var scenarios = [
            python(),
            try scenario(
                Series(
                    "jwt-kit", "jwt-kit 5.7.1", .tokensPerSecond, peer: Self.peer, isPeer: true,
                    bar: "jwt-kit"),
                try Peers.jwtKit(root: root)),
            try scenario(
                Series(
                    Self.peer, "swift-certificates 1.21.1 and swift-crypto 4.5.2, chain by chain",
                    .tokensPerSecond,
                    isPeer: true, bar: "swift-certificates, every chain"),
                try Peers.certificates(root: root, hasCache: false)),
            try scenario(
                Series(
                    "certificates-cached", "the same with a cache of chains", .tokensPerSecond,
                    peer: Self.peer,
                    isPeer: true, bar: "swift-certificates, chains cached"),
                try Peers.certificates(root: root, hasCache: true)),
            try scenario(
                Series(
                    "verifier", "SignedPayloadVerifier, one by one", .tokensPerSecond, peer: Self.peer,
                    bar: "SignedPayloadVerifier"),
                SingleVerifierSubject(verifier: try SignedPayloadVerifier(anchors: anchors))),
        ]
        for engine in [BatchVerifier.Engine.libcrypto, .portable, .auto] {
            scenarios.append(
                try scenario(
                    Series(
                        "batch/\(engine.rawValue)", "BatchVerifier, \(engine.rawValue)", .tokensPerSecond,
                        peer: Self.peer, bar: "BatchVerifier, \(engine.rawValue)"),
                    BatchVerifierSubject(anchors: anchors, engine: engine, batchSize: plan.batch)))
        }
        return scenarios
    }

    private static let headlines = [
        Headline("batch ÷ a pipeline like Apple's library for Swift", "batch/auto", dividedBy: peer),
        Headline("batch ÷ the same with a cache of chains", "batch/auto", dividedBy: "certificates-cached"),
        Headline("batch ÷ jwt-kit", "batch/auto", dividedBy: "jwt-kit"),
        Headline("batch ÷ Apple's library for Python", "batch/auto", dividedBy: "python"),
        Headline("one by one ÷ a pipeline like Apple's library for Swift", "verifier", dividedBy: peer),
        Headline(
            "one by one ÷ the same with a cache of chains", "verifier", dividedBy: "certificates-cached"),
    ]

    private func scenario(_ series: Series, _ subject: (any TokenSubject)?) throws -> Scenario {
        guard let subject else { return Scenario(series, unavailable: Peers.absence) }
        var spoilt = Array(tokens.prefix(subject.batchSize))
        // The last bits of the signature belong to s. The last character has unused bits, so an earlier one
        // is changed.
        spoilt[0] = Self.flipped(spoilt[0])
        let batches = stride(from: 0, to: tokens.count, by: subject.batchSize).map {
            Array(tokens[$0..<min($0 + subject.batchSize, tokens.count)])
        }
        guard let first = batches.first, subject.verifiedCount(of: first) == first.count,
            subject.verifiedCount(of: spoilt) == spoilt.count - 1
        else { throw BenchmarkError.wrongVerdict(series.title) }
        let watch = Stopwatch(seconds: plan.tokenSeconds, countPerCall: subject.batchSize)
        var turn = 0
        var refused = 0
        return Scenario(series, count: watch.count) {
            let speed = try watch.speed {
                let batch = batches[turn % batches.count]
                refused += batch.count - subject.verifiedCount(of: batch)
                turn += 1
            }
            guard refused == 0 else { throw BenchmarkError.wrongVerdict(series.title) }
            return speed
        }
    }

    /// The token with one bit of its signature changed.
    private static func flipped(_ token: String) -> String {
        var bytes = Array(token.utf8)
        let place = bytes.count - 20
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func python() -> Scenario {
        let series = Series(
            "python", "Apple's app-store-server-library \(PythonPeer.version) for Python", .tokensPerSecond,
            peer: Self.peer, isPeer: true, bar: "Apple's library for Python")
        do {
            let python = try PythonPeer(workshop, root: root)
            return Scenario(series, count: plan.pythonTokens) {
                try python.speed(tokens: plan.pythonTokens, of: corpus)
            }
        } catch {
            return Scenario(series, unavailable: (error as? PythonPeer.Missing)?.reason ?? "\(error)")
        }
    }
}
