#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import Minting
    import PurchaseDatabase
    import RepositoryFiles
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// Checks what an inbox keeps of the App Store's requests, and how it answers.
    @Suite struct NotificationInboxTests {
        private let folder: DatabaseFolder
        private let addresses: [URL]

        init() throws {
            folder = try DatabaseFolder()
            addresses = try ["http://127.0.0.1:9/one", "http://127.0.0.1:9/two"].map {
                try #require(URL(string: $0))
            }
        }

        private func inbox(
            maximumPages: Int = 0, patience: Double? = nil, verifier: BatchVerifier? = nil
        ) throws -> NotificationInbox {
            let store = try SQLiteTransactionStore(
                path: folder.path, verifier: Signed.verifier().payloads, isImport: false,
                maximumPages: maximumPages, patience: patience)
            return NotificationInbox(store, forwardingTo: addresses, verifier: verifier)
        }

        // MARK: Keeping

        @Test func `what is accepted is in the file: purchase, body and deliveries`() async throws {
            let uuid = UUID()
            let body = try Body.renewal(uuid, transaction: 7)
            let inbox = try inbox()
            #expect(try await inbox.receive(body, at: Signed.instant(3)) == .accepted(uuid))
            try inbox.store.close()

            let again = try self.inbox()
            let found = try #require(try await again.notification(uuid))
            #expect(found.body.map { Array($0) } == body)
            #expect(found.date == Signed.instant(3))
            #expect(found.deliveries.map(\.address) == addresses.map(\.absoluteString))
            #expect(found.deliveries.allSatisfy { $0.state == .waiting && $0.attempts == 0 })
            #expect(found.deliveries.allSatisfy { $0.lastFailure == nil && $0.notificationUUID == uuid })
            #expect(try await again.undelivered() == found.deliveries)
            #expect(try await again.undelivered(limit: 1).count == 1)
            #expect(try await again.store.hasApplied(uuid))
            #expect(try await again.store.history(of: .originalTransactionID(7)).unfinished.map(\.id) == [7])
            #expect(try await again.notification(UUID()) == nil)
        }

        @Test func `a notification is kept once, also without the object around its token`() async throws {
            let uuid = UUID()
            let body = try Body.renewal(uuid, transaction: 7)
            let token = Array(body.dropFirst(#"{"signedPayload":""#.utf8.count).dropLast(2))
            let inbox = try inbox()
            #expect(try await inbox.receive(token, at: Signed.instant(3)) == .accepted(uuid))
            #expect(try await inbox.receive(body, at: Signed.instant(4)) == .duplicate(uuid))
            #expect(try await inbox.notification(uuid)?.body.map { Array($0) } == token)
            #expect(try await inbox.undelivered().count == 2)
        }

        @Test func `one that an import has taken is received all the same`() async throws {
            let uuid = UUID()
            let body = try Body.renewal(uuid, transaction: 7)
            let inbox = try inbox()
            _ = try await inbox.store.importPayloads([String(decoding: body, as: UTF8.self)])
            #expect(try await inbox.notification(uuid) == nil)
            #expect(try await inbox.receive(body, at: Signed.instant(3)) == .accepted(uuid))
        }

        @Test func `of concurrent repetitions one is accepted, and each notification is stored once`()
            async throws
        {
            let inbox = try inbox()
            let bodies = try (1...50).map { try Body.renewal(UUID(), transaction: $0) }
            let outcomes = await inbox.outcomes(of: (bodies + bodies + bodies + bodies).shuffled())
            #expect(outcomes.count { $0 == "accepted" } == 50)
            #expect(outcomes.count { $0 == "duplicate" } == 150)
            #expect(try folder.count("received") == 50)
            #expect(try folder.count("delivery") == 100)
            #expect(try folder.count("payload") == 50)
            #expect(try folder.count("notification") == 50)
        }

        @Test func `listeners get what is news, when it is in the file`() async throws {
            let inbox = try inbox()
            var transactions = inbox.store.transactions(of: .everyone).makeAsyncIterator()
            let (first, second) = (
                try Body.renewal(UUID(), transaction: 1), try Body.renewal(UUID(), transaction: 2)
            )
            for body in [first, first, second] { _ = try await inbox.receive(body, at: Signed.instant(3)) }
            #expect(await transactions.next()?.id == 1)
            #expect(await transactions.next()?.id == 2)
        }

        // MARK: Refusing

        @Test func `nothing is kept of what is not verified`() async throws {
            let inbox = try inbox()
            let uuid = UUID()
            let inner = try Signed.token(Signed.transactionPayload(id: 1))
            let payload = Body.payload(uuid, data: inner)
            let spoiltInside = Body.payload(uuid, data: try Signed.tampered(Signed.transactionPayload(id: 1)))
            let withoutName = Body.payload(
                uuid, data: try Signed.token(#"{"transactionId":"1","signedDate":\#(Signed.day(1))}"#))
            let bodies: [([UInt8], String)] = try [
                (Body.wrapped(Signed.tampered(payload)), "invalidSignature"),
                (Body.wrapped(Signed.token(spoiltInside)), "invalidSignature"),
                (Body.wrapped(Signed.token(withoutName)), "missingRequiredProperties"),
                (Body.wrapped(inner), "missingRequiredProperties"),
                (
                    Body.wrapped(
                        Signed.token(payload), #","padding":"\#(String(repeating: "x", count: 1 << 20))""#),
                    "tooLarge"
                ),
                (Array(#"{"payload":"x"}"#.utf8), "invalidEncoding"),
                ([], "invalidEncoding"),
                (Array("null".utf8), "invalidEncoding"),
            ]
            for (body, code) in bodies {
                #expect(await inbox.outcome(of: body) == code)
            }
            for table in ["received", "delivery", "payload", "notification"] {
                #expect(try folder.count(table) == 0)
            }
        }

        @Test func `an inbox of one app refuses the others' notifications`() async throws {
            let strict = try Signed.verifier { $0.bundleIdentifiers = ["com.example.house"] }
            let uuid = UUID()
            let body = try Body.renewal(uuid, transaction: 1)
            let outcome = try await inbox(verifier: BatchVerifier(strict.payloads)).receive(
                body, at: Signed.instant(3))
            guard case .refused(let error) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(error.code == .wrongBundleIdentifier)
            #expect(!outcome.mayPassLater)
            let open = try Signed.verifier { $0.bundleIdentifiers = ["com.example.garden"] }
            #expect(
                try await inbox(verifier: BatchVerifier(open.payloads)).receive(
                    body, at: Signed.instant(3)) == .accepted(uuid))
        }

        @Test func `what the store's own verifier does not let pass is refused too`() async throws {
            let store = try SQLiteTransactionStore(path: folder.path, verifier: SignedPayloadVerifier())
            let inbox = NotificationInbox(
                store, verifier: BatchVerifier(try Signed.verifier().payloads))
            let outcome = await inbox.outcome(of: try Body.renewal(UUID(), transaction: 1))
            #expect(outcome == "invalidCertificateChain")
            #expect(try folder.count("received") == 0)
        }

        @Test func `while revocation is unknown, the App Store should repeat`() async throws {
            let anchor = TrustAnchor(der: try TestPKI.p256().root.der())
            let checker = RevocationChecker(.hard, transport: NoResponder(), timeout: .milliseconds(100)) {
                0
            }
            let asking = try SignedPayloadVerifier(anchors: [anchor], revocation: checker)
            let inbox = try inbox(verifier: BatchVerifier(asking))
            let outcome = try await inbox.receive(Body.renewal(UUID(), transaction: 1), at: Signed.instant(3))
            guard case .refused(let error) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(error.code == .revocationUnknown)
            #expect(outcome.mayPassLater)
            #expect(try folder.count("received") == 0)
        }

        /// A network in which no responder answers.
        private struct NoResponder: OCSPTransport {
            struct Failure: Error {}

            func response(
                to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
            ) async throws -> [UInt8] { throw Failure() }
        }

        // MARK: Files

        @Test func `on a full disk, nothing is acknowledged that is not kept`() async throws {
            let inbox = try inbox(maximumPages: 120)
            let bodies = try (1...200).map { try Body.renewal(UUID(), transaction: $0) }
            let outcomes = await inbox.outcomes(of: bodies)
            let kept = outcomes.count { $0 == "accepted" }
            #expect(kept > 5)
            #expect(outcomes.count { $0 == "error: full" } == 200 - kept)
            try inbox.store.close()
            let roomy = try self.inbox()
            #expect(try folder.count("received") == kept)
            let again = await roomy.outcomes(of: bodies)
            #expect(again.map { $0 == "duplicate" } == outcomes.map { $0 == "accepted" })
            #expect(again.count { $0 == "accepted" } == 200 - kept)
        }

        @Test func `a write that has no room does not fail those that have it`() async throws {
            let inbox = try inbox(maximumPages: 120)
            // The last pages are for small bodies alone.
            let large = try (0..<8).map { number in
                let inner = try Signed.token(Signed.transactionPayload(id: 1_000 + number))
                let token = try Signed.token(Body.payload(UUID(), data: inner))
                return Body.wrapped(token, #","padding":"\#(String(repeating: "x", count: 900_000))""#)
            }
            let small = try (1...8).map { try Body.renewal(UUID(), transaction: $0) }
            let outcomes = await inbox.outcomes(of: large + small)
            #expect(
                outcomes == Array(repeating: "error: full", count: 8) + Array(repeating: "accepted", count: 8)
            )
        }

        @Test func `a locked file is an error that may pass, and the inbox goes on after it`() async throws {
            let inbox = try inbox(patience: 0.2)
            let body = try Body.renewal(UUID(), transaction: 1)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: folder.path, configuration: configuration)
            try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            let error = await #expect(throws: SQLiteStoreError.self) {
                try await inbox.receive(body, at: Signed.instant(3))
            }
            #expect(error?.code == .busy)
            #expect(error?.isTransient == true)
            try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
            #expect(await inbox.outcome(of: body) == "accepted")
        }

        /// `version-1.db` was made by `storekit-verify ingest` before there was an inbox, of the first lines of
        /// TestVectors/valid.
        @Test func `a file of the first version gets an inbox, and loses nothing`() async throws {
            try FileManager.default.copyItem(
                at: Repository.file("Tests/Support/DatabaseFiles/version-1.db"),
                to: URL(filePath: folder.path))
            let root = Repository.vectors.appending(path: "pki/root.der")
            let anchors = [TrustAnchor(der: Array(try Data(contentsOf: root))), try ownAnchor()]
            let verifier = try SignedPayloadVerifier(anchors: anchors)
            let error = #expect(throws: SQLiteStoreError.self) {
                try SQLiteTransactionStore(path: folder.path, verifier: verifier, isReadOnly: true)
            }
            #expect(error?.description.contains("older version") == true)

            let store = try SQLiteTransactionStore(path: folder.path, verifier: verifier)
            let history = try await store.history(of: .everyone)
            #expect(history.unfinished.map(\.id).sorted() == [2_000_000_100_000_001, 2_000_000_900_000_001])
            #expect(history.appTransactions.count == 1)
            let remembered = try #require(UUID(uuidString: "7c5f1e0a-2b3d-4c6e-9f80-1a2b3c4d5e6f"))
            #expect(try await store.hasApplied(remembered))
            let inbox = NotificationInbox(store, forwardingTo: addresses)
            #expect(await inbox.outcome(of: try Body.renewal(UUID(), transaction: 1)) == "accepted")
            #expect(try await inbox.undelivered().count == 2)
            try store.close()
            let again = try SQLiteTransactionStore(path: folder.path, verifier: verifier, isReadOnly: true)
            #expect(try await again.history(of: .everyone).unfinished.count == 3)
            let check = try folder.inspect { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
        }

        private func ownAnchor() throws -> TrustAnchor { TrustAnchor(der: try TestPKI.p256().root.der()) }

        @Test(arguments: [
            "UPDATE received SET body = CAST(CAST(body AS TEXT) || 'x' AS BLOB)",
            "UPDATE received SET body = x'' WHERE id = 1",
            "UPDATE received SET body = (SELECT body FROM received WHERE id = 2) WHERE id = 1",
        ])
        func `a body that was changed in the file is refused`(change: String) async throws {
            let uuid = UUID()
            let inbox = try inbox()
            for (id, number) in [(uuid, 1), (UUID(), 2)] {
                _ = try await inbox.receive(Body.renewal(id, transaction: number), at: Signed.instant(3))
            }
            try folder.inspect { db in try db.execute(sql: change) }
            let error = await #expect(throws: SQLiteStoreError.self) { try await inbox.notification(uuid) }
            #expect(error?.code == .unverified)
        }

        @Test func `what is due and one notification are found by the indexes`() async throws {
            _ = try inbox()
            let plans = try folder.inspect { db in
                try [
                    "SELECT id FROM received WHERE uuid = 'x'", "SELECT id FROM address WHERE url = 'x'",
                    "SELECT * FROM delivery WHERE notification = 1",
                    """
                    SELECT notification FROM delivery WHERE state <> 1 AND state = 0 AND address = 1 AND due <= 9
                    ORDER BY due, notification LIMIT 9
                    """,
                ].flatMap {
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \($0)").map { $0["detail"] as String }
                }
            }
            #expect(plans.count == 4)
            #expect(plans.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plans)")
        }

        // MARK: Crashes

        /// Each run is killed while many tasks receive.
        @Test func `an inbox that is killed forty times loses nothing that it acknowledged`() async throws {
            let uuids = (0..<400).map { _ in UUID() }
            let bodies = try uuids.enumerated().map {
                String(decoding: try Body.renewal($1, transaction: $0 + 1), as: UTF8.self)
            }
            let input = folder.url.appending(path: "input")
            var acknowledged: Set<Int> = []
            var killed = 0
            for run in 0..<40 {
                let start = run * 7
                try Data((bodies[start...].joined(separator: "\n") + "\n").utf8).write(to: input)
                let process = try folder.process("receive", ["16", "http://127.0.0.1:9/one"])
                process.standardInput = try FileHandle(forReadingFrom: input)
                process.standardError = FileHandle.nullDevice
                let output = Pipe()
                process.standardOutput = output
                try process.run()
                // The kill comes some notifications later in each run, and not some time later: how many are
                // acknowledged in a time depends on the disk.
                var text = Data()
                while text.count(where: { $0 == UInt8(ascii: "\n") }) < 3 + run % 10 {
                    let more = output.fileHandleForReading.availableData
                    guard !more.isEmpty else { break }
                    text += more
                }
                usleep(UInt32(run * 397 % 9_000))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                text += output.fileHandleForReading.readDataToEndOfFile()
                if process.terminationReason == .uncaughtSignal { killed += 1 }
                let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map {
                    $0.split(separator: " ")
                }
                for line in lines {
                    #expect(["accepted", "duplicate"].contains(line[1]), "\(line)")
                    acknowledged.insert(start + (try #require(Int(line[0]))) - 1)
                }
            }
            #expect(killed > 35)
            #expect(acknowledged.count > 100)
            let inbox = try inbox()
            let undelivered = Set(try await inbox.undelivered(limit: 10_000).map(\.notificationUUID))
            let bought = Set(try await inbox.store.history(of: .everyone).unfinished.map(\.id))
            for index in acknowledged {
                #expect(undelivered.contains(uuids[index]))
                #expect(bought.contains(UInt64(index + 1)))
            }
            // Whole transactions or nothing: a body without its delivery or purchase would be one of an unfinished one.
            #expect(try folder.count("received") == folder.count("delivery"))
            #expect(try folder.count("received") == folder.count("payload"))
            // The first body may be among those that no run came to acknowledge.
            let first = try #require(acknowledged.min())
            #expect(try await inbox.notification(uuids[first]) != nil)
            let check = try folder.inspect { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
        }
    }
#endif
