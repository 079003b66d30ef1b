import BenchmarkKit
import Foundation

/// Tokens that Apple signed, of a folder in which `jws/*-transaction-*.jws` and so on hold one each.
struct GenuineTokens {
    let transactions: [String]
    let renewals: [String]
    let notifications: [String]

    init(folder: String, _ workshop: Workshop) throws {
        let jws = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "jws")
        let files = try FileManager.default.contentsOfDirectory(atPath: jws.path).sorted()
        let tokens = { (kind: String) in
            let found = try files.filter { $0.contains("-\(kind)-") }.map { file in
                try String(contentsOf: jws.appending(path: file), encoding: .utf8).filter { !$0.isNewline }
            }
            return try Self.verified(found, workshop)
        }
        transactions = try tokens("transaction")
        renewals = try tokens("renewalInfo")
        notifications = try tokens("notification")
    }

    /// The lines of an archive of all three in the shares of the minted one, in which every second line is
    /// wrapped.
    var mixed: [String] {
        // With all combinations of kind and form, and of every token.
        (0..<1_000).map { number in
            let (tokens, name) =
                switch number / 2 % 10 {
                case 0..<6: (notifications, "signedPayload")
                case 6..<9: (transactions, "signedTransactionInfo")
                default: (renewals, "signedRenewalInfo")
                }
            let token = tokens[number / 2 % tokens.count]
            return number % 2 == 0 ? token : Self.wrapped(token, name)
        }
    }

    /// A token as a webhook logs it.
    static func wrapped(_ token: String, _ name: String) -> String { #"{"\#(name)":"\#(token)"}"# }

    /// The tokens that the command verifies. Some folders have a token that Apple signed, and that has no
    /// payload.
    private static func verified(_ tokens: [String], _ workshop: Workshop) throws -> [String] {
        let corpus = CorpusFile(name: "genuine", lines: tokens.count)
        try workshop.write(corpus, repeating: tokens)
        var process = ChildProcess(try workshop.command(), [workshop.path(of: corpus)])
        let output = workshop.folder.path("verdicts")
        process.output = .file(output)
        _ = try process.run()
        let verdicts = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        let verified = zip(tokens, verdicts).filter { $1.contains(#""verified":true"#) }.map(\.0)
        guard verdicts.count == tokens.count, !verified.isEmpty else {
            throw BenchmarkError.unreadable(output)
        }
        return verified
    }
}
