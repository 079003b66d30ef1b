#if SQLite
    import CommandProcesses
    import Foundation
    import LedgerLives
    import RepositoryFiles
    import StoreKitFixtures
    import Testing

    /// What purchases are, is the same at every door: from lines in any order, twice, and from a database.
    @Suite struct LedgerDoorTests {
        private static let root = ["--root", Repository.vectors.appending(path: "pki/p256-root.pem").path]

        private func run(_ arguments: [String], _ input: [String] = []) throws -> CommandProcess {
            try CommandProcess(
                [arguments[0]] + Self.root + arguments.dropFirst(),
                input: Array(input.map { $0 + "\n" }.joined().utf8))
        }

        @Test(.timeLimit(.minutes(10)))
        func `lines in any order and a database give the same entitlements, charges and periods`() throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let database = ["--database", folder.url.appending(path: "purchases.db").path]
            let tokens = try LedgerRows.tokens()
            #expect(tokens.count > 200)
            let ingest = try run(["ingest"] + database, tokens.shuffled())
            #expect(ingest.status == 0, "\(ingest.diagnostics)")
            for command in ["entitlements", "charges", "periods"] {
                for day in [
                    "2026-01-21T12:00:00Z", "2026-02-04T12:00:00Z", "2026-03-15T12:00:00Z",
                    "2027-03-01T12:00:00Z",
                ] {
                    let question = [command, "--at", day]
                    let lines = try run(question, tokens)
                    #expect(lines.status == 0 && !lines.text.isEmpty, "\(lines.diagnostics)")
                    #expect(
                        try run(question, tokens.shuffled() + tokens.prefix(100)).text == lines.text,
                        "\(question)")
                    #expect(try run(question + database).text == lines.text, "\(question)")
                    // What a filter leaves is the matching part, and here it leaves all or nothing.
                    #expect(try run(question + ["--environment", "Production"], tokens).text == lines.text)
                    #expect(try run(question + ["--environment", "Sandbox"] + database).text == "")
                }
            }
        }

        /// The two downloads are two names, and the purchase names the one that it was.
        @Test func `a purchase that moved is one customer's history at every door`() throws {
            func transaction(_ id: Int, _ original: Int, _ days: Range<Int>, _ names: [String: String]) throws
                -> String
            {
                try Signed.token(
                    Signed.transactionPayload(
                        id: id, original: original, purchased: days.lowerBound, expires: days.upperBound,
                        names))
            }
            let moved = ["appTransactionId": #""7062""#, "previousOriginalTransactionId": #""6101""#]
            let tokens = [
                try transaction(6101, 6101, 0..<30, ["appTransactionId": #""7061""#]),
                try transaction(6102, 6102, 15..<45, moved), try transaction(6103, 6102, 45..<75, moved),
            ]
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let database = ["--database", folder.url.appending(path: "purchases.db").path]
            #expect(try run(["ingest"] + database, tokens).status == 0)
            for input in [tokens, tokens.reversed(), []] {
                let door = input.isEmpty ? database : []
                let periods = try run(["periods", "--at", "2026-02-20"] + door, input).text
                #expect(periods.split(separator: "\n").count == 3 && periods.contains(#""ending":"moved""#))
                for customer in [[], ["--customer", "original-transaction:6101"]] {
                    let question = ["entitlements", "--at", "2026-01-21"] + customer
                    let entitled = try run(question + door, input).text
                    #expect(entitled.split(separator: "\n").count == 1 && entitled.contains(#""id":"6102""#))
                }
            }
            // The customer who has it now has all of it.
            let other = ["--database", folder.url.appending(path: "other.db").path]
            #expect(try run(["ingest"] + other, tokens).status == 0)
            let whole = try CommandProcess(["forget"] + other + ["--customer", "app-transaction:7062"])
            #expect(whole.text.contains(#""payloads":3"#), "\(whole.text)")
            #expect(try run(["periods"] + other).text == "")
            // The one who is forgotten had the former purchase alone. What goes on names it, and stays.
            let forget = try CommandProcess(["forget"] + database + ["--customer", "app-transaction:7061"])
            #expect(forget.status == 0, "\(forget.text)")
            #expect(
                try run(["entitlements", "--at", "2026-01-21"] + database).text.contains(#""id":"6102""#))
        }

        @Test
        func
            `a payload without an environment has that of its notification, or of the others, at every door`()
            throws
        {
            func transaction(_ id: Int, _ month: Int) -> String {
                Signed.transactionPayload(
                    id: id, original: 1, purchased: month * 30, expires: month * 30 + 30, signed: month * 30,
                    ["environment": #""""#])
            }
            let inner = try Signed.token(transaction(1, 0))
            let data = Signed.object([
                "bundleId": #""com.example.garden""#, "environment": #""Production""#,
                "signedTransactionInfo": "\"\(inner)\"",
            ])
            let envelope = try Signed.token(
                Signed.object([
                    "notificationType": #""SUBSCRIBED""#, "notificationUUID": "\"\(UUID())\"",
                    "version": #""2.0""#,
                    "signedDate": "\(Signed.day(1))", "data": data,
                ]))
            let tokens = [try Signed.token(transaction(2, 1)), envelope]
            // Rows and typed output tell one line at a time.
            for output in ["rows", "typed"] {
                let lines = try run(["verify", "--output", output], tokens).text.split(separator: "\n")
                #expect(
                    lines.map { $0.contains(#""environment":"Production""#) } == [false, true], "\(output)")
            }
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let database = ["--database", folder.url.appending(path: "purchases.db").path]
            let filter = ["--environment", "Production", "--at", "2026-02-10"]
            for input in [tokens, tokens.reversed()] {
                #expect(try run(["ingest"] + database, input).status == 0)
                let found = try [
                    run(["entitlements"] + filter, input), run(["entitlements"] + filter + database),
                ]
                #expect(found[0].text.contains(#""id":"2""#) && found[0].text == found[1].text)
                #expect(found.allSatisfy { $0.status == 0 })
            }
        }
    }
#endif
