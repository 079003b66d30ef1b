#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import PurchaseDatabase
    import SeededRandom
    import SignedPayloads
    import StoreKitFixtures
    import StoreKitVerify
    import Testing

    /// What a file keeps for how long, in how many bytes, and what is left of a customer who is forgotten.
    @Suite struct KeepingTests {
        private let folder: DatabaseFolder
        private let store: SQLiteTransactionStore
        private let inbox: NotificationInbox
        private let address: URL

        init() throws {
            folder = try DatabaseFolder()
            store = try folder.open()
            address = try #require(URL(string: "http://127.0.0.1:9/"))
            inbox = NotificationInbox(store, forwardingTo: [address])
        }

        private static let token = "0b7ab3c1-5a2e-4d8f-9c6b-1f2e3d4c5b6a"
        private static let other = "9e8d7c6b-5a49-4838-a716-0f1e2d3c4b5a"

        private func receive(
            _ transaction: Int, token: String? = nil, download: String? = nil, day: Int = 1
        ) async throws -> UUID {
            let uuid = UUID()
            var members = ["webOrderLineItemId": #""8000000\#(transaction)""#]
            if let token { members["appAccountToken"] = "\"\(token)\"" }
            if let download { members["appTransactionId"] = "\"\(download)\"" }
            let body = try Body.renewal(uuid, transaction: transaction, members)
            let outcome = try await inbox.receive(body, at: Signed.instant(day))
            #expect(outcome == .accepted(uuid))
            return uuid
        }

        // MARK: Bodies

        @Test func `a body takes a fraction of its bytes, and comes back byte for byte`() async throws {
            let token = String(decoding: try Body.renewal(UUID(), transaction: 1), as: UTF8.self)
                .dropFirst(#"{"signedPayload":""#.utf8.count).dropLast(2)
            let second = try Body.renewal(UUID(), transaction: 2)
            let odd = String(decoding: try Body.renewal(UUID(), transaction: 3), as: UTF8.self)
                .replacing("{", with: "{\"x\": [\"eyJ.a.b\", \"..\"],\n", maxReplacements: 1)
            for body in [Array(token.utf8), second, Array(odd.utf8)] {
                guard case .accepted(let uuid) = try await inbox.receive(body, at: Signed.instant(1)) else {
                    Issue.record("not accepted")
                    continue
                }
                #expect(try await inbox.notification(uuid)?.body.map { Array($0) } == body)
                let kept = try folder.inspect { db in
                    try Int.fetchOne(
                        db, sql: "SELECT length(body) FROM received WHERE uuid = ?",
                        arguments: [uuid.uuidString.lowercased()]) ?? 0
                }
                #expect(kept > 0 && kept * 3 < body.count, "\(kept) of \(body.count) bytes")
            }
        }

        @Test func `bytes of a body that were changed give an error, or the same body`() async throws {
            let uuid = try await receive(1)
            let body = try #require(try await inbox.notification(uuid)?.body)
            let kept = try #require(
                try folder.inspect { db in try Data.fetchOne(db, sql: "SELECT body FROM received") })
            var random = SplitMix64(seed: 35)
            for _ in 0..<600 {
                var changed = kept
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<changed.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: changed.removeSubrange(place..<min(place + 3, changed.count - 1))
                    default: changed.insert(contentsOf: [0xff, 0xff, 0xff, 0x7f], at: place)
                    }
                }
                try folder.inspect { db in
                    try db.execute(sql: "UPDATE received SET body = ?", arguments: [changed])
                }
                let found = try? await inbox.notification(uuid)
                #expect(found == nil || found?.body == body)
            }
        }

        @Test func `a file of an earlier version gets its list of notifications`() async throws {
            let uuids = [try await receive(1, token: Self.token), try await receive(2)]
            let bodies = try await [inbox.notification(uuids[0]), inbox.notification(uuids[1])].map {
                try #require($0?.body)
            }
            try store.close()
            try folder.inspect { db in
                // Bodies were kept as they came.
                for (id, body) in bodies.enumerated() {
                    try db.execute(
                        sql: "UPDATE received SET body = ? WHERE id = ?", arguments: [body, id + 1])
                }
                try db.execute(
                    sql: """
                        DROP TABLE event; DROP TABLE attempt; DROP TABLE claim; DROP TABLE member;
                        DELETE FROM grdb_migrations WHERE identifier IN ('4', '5', '6');
                        """)
            }
            let again = NotificationInbox(try folder.open())
            let page = try await again.notifications(NotificationSelection())
            #expect(page.items.map(\.identifier) == uuids.reversed().map { $0.uuidString.lowercased() })
            var selection = NotificationSelection()
            selection.customer = Customer([try #require(Customer.Name(Self.token))])
            #expect(try await again.notifications(selection).items.count == 1)
            #expect(try await again.notification(uuids[0])?.body == bodies[0])
        }

        // MARK: Lists

        @Test func `notifications are listed by time, type and customer, the latest first`() async throws {
            var uuids: [UUID] = []
            for number in 1...5 {
                uuids.append(
                    try await receive(number, token: number % 2 == 0 ? Self.token : Self.other, day: number))
            }
            let names = uuids.map { $0.uuidString.lowercased() }
            var (all, cursor): ([String], Int64?) = ([], nil)
            repeat {
                let page = try await inbox.notifications(NotificationSelection(), before: cursor, limit: 2)
                all += page.items.map(\.identifier)
                cursor = page.next
            } while cursor != nil
            #expect(all == names.reversed())
            func found(_ change: (inout NotificationSelection) -> Void) async throws -> [String] {
                var selection = NotificationSelection()
                change(&selection)
                return try await inbox.notifications(selection).items.map(\.identifier)
            }
            let customer = Customer([try #require(Customer.Name(Self.token))])
            #expect(try await found { $0.customer = customer } == [names[3], names[1]])
            #expect(try await found { $0.type = .didRenew }.count == 5)
            #expect(try await found { $0.type = .refund }.isEmpty)
            #expect(try await found { $0.subtype = .voluntary }.isEmpty)
            let range = Signed.instant(2)..<Signed.instant(4)
            #expect(try await found { $0.range = range } == [names[2], names[1]])
            #expect(try await found { ($0.range, $0.customer) = (range, customer) } == [names[1]])
        }

        @Test func `a list says which notification was changed in the file, and gives no other's`()
            async throws
        {
            let uuids = [try await receive(1, token: Self.token), try await receive(2, token: Self.other)]
            try folder.inspect { db in
                // The other customer's notification, under this one's purchase.
                try db.execute(
                    sql: """
                        UPDATE event SET subject = 1;
                        INSERT INTO received (uuid, at, body) VALUES ('x', 1, x'0102');
                        INSERT INTO event VALUES (3, 1, 'DID_RENEW', NULL, 1);
                        """)
            }
            var selection = NotificationSelection()
            selection.customer = Customer([try #require(Customer.Name(Self.token))])
            let items = try await inbox.notifications(selection).items
            #expect(items.map(\.identifier) == ["x", uuids[0].uuidString.lowercased()])
            #expect((try? items.first?.notification.get()) == nil)
        }

        // MARK: Retention

        @Test func `bodies go when their time is over, and identifiers stay`() async throws {
            let uuids = [
                try await receive(1, day: 1), try await receive(2, day: 2), try await receive(3, day: 3),
            ]
            try folder.inspect { db in
                try db.execute(sql: "UPDATE delivery SET state = 1 WHERE notification <> 2")
            }
            // The second one still waits to be delivered.
            #expect(try await inbox.dropBodies(before: Signed.instant(3)) == 1)
            #expect(try await inbox.dropBodies(before: Signed.instant(3)) == 0)
            let first = try #require(try await inbox.notification(uuids[0]))
            #expect(first.body == nil && first.deliveries.isEmpty && first.date == Signed.instant(1))
            #expect(try await inbox.notification(uuids[1])?.body != nil)
            let again = try Body.renewal(uuids[0], transaction: 1)
            #expect(try await inbox.receive(again, at: Signed.instant(9)) == .duplicate(uuids[0]))
            #expect(try await store.history(of: .originalTransactionID(1)).purchases.count == 1)
            #expect(try await inbox.notifications(NotificationSelection()).items.count == 2)
        }

        @Test func `new bodies take the room of those that were dropped`() async throws {
            let inbox = NotificationInbox(store)
            func pages() throws -> Int {
                try folder.inspect { db in try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 }
            }
            func receive(day: Int) async throws {
                for _ in 0..<120 {
                    let body = try Body.renewal(UUID(), transaction: 1)
                    _ = try await inbox.receive(body, at: Signed.instant(day))
                }
            }
            let empty = try pages()
            try await receive(day: 1)
            let full = try pages()
            #expect(full - empty > 20)
            for day in 2...4 {
                #expect(try await inbox.dropBodies(before: Signed.instant(day)) == 120)
                try await receive(day: day)
            }
            // 360 identifiers are new.
            #expect(try pages() - full < 20)
        }

        // MARK: Forgetting

        /// The bytes of the file and of SQLite's log.
        private func bytes() throws -> Data {
            let log = try? Data(contentsOf: URL(filePath: folder.path + "-wal"))
            return try Data(contentsOf: URL(filePath: folder.path)) + (log ?? Data())
        }

        @Test func `nothing of a customer who is forgotten is left in the file's bytes`() async throws {
            let (mine, others) = (4_000_000_000_000_000, 5_000_000_000_000_000)
            for number in 1...20 {
                _ = try await receive(mine + number, token: Self.token, download: "700000000000000001")
                _ = try await receive(others + number, token: Self.other, download: "700000000000000002")
            }
            let customer = Customer([try #require(Customer.Name(Self.token))])
            let traces = [Self.token, "700000000000000001", "4000000000000001", "80000004000000000000012"]
            let before = try bytes()
            #expect(traces.allSatisfy { before.range(of: Data($0.utf8)) != nil })

            let forgotten = try await store.forget(customer)
            #expect(forgotten.purchases.count == 20 && forgotten.payloads == 20)
            #expect(forgotten.notifications == 20 && forgotten.deliveries == 20)
            #expect(forgotten.otherNames.isEmpty && forgotten.remains == 0 && forgotten.texts > 60)
            let after = try bytes()
            for trace in traces { #expect(after.range(of: Data(trace.utf8)) == nil, "\(trace)") }

            #expect(try await store.history(of: customer).purchases.isEmpty)
            let kept = Customer([try #require(Customer.Name(Self.other))])
            #expect(try await store.history(of: kept).purchases.count == 20)
            #expect(try await inbox.notifications(NotificationSelection()).items.count == 20)
            #expect(try folder.count("received") == 40)
            let check = try folder.inspect { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
        }

        @Test func `a repetition brings nobody back, and a later notification does`() async throws {
            let uuid = try await receive(77, token: Self.token)
            let customer = Customer([try #require(Customer.Name(Self.token))])
            _ = try await store.forget(customer)
            let again = try Body.renewal(
                uuid, transaction: 77,
                ["appAccountToken": "\"\(Self.token)\"", "webOrderLineItemId": #""800000077""#])
            #expect(try await inbox.receive(again, at: Signed.instant(5)) == .duplicate(uuid))
            #expect(try await store.history(of: customer).purchases.isEmpty)
            _ = try await receive(77, token: Self.token)
            #expect(try await store.history(of: customer).purchases.count == 1)
        }

        @Test func `purchases that may be another person's stay, and are named`() async throws {
            let download = "700000000000000009"
            _ = try await receive(1_000_000_001, token: Self.token, download: download)
            _ = try await receive(1_000_000_002, download: download)
            let forgotten = try await store.forget(Customer([try #require(Customer.Name(Self.token))]))
            #expect(forgotten.purchases == [1_000_000_001])
            #expect(forgotten.otherNames == ["app-transaction:\(download)"])
            #expect(forgotten.remains == 0)
            let rest = try await store.forget(Customer([.appTransactionID(download)]))
            #expect(rest.purchases == [1_000_000_002] && rest.remains == 0)
            #expect(try bytes().range(of: Data(download.utf8)) == nil)
            #expect(try await store.forget(.everyone).purchases.isEmpty)
        }

        @Test func `the seats of a member who is forgotten are forgotten too`() async throws {
            _ = try await receive(1_000_000_001, token: Self.other)
            let (member, colleague) = (UUID(), Customer.Name.appTransactionID("700000000000000003"))
            let purchase = PurchaseChain.ID(
                originalTransactionID: 1_000_000_001, environment: .production,
                appBundleID: "com.example.garden")
            let (claim, shared) = (UUID(), UUID())
            let name = Customer.Name.appAccountToken(member)
            try await store.claim(SeatClaim(id: claim, of: purchase, for: [name], date: Signed.instant(1)))
            try await store.claim(
                SeatClaim(id: shared, of: purchase, for: [name, colleague], date: Signed.instant(1)))
            let traces = [member, claim].map { Data($0.uuidString.lowercased().utf8) }
            let before = try bytes()
            #expect(traces.allSatisfy { before.range(of: $0) != nil })
            let forgotten = try await store.forget(Customer([name]))
            #expect(forgotten.purchases.isEmpty && forgotten.remains == 0)
            let after = try bytes()
            for trace in traces { #expect(after.range(of: trace) == nil) }
            #expect(try await store.history(of: Customer([name])).claimedSeats.isEmpty)
            let kept = try await store.history(of: Customer([colleague])).claimedSeats
            #expect(kept.map(\.claim.id) == [shared])
            // With the purchaser, all seats are forgotten.
            _ = try await store.forget(Customer([try #require(Customer.Name(Self.other))]))
            #expect(try folder.count("claim") == 0 && folder.count("member") == 0)
        }

        @Test func `what older programs left in free pages is found, and goes when the file is rewritten`()
            async throws
        {
            for number in 1...30 { _ = try await receive(6_000_000_000 + number, token: Self.token) }
            try store.close()
            // Another program copies the rows and deletes the copies, without overwriting them.
            try folder.inspect { db in
                try db.execute(sql: "PRAGMA secure_delete = OFF")
                try db.execute(
                    sql: """
                        INSERT INTO payload (subject, kind, item, app, signed, nameKinds, header, json, signature)
                        SELECT -subject, kind, item, app, signed, nameKinds, header, json, signature FROM payload;
                        DELETE FROM payload WHERE subject < 0;
                        """)
            }
            let customer = Customer([try #require(Customer.Name(Self.token))])
            let name = Data(Self.token.utf8)
            let rewritten = folder.url.appending(path: "rewritten.db").path
            try FileManager.default.copyItem(atPath: folder.path, toPath: rewritten)

            let first = try await folder.open().forget(customer)
            #expect(first.remains > 0)
            #expect(try bytes().range(of: name) != nil)
            let second = try await SQLiteTransactionStore(
                path: rewritten, verifier: Signed.verifier().payloads
            ).forget(customer, rewrites: true)
            #expect(second.remains == 0 && second.payloads == first.payloads)
            #expect(try Data(contentsOf: URL(filePath: rewritten)).range(of: name) == nil)
        }

        // MARK: Copies

        @Test func `a copy is whole while others write, and its name must be free`() async throws {
            for number in 1...20 { _ = try await receive(number) }
            let copy = folder.url.appending(path: "copy.db").path
            let writing = Task { for number in 21...40 { _ = try await receive(number) } }
            try store.backUp(to: copy)
            try await writing.value
            let again = try SQLiteTransactionStore(
                path: copy, verifier: Signed.verifier().payloads, isReadOnly: true)
            #expect((20...40).contains(try await again.history(of: .everyone).purchases.count))
            let error = #expect(throws: SQLiteStoreError.self) { try store.backUp(to: copy) }
            #expect(error?.description.contains("give another name") == true)
            let nowhere = #expect(throws: SQLiteStoreError.self) {
                try store.backUp(to: folder.path + "/nowhere/copy.db")
            }
            #expect(nowhere?.code == .cannotOpen)
            let attributes = try FileManager.default.attributesOfItem(atPath: copy)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
#endif
