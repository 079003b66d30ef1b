#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import PurchaseDatabase
    import RepositoryFiles
    import StoreKitFixtures
    import StoreKitVerify
    import Synchronization
    import Testing

    /// What an operator sees of deliveries, and does about them.
    @Suite(.serialized) struct DeliveryOperationTests {
        private let folder: DatabaseFolder
        private let store: SQLiteTransactionStore
        private let secretFile: URL

        init() throws {
            folder = try DatabaseFolder()
            store = try folder.open()
            secretFile = folder.url.appending(path: "secret")
            try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: secretFile)
        }

        private func receive(
            _ range: Range<Int>, for addresses: [URL], day: Int = 1
        ) async throws -> [UUID] {
            let inbox = NotificationInbox(store, forwardingTo: addresses)
            var uuids: [UUID] = []
            for number in range {
                let uuid = UUID()
                _ = try await inbox.receive(
                    Body.renewal(uuid, transaction: number), at: Signed.instant(day) + Double(number))
                uuids.append(uuid)
            }
            return uuids
        }

        private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

        /// What a forwarder tells.
        private final class Told: Sendable {
            private let events = Mutex<[ForwardingEvent]>([])

            func add(_ event: ForwardingEvent) { events.withLock { $0.append(event) } }

            var all: [ForwardingEvent] { events.withLock(\.self) }
        }

        /// Forwards until a condition holds, for 20 s at most.
        private func forward(
            to addresses: [URL], attempts: Int = 80, firstPause: Duration = .milliseconds(10), _ told: Told,
            until isDone: () async throws -> Bool
        ) async throws {
            var schedule = ForwardingSchedule()
            schedule.firstPause = firstPause
            schedule.longestPause = max(firstPause, .milliseconds(40))
            schedule.attempts = attempts
            schedule.concurrency = 1
            let forwarder = NotificationForwarder(
                store, to: addresses, schedule: schedule, now: { Date() }, tell: { told.add($0) })
            let running = Task { try await forwarder.run() }
            defer { running.cancel() }
            for _ in 0..<400 {
                if try await isDone() {
                    running.cancel()
                    return try await running.value
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("not done after 20 s: \(told.all)")
        }

        @Test func `an address that fails is told once, and once that it accepts again`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "fail 4")
            _ = try await receive(1..<3, for: [receiver.url])
            let (told, inbox) = (Told(), NotificationInbox(store))
            try await forward(to: [receiver.url], told) { try await inbox.undelivered().isEmpty }
            let address = receiver.url.absoluteString
            let news = told.all.filter { if case .attempt = $0 { false } else { true } }
            #expect(
                news == [
                    .failing(address: address, reason: "status 503"),
                    .recovered(address: address, failures: 4),
                ])
            #expect(told.all.count { $0 == .attempt(address: address, .failed) } == 4)
            #expect(told.all.count { $0 == .attempt(address: address, .delivered) } == 2)
        }

        @Test func `what is given up is told with its address and its last status`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "status 410")
            let uuids = try await receive(1..<2, for: [receiver.url])
            let (told, inbox) = (Told(), NotificationInbox(store))
            try await forward(to: [receiver.url], attempts: 3, told) {
                try await inbox.deliveries(DeliverySelection(state: .givenUp)).deliveries.count == 1
            }
            let address = receiver.url.absoluteString
            let uuid = try #require(uuids.first)
            #expect(
                told.all.last
                    == .givenUp(
                        address: address, notificationUUID: uuid.uuidString.lowercased(), attempts: 3,
                        reason: "status 410"))
            let found = try #require(try await inbox.notification(uuid))
            #expect(found.failures.map(\.reason) == ["status 410", "status 410", "status 410"])
            #expect(found.failures.allSatisfy { $0.address == address })
            #expect(found.failures.map(\.date) == found.failures.map(\.date).sorted())
        }

        @Test func `pages give each delivery once, and the counts are those of all`() async throws {
            let addresses = try ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"].map(Self.url)
            _ = try await receive(1..<8, for: addresses)
            try folder.inspect { db in
                try db.execute(sql: "UPDATE delivery SET state = 2 WHERE notification < 3 AND address = 1")
                try db.execute(sql: "UPDATE delivery SET state = 1 WHERE notification > 5 AND address = 2")
            }
            let inbox = NotificationInbox(store)
            var (all, cursor): ([NotificationDelivery], DeliveryPage.Cursor?) = ([], nil)
            repeat {
                let page = try await inbox.deliveries(DeliverySelection(), after: cursor, limit: 3)
                all += page.deliveries
                cursor = page.next.flatMap { DeliveryPage.Cursor("\($0)") }
            } while cursor != nil
            #expect(all == (try await inbox.undelivered()))
            #expect(Set(all).count == 12)
            #expect(all.prefix(2).allSatisfy { $0.state == .givenUp })
            let counts = try await inbox.deliveryCounts()
            #expect(counts.map(\.address) == addresses.map(\.absoluteString))
            #expect(counts.map(\.waiting) == [5, 5])
            #expect(counts.map(\.givenUp) == [2, 0])
            #expect(counts.map(\.oldestWaiting) == [Signed.instant(1) + 3, Signed.instant(1) + 1])

            let waiting = DeliverySelection(address: addresses[0].absoluteString, state: .waiting)
            #expect(try await inbox.deliveries(waiting).deliveries.count == 5)
            let delivered = try await inbox.deliveries(DeliverySelection(state: .delivered)).deliveries
            #expect(delivered.map(\.address) == [addresses[1].absoluteString, addresses[1].absoluteString])
            let late = DeliverySelection(since: Signed.instant(1) + 7)
            #expect(try await inbox.deliveries(late).deliveries.count == 1)
            #expect(DeliveryPage.Cursor("1-2") == nil)
            #expect(DeliveryPage.Cursor("1-2-x") == nil)
        }

        @Test func `what waits is sent at once on request`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "fail 1")
            _ = try await receive(1..<2, for: [receiver.url])
            let (told, inbox) = (Told(), NotificationInbox(store))
            var asked = false
            // The pause after the failure is an hour.
            try await forward(to: [receiver.url], firstPause: .seconds(3600), told) {
                if !asked, told.all.contains(.attempt(address: receiver.url.absoluteString, .failed)) {
                    asked = true
                    #expect(try await inbox.deliverWaiting(to: receiver.url, at: Date()) == 1)
                }
                return try await inbox.undelivered().isEmpty
            }
            #expect(asked)
        }

        @Test func `what waits for an address that is no more can be dropped`() async throws {
            let addresses = try ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"].map(Self.url)
            _ = try await receive(1..<4, for: addresses)
            let inbox = NotificationInbox(store)
            let selection = DeliverySelection(address: addresses[0].absoluteString)
            #expect(try await inbox.dropDeliveries(selection) == 3)
            #expect(try await inbox.dropDeliveries(selection) == 0)
            #expect(try await inbox.deliveryCounts().map(\.address) == [addresses[1].absoluteString])
            #expect(try folder.count("received") == 3)
        }

        @Test func `a new address gets a range of time, and one that had it gets it again`() async throws {
            let old = try Receiver(folder, secret: secretFile, plan: "accept")
            let new = try Receiver(folder, secret: secretFile, plan: "accept")
            _ = try await receive(0..<3, for: [old.url], day: 1)
            _ = try await receive(3..<6, for: [old.url], day: 2)
            let (told, inbox) = (Told(), NotificationInbox(store))
            try await forward(to: [old.url], told) { try await inbox.undelivered().isEmpty }
            let range = Signed.instant(2)..<Signed.instant(3)
            #expect(try await inbox.replay(range, to: new.url, at: Date()) == 3)
            #expect(try await inbox.replay(range, to: old.url, at: Date()) == 3)
            #expect(try await inbox.replay(range, to: old.url, at: Date()) == 0)
            try await forward(to: [old.url, new.url], told) { try await inbox.undelivered().isEmpty }
            #expect(try old.requests().count == 9)
            #expect(Set(try new.requests().map(\.hash)) == Set(try old.requests().suffix(3).map(\.hash)))
        }

        // MARK: Standard Webhooks

        /// `standardwebhooks`, from PyPI, checks the headers in Tests/Proofs/Service. Here, `openssl` computes them anew.
        @Test func `two secrets in the form of Standard Webhooks both sign`() throws {
            let keys = [Data(repeating: 1, count: 24), Data(repeating: 2, count: 64)]
            let text = keys.map { "whsec_" + $0.base64EncodedString() + "\n" }.joined()
            try Data(text.utf8).write(to: secretFile)
            let secret = try ForwardingSecret(contentsOf: secretFile.path)
            let message = folder.url.appending(path: "message")
            let body = Data(#"{"signedPayload":"a.b.c"}"#.utf8)
            try (Data("1767225600.".utf8) + body).write(to: message)
            let codes = try keys.map { key in
                let hex = key.map { String(format: "%02x", $0) }.joined()
                let (process, pipe) = (Process(), Pipe())
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = [
                    "openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(hex)", "-r",
                    message.path,
                ]
                process.standardOutput = pipe
                try process.run()
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                return String(decoding: data.prefix(64), as: UTF8.self)
            }
            #expect(
                secret.signature(of: body, at: Signed.instant(0))
                    == "t=1767225600,v1=\(codes[0]),v1=\(codes[1])")
        }

        @Test(arguments: [
            "whsec_\n", "whsec_AAAA\n", "whsec_!!!!\n",
            "whsec_" + String(repeating: "A", count: 32) + "\nplain\n",
            String(repeating: "whsec_" + String(repeating: "A", count: 32) + "\n", count: 3),
        ])
        func `a file that begins as Standard Webhooks has it must go on so`(text: String) throws {
            try Data(text.utf8).write(to: secretFile)
            let error = #expect(throws: ForwardingSecret.Failure.self) {
                try ForwardingSecret(contentsOf: secretFile.path)
            }
            #expect(error == .form(path: secretFile.path))
        }
    }
#endif
