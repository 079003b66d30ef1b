import ArgumentParser
import Foundation
import Minting
import Synchronization

/// `mint-corpus [options] FILE` writes transactions signed by the test PKI, one a line, for benchmarks.
@main
struct MintCorpus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint-corpus",
        abstract: "Mint signed transactions, one a line, under the test PKI; the same in every run.")

    /// Who signs the tokens, by name.
    enum Chains: String, ExpressibleByArgument, CaseIterable {
        case shared, fresh, forged
    }

    @Option(help: "How many tokens to mint.")
    var tokens = 1000

    @Option(help: "How many keys sign them, in turn (with --chains shared).")
    var keys = 1

    @Option(help: "How many of a hundred signatures do not match.")
    var badPercent = 0

    @Option(help: "Chains that tokens share, a fresh trusted one for each line, or a forged one for each.")
    var chains = Chains.shared

    @Argument(help: "The file to write.")
    var file: String

    func validate() throws {
        guard tokens >= 0, keys > 0, (0...100).contains(badPercent) else {
            throw ValidationError("--tokens, --keys or --bad-percent is out of range.")
        }
    }

    func run() throws {
        let signers: Corpus.Signers =
            switch chains {
            case .shared: .shared(count: keys)
            case .fresh: .fresh
            case .forged: .forged
            }
        let corpus = try Corpus(signers: signers, badPercent: badPercent)
        guard FileManager.default.createFile(atPath: file, contents: nil) else {
            throw ValidationError("\(file) can't be written.")
        }
        let output = try FileHandle(forWritingTo: URL(filePath: file))
        for start in stride(from: 0, to: tokens, by: Self.tokensAtATime) {
            let lines = try Self.lines(start..<min(start + Self.tokensAtATime, tokens), of: corpus)
            try output.write(contentsOf: lines)
        }
        try output.close()
    }

    /// Some 20 MB.
    private static let tokensAtATime = 4096

    /// The lines of some tokens, minted on all cores.
    private static func lines(_ numbers: Range<Int>, of corpus: Corpus) throws -> Data {
        let shares = ProcessInfo.processInfo.activeProcessorCount
        let minted = Mutex([Result<Data, MintingError>](repeating: .success(Data()), count: shares))
        DispatchQueue.concurrentPerform(iterations: shares) { share in
            let start = numbers.lowerBound + numbers.count * share / shares
            let end = numbers.lowerBound + numbers.count * (share + 1) / shares
            let lines = Result { () throws(MintingError) in
                var lines = Data()
                for number in start..<end {
                    lines.append(contentsOf: try corpus.token(number).utf8)
                    lines.append(UInt8(ascii: "\n"))
                }
                return lines
            }
            minted.withLock { $0[share] = lines }
        }
        return try minted.withLock { try $0.reduce(into: Data()) { $0.append(try $1.get()) } }
    }
}
