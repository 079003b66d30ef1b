import Foundation
import Testing

/// A run of the real command as a process of its own.
struct CommandProcess {
    /// The command that was built beside these tests.
    static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "storekit-verify")
    /// The folder of committed vectors.
    static let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "TestVectors")
    /// The minted root, as an option.
    static let root = ["--root", vectors.appending(path: "pki/root.pem").path]

    /// The exit status and output of a run.
    let status: Int32
    let output: [UInt8]
    let diagnostics: String

    /// Runs the command to its end, with this standard input.
    init(_ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws {
        try self.init(shell: "\"$0\" \"$@\"", arguments, input: input, environment: environment)
    }

    /// Runs a line of shell. In it, `"$0" "$@"` is the command with its arguments.
    init(shell: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:])
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", shell, Self.executable.path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // The streams are files, not pipes. They take any amount of output, so that no process waits for
        // another.
        process.standardInput = try FileHandle(forReadingFrom: folder.file("input", input))
        let (output, errors) = (try folder.file("output", []), try folder.file("errors", []))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = [UInt8](try Data(contentsOf: output))
        diagnostics = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    }

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The verdicts of NDJSON output. Every line must be an object with a line break at its end.
    func verdicts() throws -> [Verdict] {
        #expect(output.isEmpty || output.last == UInt8(ascii: "\n"))
        return try output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Verdict.self, from: Data($0))
        }
    }
}

/// One line of NDJSON output, without its payload.
struct Verdict: Decodable, Equatable {
    var file: String?
    var line: Int
    var verified: Bool
    var type: String?
    var error: String?
    var detail: String?
    var message: String?
    var at: String?
    var retryable: Bool?
}

/// A folder for one test.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "storekit-verify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Writes a file into the folder.
    func file(_ name: String, _ content: [UInt8]) throws -> URL {
        let file = url.appending(path: name)
        try Data(content).write(to: file)
        return file
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
