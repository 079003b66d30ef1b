#if SQLite
    import CommandProcesses
    import Foundation
    import LedgerLives
    import RepositoryFiles
    import StoreKitTestSession
    import StoreKitVerify
    import Testing

    /// Random lives of two apps in two environments, at the doors of the command: what is said of a purchase depends neither on
    /// the order of the payloads, nor on the door, nor on what else was asked for.
    @Suite struct LedgerLivesDoorTests {
        private static let commands = ["entitlements", "charges", "periods"]

        /// The payloads of all apps as lines, and the options that trust their root.
        private struct Archive {
            let folder: TemporaryFolder
            let lines: [String]
            let root: [String]

            init() throws {
                folder = try TemporaryFolder()
                let lives = try LedgerLives(customers: TestScale.size(small: 10, usual: 40, large: 400))
                lines = lives.outputs.map(\.json)
                let anchor = folder.url.appending(path: "root.der")
                try Data(lives.authority.rootCertificate).write(to: anchor)
                root = ["--root", anchor.path]
            }

            func file(_ name: String, _ lines: [String]) throws -> String {
                try folder.file(name, Array(lines.map { $0 + "\n" }.joined().utf8)).path
            }

            func answer(_ arguments: [String]) throws -> [Substring] {
                // forget verifies nothing.
                let root = arguments[0] == "forget" ? [] : root
                let process = try CommandProcess([arguments[0]] + root + arguments.dropFirst())
                #expect(process.status == 0, "\(arguments): \(process.diagnostics)")
                return process.text.split(separator: "\n")
            }
        }

        /// What a line of an answer says of whose it is.
        private struct Line: Decodable {
            let environment: String
            let appBundleID: String?
            let bundleID: String?
            let customers: [String]?
            let customer: String?

            init(_ text: Substring) throws {
                self = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            }

            func isOf(_ app: LedgerLives.App) -> Bool {
                environment == app.environment.rawValue && appBundleID ?? bundleID == app.bundleID
            }
        }

        @Test(.timeLimit(.minutes(15)))
        func `any order, any repetition and any split give the same bytes, from lines and from a database`()
            throws
        {
            let archive = try Archive()
            defer { archive.folder.remove() }
            let ordered = try archive.file("ordered", archive.lines)
            let mixed = (archive.lines + archive.lines.prefix(archive.lines.count / 3)).shuffled()
            let half = mixed.count / 2
            let parts = [
                try archive.file("one", Array(mixed[..<half])),
                try archive.file("two", Array(mixed[half...])),
            ]
            let database = ["--database", archive.folder.url.appending(path: "purchases.db").path]
            for part in parts { _ = try archive.answer(["ingest"] + database + [part]) }
            for command in Self.commands {
                for instant in LedgerLives.instants {
                    for question in [[command, "--at", instant], [command, "--as-of", instant]] {
                        let answer = try archive.answer(question + [ordered])
                        #expect(!answer.isEmpty)
                        #expect(
                            try difference(archive.answer(question + parts), answer) == nil, "\(question)")
                        #expect(
                            try difference(archive.answer(question + database), answer) == nil, "\(question)")
                        try checkFilters(archive, question, answer, database)
                    }
                }
            }
        }

        /// An answer with a filter is the matching part of the answer without one.
        private func checkFilters(
            _ archive: Archive, _ question: [String], _ answer: [Substring], _ database: [String]
        ) throws {
            for app in LedgerLives.apps {
                let filter = ["--bundle-id", app.bundleID, "--environment", app.environment.rawValue]
                let part = try answer.filter { try Line($0).isOf(app) }
                #expect(!part.isEmpty)
                #expect(
                    try difference(archive.answer(question + filter + database), part) == nil,
                    "\(question) \(app)")
            }
        }

        @Test(.timeLimit(.minutes(15)))
        func `who is forgotten is gone, and nothing that is said of others changes`() throws {
            let archive = try Archive()
            defer { archive.folder.remove() }
            let file = archive.folder.url.appending(path: "purchases.db").path
            let database = ["--database", file]
            _ = try archive.answer(["ingest"] + database + [archive.file("lines", archive.lines)])
            let questions = Self.commands.flatMap { command in
                LedgerLives.instants.map { [command, "--at", $0] + database }
            }
            var answers = try questions.map { try archive.answer($0) }
            // Customers with a token and without.
            let names = try Set(answers[0].flatMap { try Line($0).customers?.prefix(1) ?? [] }).sorted()
            let chosen =
                names.filter { !$0.contains(":") }.prefix(6) + names.filter { $0.contains(":") }.prefix(6)
            #expect(chosen.count >= 6)
            for name in chosen {
                // Charges and periods have the identifier alone.
                let identifier = String(name.split(separator: ":").last ?? "")
                let owned = try Set(
                    archive.answer(["charges"] + database).filter { $0.contains(identifier) }.map(original))
                _ = try archive.answer(["forget"] + database + ["--customer", name])
                for (place, question) in questions.enumerated() {
                    let after = try archive.answer(question)
                    #expect(after.filter { $0.contains(identifier) }.prefix(1) == [], "\(question) \(name)")
                    let others = try answers[place].filter {
                        try !$0.contains(identifier) && !owned.contains(original($0))
                    }
                    #expect(difference(after, others) == nil, "\(question) \(name)")
                    answers[place] = after
                }
            }
        }

        /// The first lines in which two answers differ; `nil` if they are the same.
        private func difference(_ one: [Substring], _ other: [Substring]) -> String? {
            guard one != other else { return nil }
            let place = zip(one, other).prefix { $0 == $1 }.count
            return
                "line \(place + 1) of \(one.count), \(other.count): \(one.dropFirst(place).first ?? "none")"
                + " and \(other.dropFirst(place).first ?? "none")"
        }

        /// The original transaction of a line.
        private func original(_ line: Substring) throws -> String {
            struct Purchase: Decodable {
                let originalID: String?
                let originalTransactionID: String?
            }
            let purchase = try JSONDecoder().decode(Purchase.self, from: Data(line.utf8))
            return try #require(purchase.originalID ?? purchase.originalTransactionID)
        }
    }
#endif
