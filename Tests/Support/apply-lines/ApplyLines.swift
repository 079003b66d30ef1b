import Foundation
import SignedPayloads
import StoreKitVerify
import StoreKitVerifySQLite

/// `apply-lines DATABASE ROOT`: applies each transaction of standard input to a store, and writes the number of its
/// line when the store has returned. Tests kill it at any point.
@main
enum ApplyLines {
    static func main() async throws {
        #if SQLite
            let root = try Data(contentsOf: URL(filePath: CommandLine.arguments[2]))
            let verifier = try SignedPayloadVerifier(anchors: [TrustAnchor(der: Array(root))])
            let store = try SQLiteTransactionStore(path: CommandLine.arguments[1], verifier: verifier)
            var number = 0
            while let line = readLine() {
                number += 1
                try await store.apply(StoreKitVerifier(verifier).transaction(line))
                FileHandle.standardOutput.write(Data("\(number)\n".utf8))
            }
        #endif
    }
}
