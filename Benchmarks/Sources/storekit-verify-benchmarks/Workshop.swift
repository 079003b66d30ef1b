import BenchmarkKit
import Foundation

/// The materials of scenarios: the command, the corpora, and a folder for them.
final class Workshop {
    /// The root of the repository, derived from this file's path at compile time.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// The root certificate of the token corpora, in PEM.
    static let root = repository.appending(path: "TestVectors/pki/root.pem").path
    /// A root certificate that is in no corpus's chains, in PEM.
    static let otherRoot = repository.appending(path: "TestVectors/pki/p256-root.pem").path
    /// The root certificate of the receipt corpora, in PEM.
    static let receiptRoot = repository.appending(path: "TestVectors/pki/receipt-root.pem").path

    let folder: TemporaryFolder
    private let namedCommand: String?
    private var products: [String: String] = [:]

    /// - Parameter command: the command to measure; `nil` builds it.
    init(command: String?) throws {
        namedCommand = command
        folder = try TemporaryFolder()
    }

    /// The path of the command to measure.
    func command() throws -> String { try namedCommand ?? product("storekit-verify") }

    /// The path of the command that has a database. Its build is that of all traits.
    func commandWithDatabase() throws -> String {
        try product(
            "storekit-verify",
            ["--traits", "Service", "--scratch-path", Self.repository.appending(path: ".build/traits").path])
    }

    /// Mints a corpus into the folder.
    func mint(_ corpus: CorpusFile) throws {
        StandardError.say("minting \(corpus.name): \(corpus.lines) lines")
        var options = ["--tokens", String(corpus.lines), "--bad-percent", String(corpus.badPercent)]
        options += ["--content", corpus.content, "--wrapped-percent", String(corpus.wrappedPercent)]
        if corpus.isVaried { options.append("--varied") }
        if let purchases = corpus.purchases {
            options += ["--receipts", String(corpus.lines), "--purchases", String(purchases)]
        }
        switch corpus.chains {
        case .shared(let keys): options += ["--keys", String(keys)]
        case .fresh: options += ["--chains", "fresh"]
        case .forged: options += ["--chains", "forged"]
        }
        if let responders = corpus.responders {
            options += [
                "--leaf-responder", responders.leaf, "--intermediate-responder", responders.intermediate,
            ]
        }
        try finish(ChildProcess(product("mint"), ["corpus"] + options + [path(of: corpus)]))
    }

    /// Mints hostile lines, one file of each kind, into a folder of their own. Returns its path and the files'
    /// names.
    func mintWorst(lines: Int) throws -> (folder: String, files: [String]) {
        StandardError.say("minting the worst tokens: \(lines) of each kind")
        let worst = folder.path("worst-\(lines)")
        let names = try finish(ChildProcess(product("mint"), ["worst", "--lines", String(lines), worst]))
        return (worst, names.split(separator: "\n").map(String.init))
    }

    /// Starts OCSP responders for the certificates of corpora with one key.
    func makeResponders() throws -> RevocationResponders {
        let files = folder.path("responders")
        let options = ["--tokens", "0", "--responder-files", files]
        try finish(ChildProcess(product("mint"), ["corpus"] + options + [folder.path("none.jws")]))
        return try RevocationResponders(folder: files)
    }

    /// Writes a corpus of lines that exist, again and again until there are enough.
    func write(_ corpus: CorpusFile, repeating lines: [String]) throws {
        StandardError.say("writing \(corpus.name): \(corpus.lines) lines")
        let text = { (count: Int) in Data(lines.prefix(count).map { $0 + "\n" }.joined().utf8) }
        guard !lines.isEmpty, FileManager.default.createFile(atPath: path(of: corpus), contents: nil),
            let file = FileHandle(forWritingAtPath: path(of: corpus))
        else { throw BenchmarkError.unreadable(path(of: corpus)) }
        let whole = text(lines.count)
        for _ in 0..<corpus.lines / lines.count { try file.write(contentsOf: whole) }
        try file.write(contentsOf: text(corpus.lines % lines.count))
        try file.close()
    }

    /// Reads a corpus, so that the next run finds it in memory. It is read before every run: a machine may drop a file
    /// from memory after seconds.
    func warm(_ corpus: CorpusFile) throws {
        guard try ChildProcess("cat", [path(of: corpus)]).run().status == 0 else {
            throw BenchmarkError.unreadable(path(of: corpus))
        }
    }

    /// Deletes all corpora, which no group shares with the next one.
    func discardCorpora() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        where file.hasSuffix(".jws") {
            try FileManager.default.removeItem(atPath: folder.path(file))
        }
    }

    /// The path of a corpus.
    func path(of corpus: CorpusFile) -> String { folder.path(corpus.name + ".jws") }

    /// Runs a process that must succeed, and returns its output.
    @discardableResult
    func finish(_ process: ChildProcess) throws -> String {
        var process = process
        let output = folder.path("output")
        process.output = .file(output)
        let run = try process.run()
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard run.status == 0 else {
            throw BenchmarkError.unexpectedEnd(
                program: process.program, status: run.status, detail: String(text.suffix(2000)))
        }
        return text
    }

    /// Builds an executable of the main package, in release mode, and returns its path.
    ///
    /// The build is a separate process for two reasons. A package cannot use the `package` symbols of another
    /// one, and the command must be measured as users build it.
    private func product(_ name: String, _ options: [String] = []) throws -> String {
        let key = ([name] + options).joined(separator: " ")
        if let path = products[key] { return path }
        StandardError.say("building \(key)")
        let build = ["build", "-c", "release", "--package-path", Self.repository.path] + options
        try finish(ChildProcess("swift", build + ["--product", name]))
        let folder = try finish(ChildProcess("swift", build + ["--show-bin-path"]))
        let path = (folder.split(separator: "\n").last.map(String.init) ?? "") + "/" + name
        products[key] = path
        return path
    }
}
