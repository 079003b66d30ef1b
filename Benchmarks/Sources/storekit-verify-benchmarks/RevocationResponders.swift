import BenchmarkKit
import Foundation

/// OpenSSL responders that report a corpus's certificates as good. They run until this object is released.
final class RevocationResponders: Sendable {
    /// The responders' addresses, for the certificates.
    let leaf: String
    let intermediate: String
    private let processes: [Process]

    /// Starts both responders and waits until they listen.
    ///
    /// - Parameter folder: the output of `mint corpus --responder-files`.
    init(folder: String) throws {
        let (leaf, leafProcess) = try Self.start("leaf", folder)
        let (intermediate, intermediateProcess) = try Self.start("intermediate", folder)
        (self.leaf, self.intermediate) = (leaf, intermediate)
        processes = [leafProcess, intermediateProcess]
    }

    deinit { for process in processes { process.terminate() } }

    private static func start(_ name: String, _ folder: String) throws -> (url: String, Process) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let files = [
            ("-index", "index.txt"), ("-CA", "ca.pem"), ("-rsigner", "signer.pem"),
            ("-rkey", "signer-key.pem"),
        ]
        process.arguments =
            ["openssl", "ocsp", "-port", "0", "-ndays", "1"]
            + files.flatMap { [$0, "\(folder)/\(name)-\($1)"] }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The responder prints: ACCEPT [::]:42019 PID=16526
        var text = ""
        while !text.contains("\n") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        let address = text.split(separator: " ").dropFirst().first
        guard let port = address?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            process.terminate()
            throw BenchmarkError.unexpectedEnd(
                program: "openssl ocsp", status: process.terminationStatus, detail: text)
        }
        return ("http://127.0.0.1:\(port)/", process)
    }
}
