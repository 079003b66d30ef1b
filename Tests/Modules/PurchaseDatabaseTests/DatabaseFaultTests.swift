#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import Minting
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// Checks that a file that was changed, damaged or cannot be written is a clear error, and loses nothing.
    @Suite struct DatabaseFaultTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        private func level(_ id: Int) throws -> VerificationResult<Transaction> {
            try Signed.transaction(
                Signed.transactionPayload(id: id, product: "level", type: "Non-Consumable"))
        }

        /// The code of the error that a body throws.
        private func code(_ body: () async throws -> Void) async -> SQLiteStoreError.Code? {
            do {
                try await body()
                return nil
            } catch {
                #expect(error is SQLiteStoreError, "\(error)")
                return (error as? SQLiteStoreError)?.code
            }
        }

        // MARK: What the file says is a claim

        @Test(arguments: [
            // Another product; another purchase's payload under this one's number; a payload without its row.
            "UPDATE payload SET json = replace(json, 'level', 'prime')",
            "UPDATE payload SET signature = zeroblob(64)",
            "UPDATE payload SET signature = x''",
            "UPDATE header SET text = 'e30'",
            "UPDATE header SET text = ''",
            "UPDATE payload SET json = ''",
        ])
        func `a payload that was changed in the file is refused`(change: String) async throws {
            let store = try folder.open()
            try await store.apply(level(1))
            try folder.inspect { db in try db.execute(sql: change) }
            let error = await #expect(throws: SQLiteStoreError.self) {
                _ = try await store.history(of: .originalTransactionID(1))
            }
            #expect(error?.code == .unverified)
            #expect(error?.payloadError != nil)
            #expect(error?.description.hasPrefix("a payload of 1 in the file is not verified: ") ?? false)
        }

        @Test(
            arguments: [
                "payload": [
                    "subject", "kind", "item", "app", "signed", "nameKinds", "header", "json", "signature",
                ],
                "header": ["text"], "app": ["bundleID", "environment"], "customer": ["name", "subject"],
                "finished": ["subject", "item", "app"], "notification": ["uuid", "signed"],
            ].flatMap { table, columns in columns.map { (table, $0) } })
        func `values of other types are an error, or not found`(table: String, column: String) async throws {
            for value in ["NULL", "'text'", "x'00ff'", "-1", "9e999", "zeroblob(100000)"] {
                let folder = try DatabaseFolder()
                let store = try folder.open()
                try await store.apply(level(1))
                try await store.finish(level(1).payloadValue)
                try folder.inspect { db in
                    try db.execute(sql: "CREATE TABLE changed AS SELECT * FROM \(table)")
                    try db.execute(sql: "DROP TABLE \(table)")
                    try db.execute(sql: "ALTER TABLE changed RENAME TO \(table)")
                    try db.execute(sql: "UPDATE \(table) SET \(column) = \(value)")
                }
                for customer in [Customer.originalTransactionID(1), .appTransactionID("9"), .everyone] {
                    let found = await code { _ = try await store.history(of: customer) }
                    #expect([nil, .damaged, .unverified].contains(found), "\(value)")
                }
                let again = await code { try await store.apply(level(1)) }
                #expect([nil, .damaged, .system].contains(again), "\(value)")
                try store.close()
                #expect(await code { _ = try folder.open() } == .notAStore)
            }
        }

        @Test func `a purchase cannot be given to another customer in the file`() async throws {
            let store = try folder.open()
            try await store.apply(level(1))
            try folder.inspect { db in
                try db.execute(sql: "INSERT INTO customer VALUES ('app-transaction:9', 1)")
                try db.execute(sql: "UPDATE payload SET subject = 2")
            }
            for thief in [Customer.appTransactionID("9"), .originalTransactionID(2)] {
                #expect(await code { _ = try await store.history(of: thief) } == .damaged)
            }
        }

        @Test func `other anchors refuse what the file has, and let nothing in`() async throws {
            let store = try folder.open()
            try await store.apply(level(1))
            try store.close()
            let other = try SQLiteTransactionStore(path: folder.path, verifier: SignedPayloadVerifier())
            #expect(await code { _ = try await other.history(of: .everyone) } == .unverified)
            await #expect(throws: PayloadError.self) { try await other.apply(level(2)) }
            #expect(try folder.count("payload") == 1)
        }

        @Test func `a value without its token is not kept`() async throws {
            let store = try folder.open()
            let verifier = try Signed.verifier()
            let payload = try verifier.payloads.verify(Signed.token(Signed.transactionPayload(id: 1)))
            let bare = try Transaction(SignedContent(payload, keepsToken: false), verifier: verifier)
            #expect(await code { try await store.apply(.verified(bare)) } == .noToken)
            #expect(try folder.count("payload") == 0)
            #expect(try await store.history(of: .everyone).purchases.isEmpty)
        }

        @Test func `an unverified value is not kept`() async throws {
            let store = try folder.open()
            let tampered = try Signed.verifier().transaction(
                Signed.tampered(Signed.transactionPayload(id: 1)))
            await #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
                try await store.apply(tampered)
            }
            #expect(try folder.count("payload") == 0)
        }

        // MARK: Files

        @Test func `a file of a newer version is left alone`() async throws {
            try folder.open().close()
            try folder.inspect { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
            }
            let before = try Data(contentsOf: URL(filePath: folder.path))
            for isReadOnly in [false, true] {
                #expect(await code { _ = try folder.open(isReadOnly: isReadOnly) } == .newerVersion)
            }
            #expect(try Data(contentsOf: URL(filePath: folder.path)) == before)
        }

        @Test func `another program's file is left alone`() async throws {
            try folder.inspect { db in try db.execute(sql: "CREATE TABLE payload (x)") }
            let before = try Data(contentsOf: URL(filePath: folder.path))
            #expect(await code { _ = try folder.open() } == .notAStore)
            #expect(try Data(contentsOf: URL(filePath: folder.path)) == before)
            let text = Data("no database, but a text of some length\n".utf8)
            try text.write(to: URL(filePath: folder.path))
            #expect(await code { _ = try folder.open() } == .notAStore)
            #expect(try Data(contentsOf: URL(filePath: folder.path)) == text)
        }

        @Test func `a missing file or folder is an error where nothing may be made`() async throws {
            #expect(await code { _ = try folder.open(isReadOnly: true) } == .cannotOpen)
            try FileManager.default.removeItem(at: folder.url)
            #expect(await code { _ = try folder.open() } == .cannotOpen)
            #expect(await code { _ = try folder.open(isReadOnly: true) } == .cannotOpen)
        }

        @Test func `an empty file becomes a store, but not for reading`() async throws {
            try Data().write(to: URL(filePath: folder.path))
            #expect(await code { _ = try folder.open(isReadOnly: true) } == .notAStore)
            try await folder.open().apply(level(1))
            #expect(try folder.count("payload") == 1)
        }

        @Test func `a torn file is an error, whatever of it is left`() async throws {
            let store = try folder.open()
            for id in 1...200 { try await store.apply(level(id)) }
            try store.close()
            let whole = try Data(contentsOf: URL(filePath: folder.path))
            var codes: [SQLiteStoreError.Code] = []
            for length in [1, 16, 99, 511, 512, 4095] + stride(from: 4096, to: whole.count, by: 4096) {
                try whole.prefix(length).write(to: URL(filePath: folder.path))
                let found = await code {
                    let torn = try folder.open()
                    let count = try await torn.history(of: .everyone).unfinished.count
                    // What is read is right, or an error says that something is missing.
                    try #require(count == 200, "\(length)")
                }
                codes.append(try #require(found, "\(length) of \(whole.count) bytes"))
            }
            #expect(Set(codes).isSubset(of: [.damaged, .notAStore]), "\(codes)")
        }

        @Test func `a page of zeros is an error`() async throws {
            let store = try folder.open()
            for id in 1...200 { try await store.apply(level(id)) }
            try store.close()
            let whole = try Data(contentsOf: URL(filePath: folder.path))
            var codes: [SQLiteStoreError.Code?] = []
            for page in 1..<whole.count / 4096 {
                var changed = whole
                changed.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
                try changed.write(to: URL(filePath: folder.path))
                let found = await code {
                    let damaged = try folder.open(isReadOnly: true)
                    for id: UInt64 in 1...200 {
                        // All that was kept, or an error. A damaged page that reading does not need is no error.
                        let history = try await damaged.history(of: .originalTransactionID(id))
                        try #require(history.unfinished.count == 1)
                    }
                }
                #expect(found == nil || found == .damaged, "page \(page)")
                codes.append(found)
            }
            #expect(codes.count { $0 == .damaged } > codes.count / 2)
        }

        // MARK: Other processes

        /// How many locks this process has on the file. The last program that closes a database removes SQLite's log: it
        /// must see that this one has it open.
        private func locks() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            let number = try #require(attributes[.systemFileNumber] as? Int)
            // Other tests have locks, too, so that the text is longer than what one call reads.
            let text = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks")).readToEnd() ?? Data()
            return String(decoding: text, as: UTF8.self).split(separator: "\n").count {
                $0.contains(" \(ProcessInfo.processInfo.processIdentifier) ") && $0.contains(":\(number) ")
            }
        }

        @Test func `other programs see that the file is open, whatever was asked of the store`() async throws
        {
            let store = try folder.open()
            try await store.apply(level(1))
            let before = try locks()
            #expect(before > 0)
            try await store.checkReadiness()
            #expect(try locks() == before, "after a check of readiness")
            try store.backUp(to: folder.path + ".copy")
            #expect(try locks() == before, "after a backup")
            _ = try folder.open().close()
            #expect(try locks() == before, "after another store in this process was closed")
            _ = try await store.history(of: .everyone)
            try await store.apply(level(2))
            #expect(try locks() == before, "after a write")
        }

        @Test func `nothing is kept when another program has removed the log`() async throws {
            let store = try folder.open()
            try await store.apply(level(1))
            try FileManager.default.removeItem(atPath: folder.path + "-wal")
            #expect(await code { try await store.apply(level(2)) } == .cannotOpen)
            #expect(await code { try await store.checkReadiness() } == .cannotOpen)
        }

        @Test func `a question of a cancelled task is no fault of the file`() async throws {
            let store = try folder.open()
            try await store.apply(level(1))
            let transaction = try level(2)
            let questions: [@Sendable () async throws -> Void] = [
                { _ = try await store.history(of: .everyone) },
                { _ = try await store.hasApplied(UUID()) },
                { _ = try await NotificationInbox(store).deliveryCounts() },
                { _ = try await NotificationInbox(store).notification(UUID()) },
                { try await store.apply(transaction) },
                { try await store.checkReadiness() },
            ]
            for question in questions {
                let task = Task { () -> SQLiteStoreError? in
                    while !Task.isCancelled { await Task.yield() }
                    do {
                        try await question()
                        return nil
                    } catch {
                        return error as? SQLiteStoreError
                    }
                }
                task.cancel()
                let failure = await task.value
                #expect(failure?.code == .cancelled && failure?.isTransient == true)
            }
            #expect(try await store.history(of: .everyone).purchases.count == 1)
        }

        @Test func `a store that was opened for reading keeps nothing`() async throws {
            try folder.open().close()
            let store = try folder.open(isReadOnly: true)
            #expect(await code { try await store.apply(level(1)) } == .readOnly)
            #expect(await code { try await store.finish(level(1).payloadValue) } == .readOnly)
            #expect(
                await code { _ = try await store.importPayloads([level(1).jwsRepresentation]) } == .readOnly)
        }

        @Test func `a full disk loses nothing that was kept, and the store goes on when there is room`()
            async throws
        {
            let store = try SQLiteTransactionStore(
                path: folder.path, verifier: Signed.verifier().payloads, isImport: false,
                maximumPages: 60)
            var kept = 0
            var failure: SQLiteStoreError.Code?
            while failure == nil, kept < 1_000 {
                failure = await code { try await store.apply(level(kept + 1)) }
                if failure == nil { kept += 1 }
            }
            #expect(failure == .full)
            #expect(kept > 20)
            #expect(try await store.history(of: .everyone).unfinished.count == kept)
            try store.close()
            let roomy = try folder.open()
            try await roomy.apply(level(kept + 1))
            #expect(try await roomy.history(of: .everyone).unfinished.count == kept + 1)
        }

        // MARK: Crashes

        /// Each run is killed while it applies transactions, one or the other in the middle of a write.
        @Test func `a process that is killed a hundred times loses nothing that it acknowledged`()
            async throws
        {
            let ids = Array(1...400)
            let tokens = try ids.map { try level($0).jwsRepresentation }
            let input = folder.url.appending(path: "input")
            var acknowledged: Set<UInt64> = []
            var killed = 0
            for run in 0..<100 {
                // Each run begins where the last one may have stopped.
                let start = run * 3
                try Data((tokens[start...].joined(separator: "\n") + "\n").utf8).write(to: input)
                let process = try folder.process("apply", [])
                process.standardInput = try FileHandle(forReadingFrom: input)
                let output = Pipe()
                process.standardOutput = output
                try process.run()
                // At least one line, and then some microseconds more each time.
                var text = output.fileHandleForReading.availableData
                usleep(UInt32(run * 97 % 6_000))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                text += output.fileHandleForReading.readDataToEndOfFile()
                if process.terminationReason == .uncaughtSignal { killed += 1 }
                let count = text.count { $0 == UInt8(ascii: "\n") }
                try #require(count > 0, "run \(run) acknowledged nothing")
                acknowledged.formUnion((start..<start + count).map { UInt64(ids[$0]) })
            }
            #expect(killed > 90)
            let store = try folder.open()
            let kept = Set(try await store.history(of: .everyone).unfinished.map(\.id))
            #expect(acknowledged.isSubset(of: kept), "\(acknowledged.subtracting(kept))")
            let check = try folder.inspect { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
        }
    }
#endif
