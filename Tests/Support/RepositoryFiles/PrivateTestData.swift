package import Foundation

/// Test data that is not ours to publish, in the folder that the environment variable `PRIVATE_TEST_DATA` names. Tests
/// that need a part of it are skipped where that part is missing, and say so.
package enum PrivateTestData: String {
    /// Payloads, receipts and certificates of Apple's: `jws`, `receipts`, `xcode`, `certs` and `index.json`.
    case genuine
    /// C2SP's Wycheproof vectors.
    case wycheproof = "facts/wycheproof"
    /// The `.storekit` files of public projects.
    case storeKitFiles = "facts/test-store/storekit-files"

    private static let parent = ProcessInfo.processInfo.environment["PRIVATE_TEST_DATA"].map {
        URL(filePath: $0)
    }

    /// The folder of this part, if it exists.
    package var folder: URL? {
        guard let folder = Self.parent?.appending(path: rawValue) else { return nil }
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// The files in a folder of this part, by name: all, or those with this extension. None if the part is missing.
    package func files(in subfolder: String = "", extension wanted: String? = nil) throws -> [URL] {
        guard let folder = folder?.appending(path: subfolder) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { wanted == nil || $0.pathExtension == wanted }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
