import CommandProcesses
import Foundation
import RepositoryFiles
import Testing

/// The picture of one life, byte for byte as on the documentation's page.
///
/// `UPDATE_GOLDEN=1 swift test -c release --filter TimelineGoldenTests` writes the file again.
@Suite struct TimelineGoldenTests {
    private static let catalog = Repository.file("Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc")

    /// The lines of a code block on the page.
    private func block(_ language: String) throws -> String {
        let page = try String(contentsOf: Self.catalog.appending(path: "Timelines.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```\(language)\n").dropFirst().first)
        return try #require(block.components(separatedBy: "```").first)
    }

    @Test func `the page's commands draw the page's picture`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        _ = try folder.file("life", Array(block("text").utf8))
        let run = try CommandProcess(
            shell: """
                cd "$1" && PATH="$(dirname "$0"):$PATH" && set -e
                \(block("sh"))
                cat timeline.svg
                """, [folder.url.path])
        #expect(run.status == 0 && run.diagnostics.isEmpty, "\(run.diagnostics)")
        let golden = Self.catalog.appending(path: "Resources/timeline.svg")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(run.output).write(to: golden)
        }
        #expect(try Data(run.output) == Data(contentsOf: golden))
    }
}
