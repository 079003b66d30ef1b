package import Foundation
import RepositoryFiles

/// A run of the real command as a process of its own.
package struct CommandProcess {
    /// The command that was built beside these tests.
    package static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "storekit-verify")
    /// The folder of committed vectors.
    package static let vectors = Repository.vectors
    /// The minted root, as an option.
    package static let root = ["--root", vectors.appending(path: "pki/root.pem").path]

    /// The exit status and output of a run.
    package let status: Int32
    package let output: [UInt8]
    package let diagnostics: String

    /// Runs the command to its end, with this standard input.
    package init(_ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws {
        try self.init(shell: "\"$0\" \"$@\"", arguments, input: input, environment: environment)
    }

    /// Runs a line of shell. In it, `"$0" "$@"` is the command with its arguments.
    package init(
        shell: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    )
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
    package var text: String { String(decoding: output, as: UTF8.self) }

    /// The verdicts of NDJSON output. Every line must be an object with a line break at its end.
    package func verdicts() throws -> [Verdict] {
        guard output.isEmpty || output.last == UInt8(ascii: "\n") else { throw UnfinishedLine() }
        return try output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Verdict.self, from: Data($0))
        }
    }
}

/// The output's last line has no line break.
package struct UnfinishedLine: Error {}

/// One line of NDJSON output, without its payload.
package struct Verdict: Decodable, Equatable {
    package var file: String?
    package var line: Int
    package var verified: Bool
    package var type: String?
    package var error: String?
    package var detail: String?
    package var message: String?
    package var at: String?
    package var retryable: Bool?
}

/// A folder for one test.
package struct TemporaryFolder {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "storekit-verify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Writes a file into the folder.
    package func file(_ name: String, _ content: [UInt8]) throws -> URL {
        let file = url.appending(path: name)
        try Data(content).write(to: file)
        return file
    }

    package func remove() { try? FileManager.default.removeItem(at: url) }
}
