import BenchmarkKit
import Foundation

/// Apple's App Store Server Library for Python, in its own environment.
struct PythonPeer {
    static let version = "3.1.2"

    private let workshop: Workshop
    private let interpreter: String
    private let root: String

    /// The reason why the library is not available.
    struct Missing: Error {
        let reason: String
    }

    /// Installs the library into the workshop's folder.
    init(_ workshop: Workshop, root der: [UInt8]) throws {
        self.workshop = workshop
        let environment = workshop.folder.path("python")
        interpreter = environment + "/bin/python"
        root = workshop.folder.path("root.der")
        try Data(der).write(to: URL(filePath: root))
        StandardError.say("installing app-store-server-library \(Self.version)")
        do {
            try Self.finish(ChildProcess("python3", ["-m", "venv", environment]), workshop)
            let package = "app-store-server-library==\(Self.version)"
            let options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
            try Self.finish(ChildProcess(interpreter, options), workshop)
        } catch {
            throw Missing(reason: "python3 with venv and pip, and a package index, are not there")
        }
    }

    private static func finish(_ process: ChildProcess, _ workshop: Workshop) throws {
        var process = process
        process.errors = .null
        try workshop.finish(process)
    }

    /// Tokens a second in a process that verifies this many; its start does not count. The process itself
    /// checks that a bad token is refused.
    func speed(tokens count: Int, of corpus: CorpusFile) throws -> Double {
        let script = Workshop.repository.appending(path: "Benchmarks/Peers/apple_library.py").path
        let text = try workshop.finish(
            ChildProcess(interpreter, [script, root, workshop.path(of: corpus), String(count)]))
        guard let seconds = text.split(separator: "\n").last.flatMap({ Double($0) }), seconds > 0 else {
            throw BenchmarkError.unexpectedEnd(program: script, status: 0, detail: text)
        }
        return Double(count) / seconds
    }
}
