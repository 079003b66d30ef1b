import ArgumentParser
import Foundation
import Minting
import Synchronization
import TestMinting

/// `mint corpus [options] FILE` writes payloads or receipts signed by the test PKI, one on each line, for
/// benchmarks.
struct CorpusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "corpus",
        abstract: "Mint signed payloads or receipts, one a line; the same in every run.")

    /// The chains of the tokens, by name.
    enum Chains: String, ExpressibleByArgument, CaseIterable {
        case shared, fresh, forged
    }

    @Option(help: "How many tokens to mint.")
    var tokens = 1000

    @Option(help: "The kinds of the payloads. Notifications have two payloads inside.")
    var content = CorpusPayload.Content.transactions

    @Flag(help: "Give payloads nested, null and escaped members, and leave out others.")
    var varied = false

    @Option(help: "How many of a hundred lines are JSON objects around a token, as webhooks log them.")
    var wrappedPercent = 0

    @Option(help: "How many keys sign them, in turn (with --chains shared).")
    var keys = 1

    @Option(help: "How many of a hundred signatures do not match.")
    var badPercent = 0

    @Option(help: "Chains that tokens share, a fresh trusted one for each line, or a forged one for each.")
    var chains = Chains.shared

    @Option(help: "Mint so many app receipts, in base64, and no tokens.")
    var receipts: Int?

    @Option(help: "How many in-app purchases each receipt has.")
    var purchases = 10

    @Option(help: "Write the trust anchor here, as PEM.", completion: .file())
    var root: String?

    @Option(help: "Have the leaves name this OCSP responder (with --chains shared).")
    var leafResponder: String?

    @Option(help: "Have the intermediate name this OCSP responder (with --chains shared).")
    var intermediateResponder: String?

    @Option(
        help: ArgumentHelp(
            """
            Write into this folder what openssl ocsp needs to call the certificates good: for leaves, and again \
            for the intermediate, -ca.pem, -signer.pem, -signer-key.pem and -index.txt. The responders' \
            addresses are not in it.
            """, valueName: "folder"),
        completion: .directory)
    var responderFiles: String?

    @Argument(help: "The file to write.")
    var file: String

    func validate() throws {
        guard tokens >= 0, keys > 0, receipts ?? 0 >= 0, purchases >= 0,
            [badPercent, wrappedPercent].allSatisfy((0...100).contains)
        else { throw ValidationError("A number or a percentage is out of range.") }
        guard (leafResponder == nil) == (intermediateResponder == nil) else {
            throw ValidationError("--leaf-responder and --intermediate-responder go together.")
        }
        guard leafResponder == nil && responderFiles == nil || receipts == nil && chains == .shared else {
            throw ValidationError("Responders are for tokens under shared chains.")
        }
        guard receipts == nil || chains == .shared && keys == 1 else {
            throw ValidationError("Receipts are signed under one chain, by one key.")
        }
    }

    func run() throws {
        let corpus: any CorpusOfLines
        if receipts == nil {
            let tokens = try Corpus(
                content, isVaried: varied, signers: signers, badPercent: badPercent,
                wrappedPercent: wrappedPercent, responders: responders)
            if let responderFiles { try write(tokens.responderFiles(), to: URL(filePath: responderFiles)) }
            corpus = tokens
        } else {
            corpus = try ReceiptCorpus(purchases: purchases, badPercent: badPercent)
        }
        if let root { try Data(corpus.rootPEM().utf8).write(to: URL(filePath: root)) }
        guard FileManager.default.createFile(atPath: file, contents: nil) else {
            throw ValidationError("\(file) can't be written.")
        }
        let output = try FileHandle(forWritingTo: URL(filePath: file))
        let count = receipts ?? tokens
        for start in stride(from: 0, to: count, by: Self.linesAtATime) {
            let lines = try Self.lines(start..<min(start + Self.linesAtATime, count), of: corpus)
            try output.write(contentsOf: lines)
        }
        try output.close()
    }

    private var responders: (leaf: String, intermediate: String)? {
        guard let leafResponder, let intermediateResponder else { return nil }
        return (leafResponder, intermediateResponder)
    }

    private func write(_ responders: [(name: String, files: OCSPResponderFiles)], to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, files) in responders {
            let contents = [
                "ca.pem": files.authority, "signer.pem": files.signer, "signer-key.pem": files.signerKey,
                "index.txt": files.index,
            ]
            for (kind, text) in contents {
                try Data(text.utf8).write(to: folder.appending(path: "\(name)-\(kind)"))
            }
        }
    }

    private var signers: Corpus.Signers {
        switch chains {
        case .shared: .shared(count: keys)
        case .fresh: .fresh
        case .forged: .forged
        }
    }

    /// Some 20 MB.
    private static let linesAtATime = 4096

    /// Lines of the corpus, minted on all cores.
    private static func lines(_ numbers: Range<Int>, of corpus: any CorpusOfLines) throws -> Data {
        let shares = ProcessInfo.processInfo.activeProcessorCount
        let minted = Mutex([Result<Data, MintingError>](repeating: .success(Data()), count: shares))
        DispatchQueue.concurrentPerform(iterations: shares) { share in
            let start = numbers.lowerBound + numbers.count * share / shares
            let end = numbers.lowerBound + numbers.count * (share + 1) / shares
            let lines = Result { () throws(MintingError) in
                var lines = Data()
                for number in start..<end {
                    lines.append(contentsOf: try corpus.line(number).utf8)
                    lines.append(UInt8(ascii: "\n"))
                }
                return lines
            }
            minted.withLock { $0[share] = lines }
        }
        return try minted.withLock { try $0.reduce(into: Data()) { $0.append(try $1.get()) } }
    }
}

extension CorpusPayload.Content: ExpressibleByArgument {}
