#if SQLite
    import CommandProcesses
    import Foundation
    import LedgerLives
    import Testing

    /// Small inputs that were told differently by different parts: what is right, from lines in any order and from a database.
    @Suite struct LedgerCaseTests {
        private func run(_ life: LedgerCase, _ arguments: [String], _ input: [String]) throws -> String {
            let process = try CommandProcess(
                [arguments[0], "--root", life.rootFile.path] + arguments.dropFirst(),
                input: Array(input.map { $0 + "\n" }.joined().utf8))
            #expect(process.status == 0, "\(process.diagnostics)")
            return process.text
        }

        private struct Line: Decodable {
            let id: String?
            let kind: String?
            let transactionID: String?
            let amount: String?
            let estimate: String?
        }

        private func lines(_ text: String) throws -> [Line] {
            try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        }

        @Test(arguments: LedgerCase.all)
        func `every door of the command tells it rightly`(_ life: LedgerCase) throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let tokens = try life.lines
            let database = ["--database", folder.url.appending(path: "purchases.db").path]
            _ = try run(life, ["ingest"] + database, tokens.shuffled())
            for door in [tokens, tokens.reversed() + tokens, []] {
                let options = door.isEmpty ? database : []
                for owned in life.owned {
                    let question = [
                        "entitlements", "--at", owned.instant, "--customer", owned.customer, "--environment",
                        "Production",
                    ]
                    let found = try lines(run(life, question + options, door)).compactMap(\.id)
                    #expect(found == owned.transactions, "\(owned)")
                }
                let charges = try lines(run(life, ["charges"] + options, door)).map {
                    "\($0.kind ?? "") \($0.transactionID ?? "") \($0.amount ?? $0.estimate ?? "-")"
                }
                #expect(charges.sorted() == life.charges.sorted())
            }
        }
    }
#endif
