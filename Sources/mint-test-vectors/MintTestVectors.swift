import Foundation
import TestVectorMinting

/// `mint-test-vectors FOLDER` rewrites the folder of test vectors.
@main
struct MintTestVectors {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            complain("usage: mint-test-vectors FOLDER")
            exit(64)
        }
        do {
            let files = try Catalogue.files()
            try write(files, to: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
            print("\(files.count) files written")
        } catch {
            complain("mint-test-vectors: \(error)")
            exit(1)
        }
    }

    /// What can stop the tool once the vectors are minted.
    struct WriteError: Error {
        let path: String
        let reason: String
    }

    /// Replaces the folder's contents; a file that is no longer minted goes away.
    private static func write(_ files: [Catalogue.File], to folder: URL) throws(WriteError) {
        let manager = FileManager.default
        for subfolder in ["valid", "invalid", "pki"] {
            let url = folder.appendingPathComponent(subfolder)
            try attempt(url) {
                if manager.fileExists(atPath: url.path) { try manager.removeItem(at: url) }
                try manager.createDirectory(at: url, withIntermediateDirectories: true)
            }
        }
        for file in files {
            let url = folder.appendingPathComponent(file.path)
            try attempt(url) { try Data(file.contents).write(to: url) }
        }
    }

    private static func attempt(_ url: URL, _ body: () throws -> Void) throws(WriteError) {
        do { try body() } catch { throw WriteError(path: url.path, reason: "\(error)") }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
