import Foundation
import RepositoryFiles
import StoreKitTestSession
import Testing

/// The `.storekit` files of public projects. They are not in the repository: see `PrivateTestData`.
enum GenuineFiles {
    static func urls() throws -> [URL] { try PrivateTestData.storeKitFiles.files(extension: "storekit") }

    static func configurations() throws -> [(name: String, configuration: StoreKitConfiguration)] {
        try urls().map { ($0.lastPathComponent, try StoreKitConfiguration(contentsOf: $0)) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test without the folder of real files.
    static var needsGenuineFiles: Self {
        .enabled(
            if: PrivateTestData.storeKitFiles.folder != nil,
            "PRIVATE_TEST_DATA names no folder with .storekit files")
    }
}
