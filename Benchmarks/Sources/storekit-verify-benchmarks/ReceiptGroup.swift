import BenchmarkKit
import Foundation
import SignedPayloads

/// App receipts a second on one core, compared with bare RSA signatures and libcrypto's CMS.
struct ReceiptGroup {
    private let plan: Plan
    private let workshop: Workshop
    private let corpus: CorpusFile
    private let receipts: [[UInt8]]
    private let root: [UInt8]

    /// The number of purchases in each receipt.
    private static let purchases = 10

    static func make(_ plan: Plan, _ workshop: Workshop) throws -> Group {
        let group = try ReceiptGroup(plan, workshop)
        return Group(
            title: "App receipts, one core",
            method: """
                Receipts of ten purchases in 10.9 kB of base64, signed with RSA of 2048 bits and SHA-256, all by \
                one signer that was met before. `openssl speed` verifies one bare signature again and again. \
                libcrypto's CMS gets the decoded receipts, and judges the chain of each. Within the process, a \
                verdict comes with what the receipt says, as values; the second row writes it as JSON too. The \
                command is timed as in its own group, NDJSON to /dev/null.
                """,
            scenarios: try group.scenarios(), headlines: headlines)
    }

    private init(_ plan: Plan, _ workshop: Workshop) throws {
        self.plan = plan
        self.workshop = workshop
        corpus = CorpusFile(name: "receipts", lines: plan.receipts, purchases: Self.purchases)
        try workshop.mint(corpus)
        let text = try Data(contentsOf: URL(filePath: workshop.path(of: corpus)))
        receipts = text.split(separator: UInt8(ascii: "\n")).prefix(plan.batch).map { [UInt8]($0) }
        guard let pem = FileManager.default.contents(atPath: Workshop.receiptRoot),
            let root = try TrustAnchor.certificates(in: [UInt8](pem)).first?.der
        else { throw BenchmarkError.unreadable(Workshop.receiptRoot) }
        self.root = root
    }

    private static let peer = "openssl-speed-rsa"

    private func scenarios() throws -> [Scenario] {
        let verifier = try ReceiptVerifier(anchors: [TrustAnchor(der: root)])
        let cms = try CMSPeer(root: root)
        let command = CommandRun(
            workshop: workshop, command: try workshop.command(), corpus: corpus, options: ["--jobs", "1"])
        return [
            workshop.opensslSpeed(
                Series(
                    Self.peer, "`openssl speed rsa2048`, verifications", .signaturesPerSecond, isPeer: true,
                    bar: "openssl speed, bare RSA"),
                .rsa2048, seconds: 1),
            try scenario(
                Series(
                    "receipt", "ReceiptVerifier, base64 in, values out", .receiptsPerSecond, peer: Self.peer,
                    bar: "ReceiptVerifier")
            ) { (try? verifier.verify($0.span)) != nil },
            try scenario(
                Series(
                    "receipt-json", "the same and JSON", .receiptsPerSecond, peer: Self.peer,
                    bar: "ReceiptVerifier and JSON")
            ) { (try? verifier.verify($0.span)).map { !$0.receipt.json.isEmpty } ?? false },
            try scenario(
                Series(
                    "cms", "libcrypto's CMS, as `openssl cms -verify`", .receiptsPerSecond, peer: Self.peer,
                    isPeer: true, bar: "libcrypto's CMS"), isDecoded: true
            ) { cms.verifies($0) },
            Scenario(
                Series(
                    "receipt-command", "the command, `--jobs 1`", .receiptsPerSecond, peer: Self.peer,
                    bar: "the command"),
                count: corpus.lines
            ) { try command.measure().linesPerSecond },
        ]
    }

    private static let headlines = [
        Headline("receipts ÷ `openssl speed rsa2048` verifications", "receipt", dividedBy: peer),
        Headline("the same, with JSON", "receipt-json", dividedBy: peer),
        Headline("the command, `--jobs 1` ÷ `openssl speed rsa2048`", "receipt-command", dividedBy: peer),
        Headline("receipts ÷ libcrypto's CMS", "receipt", dividedBy: "cms"),
    ]

    private func scenario(
        _ series: Series, isDecoded: Bool = false, _ verifies: @escaping ([UInt8]) -> Bool
    ) throws -> Scenario {
        let receipts =
            try isDecoded
            ? receipts.map { text in
                guard let data = Data(base64Encoded: Data(text)) else {
                    throw BenchmarkError.unreadable(corpus.name)
                }
                return [UInt8](data)
            } : receipts
        guard let first = receipts.first, verifies(first), !verifies(Self.spoilt(first)) else {
            throw BenchmarkError.wrongVerdict(series.title)
        }
        let watch = Stopwatch(seconds: plan.tokenSeconds, countPerCall: Self.countPerCall)
        var (turn, refused) = (0, 0)
        return Scenario(series, count: watch.count) {
            let speed = try watch.speed {
                for _ in 0..<Self.countPerCall {
                    if !verifies(receipts[turn % receipts.count]) { refused += 1 }
                    turn += 1
                }
            }
            guard refused == 0 else { throw BenchmarkError.wrongVerdict(series.title) }
            return speed
        }
    }

    private static let countPerCall = 16

    /// A receipt with one bit changed in its last 256 bytes, the signature.
    private static func spoilt(_ receipt: [UInt8]) -> [UInt8] {
        var spoilt = receipt
        let place = receipt.count - 100
        // In base64, replaces one character.
        spoilt[place] = receipt[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return spoilt
    }
}
