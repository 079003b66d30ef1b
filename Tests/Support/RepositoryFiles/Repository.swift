package import Foundation

/// The files of this repository that tests read: vectors, pages and corpora.
package enum Repository {
    /// The repository's folder: the nearest one above this file that has a manifest.
    package static let folder: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// The folder of committed vectors.
    package static let vectors = file("TestVectors")

    /// A file or folder, by its path in the repository.
    package static func file(_ path: String) -> URL { folder.appending(path: path) }

    /// The text of a file, by its path in the repository.
    package static func text(_ path: String) throws -> String {
        try String(contentsOf: file(path), encoding: .utf8)
    }
}
