import Foundation
import RepositoryFiles
import Testing

/// The samples of the documentation are files that are compiled and run here.
@Suite struct DocumentationSampleTests {
    @Test func `the first page shows the tested sample, line for line`() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let code = try String(contentsOf: here.appending(path: "WebhookSample.swift"), encoding: .utf8)
        let page = Repository.file(
            "Sources/TestStore/StoreKitTestSession/StoreKitTestSession.docc/StoreKitTestSession.md")
        let shown = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n")
            .dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(shown == [code])
    }
}
