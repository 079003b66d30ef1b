#if SQLite
    import DatabaseFolders
    import Foundation
    import PurchaseDatabase
    import RepositoryFiles
    import Testing

    /// A server in a process of its own that notifications are forwarded to: Tests/Support/DatabaseFiles/receiver.py.
    final class Receiver {
        /// A request that came.
        struct Request: Hashable {
            let path: String
            let status: Int
            let isSigned: Bool
            /// The body's SHA-256, in hexadecimal.
            let hash: String
        }

        let url: URL
        private let process = Process()
        private let log: URL

        /// - Parameters:
        ///   - folder: where its log is.
        ///   - secret: the file of the secret.
        ///   - plan: what it answers with; see the script.
        init(_ folder: DatabaseFolder, secret: URL, plan: String) throws {
            log = folder.url.appending(path: "log-\(UUID())")
            process.executableURL = URL(filePath: "/usr/bin/env")
            let script = Repository.file("Tests/Support/DatabaseFiles/receiver.py")
            process.arguments = ["python3", script.path, secret.path, log.path, plan]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            var port = ""
            while !port.hasSuffix("\n") {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "the receiver does not start: is python3 installed?")
                port += String(decoding: data, as: UTF8.self)
            }
            url = try #require(URL(string: "http://127.0.0.1:\(port.dropLast())/notifications"))
        }

        deinit { kill(process.processIdentifier, SIGKILL) }

        /// What came, as soon as there is so much of it, or after half a minute: a busy receiver reads a request late.
        func requests(atLeast count: Int) async throws -> [Request] {
            for _ in 0..<600 where try requests().count < count {
                try await Task.sleep(for: .milliseconds(50))
            }
            return try requests()
        }

        /// What came until now.
        func requests() throws -> [Request] {
            let text = try String(contentsOf: log, encoding: .utf8)
            return try text.split(separator: "\n").map { line in
                let words = line.split(separator: " ").map { String($0) }
                try #require(words.count == 4)
                return Request(
                    path: words[0], status: try #require(Int(words[1])), isSigned: words[2] == "signed",
                    hash: words[3])
            }
        }
    }
#endif
