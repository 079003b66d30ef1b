import ArgumentParser
import Foundation
import TestVectorMinting

/// `mint vectors FOLDER` writes the folder of test vectors again.
struct VectorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vectors",
        abstract: "Rewrite a folder of test vectors; files that are no longer minted are removed.")

    @Argument(help: "The folder, TestVectors in this repository.", completion: .directory)
    var folder: String

    func run() throws {
        let files = try Catalogue.files()
        try write(files, to: URL(filePath: folder, directoryHint: .isDirectory))
        print("\(files.count) files written")
    }

    /// Replaces the contents of the folder's subfolders.
    private func write(_ files: [Catalogue.File], to folder: URL) throws {
        let manager = FileManager.default
        for subfolder in ["valid", "invalid", "pki"] {
            let url = folder.appending(path: subfolder)
            if manager.fileExists(atPath: url.path) { try manager.removeItem(at: url) }
            try manager.createDirectory(at: url, withIntermediateDirectories: true)
        }
        for file in files { try Data(file.contents).write(to: folder.appending(path: file.path)) }
    }
}
