import CommandProcesses
import Foundation
import Minting
import Testing

/// The command `ingest`, and `entitlements` on the database that it makes.
@Suite struct IngestCommandTests {
    private let folder: TemporaryFolder
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.url.appending(path: "purchases.db").path
    }

    private func run(
        _ command: String, _ arguments: [String] = [], input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> CommandProcess {
        try CommandProcess(
            [command] + CommandProcess.root + ["--database", database] + arguments, input: input,
            environment: environment)
    }

    #if !SQLite
        @Test func `a build without a database says how to get one`() throws {
            for arguments in [["ingest"], ["entitlements"]] {
                let run = try run(arguments[0])
                #expect(run.status == 64)
                #expect(run.diagnostics.contains("swift build -c release --traits SQLite"))
            }
            folder.remove()
        }
    #else
        private func vectors(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: CommandProcess.vectors.appending(path: "valid/\(name).jws")))
        }

        /// A purchase of the year 2026 with its own identifier.
        private func level(_ id: Int, _ others: String = "") throws -> String {
            try TestPKI.standard().minter().token(
                payload:
                    #"{"transactionId":"\#(id)","originalTransactionId":"\#(id)","bundleId":"com.example.garden","productId":"level","type":"Non-Consumable","purchaseDate":1767225600000,"originalPurchaseDate":1767225600000,"environment":"Production","signedDate":1767225601000\#(others)}"#
            )
        }

        private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

        @Test func `a database gives the entitlements that its archive gives`() throws {
            defer { folder.remove() }
            let input = try vectors("transactions") + vectors("notifications") + vectors("renewal-info")
            let archive = try CommandProcess(
                ["entitlements"] + CommandProcess.root + ["--at", "2025-12-10"], input: input)
            #expect(lines(archive.text).count > 0)
            // Of 36 payloads, some are other signings of the same. How many of those are new depends on their order.
            for expected in [#/; \d\d new, \d+ known, 6 without a purchase/#, #/; 0 new, 36 known, /#] {
                let ingest = try run("ingest", ["--summary"], input: input)
                // One of the transactions has no original transaction.
                #expect(ingest.status == 1)
                #expect(ingest.output.isEmpty)
                #expect(ingest.diagnostics.contains(expected), "\(ingest.diagnostics)")
                let read = try run("entitlements", ["--at", "2025-12-10"])
                #expect(read.status == 0)
                #expect(lines(read.text).sorted() == lines(archive.text).sorted())
            }
        }

        @Test func `the same file gives the same counts each time`() throws {
            defer { folder.remove() }
            // Each line is a later signing of one purchase, and new if it does not come before an earlier line.
            let minter = try TestPKI.standard().minter()
            let input = try (0..<640).map { line in
                try minter.token(
                    payload:
                        #"{"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.garden","productId":"level","type":"Non-Consumable","purchaseDate":1767225600000,"originalPurchaseDate":1767225600000,"environment":"Production","signedDate":\#(1_767_225_601_000 + line)}"#
                ) + "\n"
            }
            for number in 0..<3 {
                let file = folder.url.appending(path: "\(number).db").path
                let ingest = try CommandProcess(
                    ["ingest", "--summary", "--jobs", "4"] + CommandProcess.root + ["--database", file],
                    input: Array(input.joined().utf8))
                #expect(ingest.status == 0)
                #expect(
                    ingest.diagnostics.contains("; 640 new, 0 known, 0 without a purchase"),
                    "\(ingest.diagnostics)")
            }
        }

        @Test func `an answer of the App Store Server API is kept whole`() throws {
            defer { folder.remove() }
            let tokens = try (1...3).map { "\"\(try level($0))\"" }.joined(separator: ",\n")
            let input = Array("{\"signedTransactions\": [\(tokens), \"damaged\"]}".utf8)
            let run = try run("ingest", ["--any-json", "--summary"], input: input)
            #expect(run.status == 1)
            #expect(run.diagnostics.contains("line 3: invalidEncoding at signedTransactions[3]: "))
            #expect(run.diagnostics.contains("; 3 new, 0 known, 0 without a purchase"), "\(run.diagnostics)")
        }

        @Test func `a compressed file is refused with the pipe to use`() throws {
            defer { folder.remove() }
            let run = try run("ingest", input: [0x1f, 0x8b, 0x08, 0x00] + Array("compressed\nlines".utf8))
            #expect(run.status == 66)
            #expect(lines(run.diagnostics).count == 1 && run.diagnostics.contains("gzip -dc"))
        }

        private struct Entitled: Decodable {
            let originalID, appBundleID: String
            let purchaseDate: String
            let customers: [String]

            /// The customer in one app: all names but that of the purchase itself.
            var customer: [String] {
                [appBundleID] + (customers.count > 1 ? Array(customers.dropLast()) : customers)
            }
        }

        /// More purchases than are read at a time. Customers have several, far apart, in two apps, under names that lead from
        /// one to the other, or under none.
        @Test func `all customers' entitlements come customer by customer, from lines and from a database`()
            throws
        {
            defer { folder.remove() }
            let minter = try TestPKI.standard().minter()
            let count = 1_400
            let tokens = (0..<40).map { _ in UUID().uuidString.lowercased() }
            let input = try (0..<count).map { number in
                let id = 1_000 + number * 37 % count
                let named = number % 7 == 0 ? "" : #","appAccountToken":"\#(tokens[number % 40])""#
                let download = number % 5 == 0 ? #","appTransactionId":"70\#(number % 20)""# : ""
                return try minter.token(
                    payload:
                        #"{"transactionId":"\#(id)","originalTransactionId":"\#(id)","bundleId":"com.example.\#(number % 2)","productId":"level.\#(id)","type":"Non-Consumable","purchaseDate":\#(1_767_225_600_000 + number * 1000),"originalPurchaseDate":1767225600000,"environment":"Production","signedDate":1767325601000\#(named)\#(download)}"#
                ) + "\n"
            }
            #expect(try run("ingest", input: Array(input.joined().utf8)).status == 0)
            let read = try run("entitlements")
            let archive = try CommandProcess(
                ["entitlements"] + CommandProcess.root, input: Array(input.joined().utf8))
            #expect(read.status == 0 && read.text == archive.text)
            let found = try lines(read.text).map {
                try JSONDecoder().decode(Entitled.self, from: Data($0.utf8))
            }
            #expect(found.count == count)
            let customers = Dictionary(grouping: found, by: \.customer)
            #expect(customers.count > 100 && customers.values.contains { $0.count > 30 })
            let ordered = customers.values.sorted { one, other in
                one.compactMap { Int($0.originalID) }.min() ?? 0 < other.compactMap { Int($0.originalID) }
                    .min() ?? 0
            }
            let expected = ordered.flatMap { $0.sorted { $0.purchaseDate > $1.purchaseDate } }
            #expect(found.map(\.originalID) == expected.map(\.originalID))
            let text = try run("entitlements", ["--format", "text"])
            #expect(text.text.hasPrefix("\(count) entitlements at "))
        }

        @Test func `one customer's entitlements, in both forms`() throws {
            defer { folder.remove() }
            let token = UUID().uuidString.lowercased()
            let input = try [level(1, #","appAccountToken":"\#(token)""#), level(2)].joined(separator: "\n")
            #expect(try run("ingest", input: Array(input.utf8)).status == 0)
            let json = try run("entitlements", ["--customer", token, "--format", "json"])
            #expect(lines(json.text).count == 1)
            #expect(json.text.contains(#""id":"1","originalID":"1""#))
            let text = try run("entitlements", ["--customer", token, "--format", "text"])
            #expect(text.text.hasPrefix("1 entitlement at "))
            let other = try run("entitlements", ["--customer", UUID().uuidString.lowercased()])
            #expect(other.status == 0)
            #expect(other.output.isEmpty)
        }

        @Test
        func `purchases of another environment are left out and counted, for all customers and for one`()
            throws
        {
            defer { folder.remove() }
            let token = UUID().uuidString.lowercased()
            let input = try [level(1, #","appAccountToken":"\#(token)""#), level(2)].joined(separator: "\n")
            #expect(try run("ingest", input: Array(input.utf8)).status == 0)
            for (options, count) in [([], 2), (["--customer", token], 1)] {
                let run = try run("entitlements", ["--environment", "Sandbox", "--summary"] + options)
                #expect(run.status == 0 && run.output.isEmpty)
                #expect(
                    run.diagnostics.contains(", \(count) purchases of other apps or environments left out"))
            }
        }

        @Test func `what is refused is named, or written to a file, or kept quiet`() throws {
            defer { folder.remove() }
            let refused = folder.url.appending(path: "refused.ndjson")
            let input = Array(try "nonsense\n\(level(1))\n\n{}\n".utf8)
            let named = try run("ingest", ["--summary"], input: input)
            #expect(named.status == 1)
            #expect(named.output.isEmpty)
            let said = lines(named.diagnostics)
            #expect(said.count == 3)
            #expect(said[0].hasPrefix("storekit-verify: line 1: "))
            #expect(said[1].hasPrefix("storekit-verify: line 4: "))
            #expect(
                said[2]
                    == "storekit-verify: 3 lines, 1 verified, 2 not (invalidEncoding 2: envelope 1, segmentCount 1), 1 empty skipped; 1 new, 0 known, 0 without a purchase"
            )
            let written = try run("ingest", ["--refused", refused.path], input: input)
            #expect(written.status == 1)
            #expect(written.diagnostics.isEmpty)
            let verdicts = try lines(String(contentsOf: refused, encoding: .utf8)).map {
                try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
            }
            #expect(verdicts.map(\.line) == [1, 4])
            #expect(verdicts.allSatisfy { !$0.verified && $0.error == "invalidEncoding" })
            let quiet = try run("ingest", ["--quiet"], input: input)
            #expect(quiet.status == 1)
            #expect(quiet.diagnostics.isEmpty)
        }

        @Test func `slow lines are kept while the pipe is open`() throws {
            defer { folder.remove() }
            let command = try RunningCommand(["ingest"] + CommandProcess.root + ["--database", database])
            defer { command.end() }
            for id in 1...3 {
                try command.send(Array("\(level(id))\n".utf8))
                let start = ContinuousClock.now
                var count = 0
                while count < id, start.duration(to: .now) < .seconds(20) {
                    usleep(20_000)
                    count = lines(try run("entitlements", ["--quiet"]).text).count
                }
                #expect(count == id)
            }
        }

        @Test func `Ctrl-C keeps what was read`() throws {
            defer { folder.remove() }
            let command = try RunningCommand(["ingest"] + CommandProcess.root + ["--database", database])
            defer { command.end() }
            try command.send(Array("\(level(1))\n\(level(2))\n".utf8))
            command.waitUntilRead()
            kill(command.processIdentifier, SIGINT)
            #expect(command.waitForExit() == 256 + SIGINT)
            #expect(lines(try run("entitlements").text).count == 2)
        }

        /// Each run is killed while it imports, one or the other in the middle of a write.
        @Test func `imports that are killed leave a whole database, and the next one completes it`() throws {
            defer { folder.remove() }
            let input = folder.url.appending(path: "input")
            let ids = 1...1_500
            try Data(ids.map { try level($0) }.joined(separator: "\n").utf8).write(to: input)
            var killed = 0
            for run in 0..<30 {
                let command = try RunningCommand(
                    ["ingest"] + CommandProcess.root + ["--database", database, input.path])
                usleep(UInt32(12_000 + run * 3_000))
                kill(command.processIdentifier, SIGKILL)
                if command.waitForExit() == 256 + SIGKILL { killed += 1 }
            }
            #expect(killed > 0)
            #expect(try run("ingest", [input.path]).status == 0)
            #expect(lines(try run("entitlements").text).count == ids.count)
        }

        /// The kills go over the time in which SQLite's log, GRDB's table and ours are made.
        @Test func `an import that is killed while it makes the file does not spoil it`() throws {
            defer { folder.remove() }
            let input = try folder.file("input", Array(level(1).utf8)).path
            for milliseconds in 4..<44 {
                for file in ["", "-wal", "-shm", "-journal"] {
                    try? FileManager.default.removeItem(atPath: database + file)
                }
                let command = try RunningCommand(
                    ["ingest"] + CommandProcess.root + ["--database", database, input])
                usleep(UInt32(milliseconds * 1_000))
                kill(command.processIdentifier, SIGKILL)
                _ = command.waitForExit()
                let next = try run("ingest", [input])
                #expect(next.status == 0, "\(milliseconds): \(next.diagnostics)")
            }
            #expect(lines(try run("entitlements").text).count == 1)
        }

        @Test func `what cannot be done is said in a sentence`() throws {
            defer { folder.remove() }
            let missing = try run("entitlements")
            #expect(missing.status == 66)
            #expect(missing.diagnostics == "storekit-verify: \(database): it does not exist\n")
            let both = try run("entitlements", ["archive.jws"])
            #expect(both.status == 64)
            #expect(both.diagnostics.contains("no files are read"))
            _ = try folder.file("purchases.db", Array("some text\n".utf8))
            for (command, status) in [("ingest", Int32(74)), ("entitlements", 66)] {
                let run = try run(command)
                #expect(run.status == status)
                #expect(run.diagnostics.hasPrefix("storekit-verify: \(database): "))
                #expect(lines(run.diagnostics).count == 1)
            }
            let folderless = try CommandProcess(
                ["ingest", "--database", folder.url.appending(path: "no/such.db").path])
            #expect(folderless.status == 74)
            let nameless = try CommandProcess(["ingest"])
            #expect(nameless.status == 64)
        }

        @Test func `a disk that is full ends the import, and what was kept stays`() throws {
            defer { folder.remove() }
            #expect(try run("ingest", input: Array(level(1).utf8)).status == 0)
            let input = try (2...400).map { try level($0) }.joined(separator: "\n")
            // The system refuses to let files grow beyond a megabyte, as a full disk would.
            let full = try CommandProcess(
                shell: "ulimit -f 400; exec \"$0\" \"$@\"",
                ["ingest"] + CommandProcess.root + ["--database", database], input: Array(input.utf8))
            #expect(full.status == 74)
            #expect(full.diagnostics.hasPrefix("storekit-verify: \(database): "), "\(full.diagnostics)")
            #expect(lines(try run("entitlements").text).count >= 1)
            #expect(try run("ingest", input: Array(input.utf8)).status == 0)
            #expect(lines(try run("entitlements").text).count == 400)
        }
    #endif
}
