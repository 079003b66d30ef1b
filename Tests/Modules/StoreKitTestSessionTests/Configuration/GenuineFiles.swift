import Foundation
import StoreKitTestSession
import Testing

/// The `.storekit` files of public projects, in the folder that `STOREKIT_FILES` names. They are not in the repository.
enum GenuineFiles {
    static let folder = ProcessInfo.processInfo.environment["STOREKIT_FILES"].map { URL(filePath: $0) }

    static func urls() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: #require(folder), includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "storekit" }.sorted { $0.path < $1.path }
    }

    static func configurations() throws -> [(name: String, configuration: StoreKitConfiguration)] {
        try urls().map { ($0.lastPathComponent, try StoreKitConfiguration(contentsOf: $0)) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test without the folder of real files.
    static var needsGenuineFiles: Self {
        .enabled(
            if: GenuineFiles.folder != nil,
            "GENUINE FILES SKIPPED: STOREKIT_FILES names no folder of .storekit files")
    }
}
