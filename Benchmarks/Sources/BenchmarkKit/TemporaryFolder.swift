package import Foundation

/// A folder that is deleted together with its owner.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "storekit-verify-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in the folder. The file need not exist.
    package func path(_ name: String) -> String { url.appending(path: name).path }
}
