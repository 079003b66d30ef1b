import Foundation
import RepositoryFiles
import Testing

/// The ledger computes, and does nothing else: what it says depends on the payloads and the instant alone.
@Suite struct LedgerRuleTests {
    private static let folder = "Sources/StoreKit/StoreKitVerify/Ledger"

    @Test func `the ledger has no input, output, clock, lock or task`() throws {
        let root = Repository.file(Self.folder)
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 25)
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            let imports = code.filter { $0.contains("import ") && !$0.hasPrefix(" ") }.compactMap {
                $0.split(separator: " ").last
            }
            #expect(
                Set(imports).isSubset(of: ["Essentials", "SignedPayloads", "WireFormats"]),
                "\(file.lastPathComponent): \(imports)")
            for word in [
                "async", "await", "Date()", ".now", "Clock", "Mutex", "Task", "print(", "FileManager",
                "static var ",
                "TransactionStore", "Random",
            ] {
                #expect(!code.contains { $0.contains(word) }, "\(word) in \(file.lastPathComponent)")
            }
        }
    }
}
