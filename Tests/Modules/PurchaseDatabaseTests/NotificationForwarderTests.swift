#if SQLite
    import DatabaseFolders
    import Foundation
    import GRDB
    import PurchaseDatabase
    import StoreKitFixtures
    import StoreKitVerify
    import Synchronization
    import Testing

    /// Notifications reach a real server, whatever it answers, even if the forwarder is killed.
    @Suite(.serialized) struct NotificationForwarderTests {
        private let folder: DatabaseFolder
        private let secretFile: URL
        private let secret: ForwardingSecret
        private let store: SQLiteTransactionStore

        init() throws {
            folder = try DatabaseFolder()
            secretFile = folder.url.appending(path: "secret")
            try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: secretFile)
            secret = try ForwardingSecret(contentsOf: secretFile.path)
            store = try folder.open()
        }

        /// Receives notifications for addresses, and returns the hashes of their bodies.
        private func receive(_ count: Int, for addresses: [URL], first: Int = 1) async throws -> [String] {
            let inbox = NotificationInbox(store, forwardingTo: addresses)
            var files: [String] = []
            for number in first..<first + count {
                let body = try Body.renewal(UUID(), transaction: number)
                _ = try await inbox.receive(body, at: Date())
                let file = folder.url.appending(path: "body-\(number)")
                try Data(body).write(to: file)
                files.append(file.path)
            }
            // By another program than the one under test.
            return try output("sha256sum", files).split(separator: "\n").map { String($0.prefix(64)) }
        }

        private func output(_ program: String, _ arguments: [String]) throws -> String {
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [program] + arguments
            process.standardOutput = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }

        private func schedule(_ change: (inout ForwardingSchedule) -> Void = { _ in }) -> ForwardingSchedule {
            var schedule = ForwardingSchedule()
            schedule.firstPause = .milliseconds(10)
            schedule.longestPause = .milliseconds(40)
            change(&schedule)
            return schedule
        }

        /// Forwards until a condition holds.
        private func forward(
            to addresses: [URL], _ schedule: ForwardingSchedule,
            by transport: any NotificationTransport = HTTPNotificationTransport(),
            until isDone: ([NotificationDelivery]) -> Bool
        ) async throws {
            let forwarder = NotificationForwarder(
                store, to: addresses, secret: secret, schedule: schedule, transport: transport)
            let running = Task { try await forwarder.run() }
            defer { running.cancel() }
            let inbox = NotificationInbox(store)
            for _ in 0..<600 {
                if isDone(try await inbox.undelivered()) {
                    running.cancel()
                    try await running.value
                    return
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("not done after 30 s: \(try await inbox.undelivered())")
        }

        private func deliveries() async throws -> [NotificationDelivery] {
            let uuids = try folder.inspect { db in
                try String.fetchAll(db, sql: "SELECT uuid FROM received ORDER BY id")
            }
            var all: [NotificationDelivery] = []
            for uuid in uuids {
                let uuid = try #require(UUID(uuidString: uuid))
                all += try #require(try await NotificationInbox(store).notification(uuid)).deliveries
            }
            return all
        }

        // MARK: Sending

        @Test func `each address gets each body, byte for byte and with a signature`() async throws {
            let receivers = try (0..<2).map { _ in try Receiver(folder, secret: secretFile, plan: "accept") }
            let addresses = receivers.map(\.url)
            let hashes = try await receive(20, for: addresses)
            try await forward(to: addresses, schedule()) { $0.isEmpty }
            for receiver in receivers {
                let requests = try receiver.requests()
                #expect(requests.map(\.hash).sorted() == hashes.sorted())
                #expect(requests.allSatisfy { $0.isSigned && $0.path == "/notifications" })
            }
            let all = try await deliveries()
            #expect(all.count == 40)
            #expect(all.allSatisfy { $0.state == .delivered && $0.attempts == 1 && $0.lastFailure == nil })
        }

        @Test func `one at a time, they arrive in the order in which they came`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "accept")
            let hashes = try await receive(20, for: [receiver.url])
            try await forward(to: [receiver.url], schedule { $0.concurrency = 1 }) { $0.isEmpty }
            #expect(try receiver.requests().map(\.hash) == hashes)
        }

        @Test func `a notification that comes while the forwarder runs is sent`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "accept")
            let forwarder = NotificationForwarder(store, to: [receiver.url], secret: secret)
            let running = Task { try await forwarder.run() }
            defer { running.cancel() }
            try await Task.sleep(for: .milliseconds(300))
            let hashes = try await receive(3, for: [receiver.url])
            #expect(try await receiver.requests(atLeast: 3).map(\.hash).sorted() == hashes.sorted())
        }

        @Test func `what an address does not accept is sent again`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "fail 12")
            let hashes = try await receive(5, for: [receiver.url])
            try await forward(to: [receiver.url], schedule()) { $0.isEmpty }
            let requests = try receiver.requests()
            #expect(requests.count == 17)
            #expect(requests.filter { $0.status == 200 }.map(\.hash).sorted() == hashes.sorted())
            let all = try await deliveries()
            #expect(all.reduce(0) { $0 + $1.attempts } == 17)
            #expect(all.allSatisfy { $0.state == .delivered })
            #expect(all.contains { $0.lastFailure == "status 503" })
        }

        @Test(arguments: [
            ("status 404", "status 404"), ("redirect", "status 307"), ("status 500", "status 500"),
        ])
        func `after the last attempt a delivery is listed, and can be queued again`(
            plan: String, failure: String
        ) async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: plan)
            _ = try await receive(2, for: [receiver.url])
            try await forward(to: [receiver.url], schedule { $0.attempts = 3 }) { listed in
                listed.allSatisfy { $0.state == .givenUp }
            }
            let inbox = NotificationInbox(store)
            let listed = try await inbox.undelivered()
            #expect(listed.count == 2)
            #expect(listed.allSatisfy { $0.attempts == 3 && $0.lastFailure == failure })
            // A redirect is not followed: the other path would have accepted.
            #expect(try receiver.requests().count == 6)
            #expect(try receiver.requests().allSatisfy { $0.path == "/notifications" })
            let other = try #require(URL(string: "http://127.0.0.1:9/"))
            #expect(try await inbox.deliverAgain(to: other, at: Date()) == 0)
            #expect(try await inbox.deliverAgain(to: receiver.url, at: Date()) == 2)
            #expect(try await inbox.undelivered().allSatisfy { $0.state == .waiting && $0.attempts == 0 })
        }

        @Test(arguments: ["silent", "slow"])
        func `an answer that does not come in time is a failure`(plan: String) async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: plan)
            _ = try await receive(1, for: [receiver.url])
            let limits = schedule {
                $0.attempts = 2
                $0.timeout = .milliseconds(300)
            }
            try await forward(to: [receiver.url], limits) { $0.first?.state == .givenUp }
            #expect(try await receiver.requests(atLeast: 2).count == 2)
            let failure = try await NotificationInbox(store).undelivered().first?.lastFailure
            #expect(failure == "no answer within 0.3 seconds")
        }

        /// The forwarder and its client each have a limit. Whichever comes first, the words are the same.
        @Test(arguments: [(1000, 1000), (30_000, 1000), (1000, 30_000)])
        func `the reason says how long an answer was waited for`(
            schedule milliseconds: Int, transport transportMilliseconds: Int
        ) async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "silent")
            _ = try await receive(20, for: [receiver.url])
            let limits = schedule {
                $0.attempts = 1
                $0.concurrency = 20
                $0.timeout = .milliseconds(milliseconds)
            }
            let transport = HTTPNotificationTransport(timeout: .milliseconds(transportMilliseconds))
            try await forward(to: [receiver.url], limits, by: transport) { deliveries in
                deliveries.allSatisfy { $0.state == .givenUp }
            }
            let failures = try await NotificationInbox(store).undelivered().map(\.lastFailure)
            #expect(Set(failures) == ["no answer within 1.0 seconds"])
        }

        @Test func `a transport that has no words for a time-out gets the forwarder's`() async throws {
            struct Wordless: NotificationTransport {
                func post(
                    _ body: Data, to address: URL, headers: [(name: String, value: String)]
                ) async throws -> Int { throw URLError(.timedOut) }
            }
            let address = try #require(URL(string: "http://127.0.0.1:9/wordless"))
            _ = try await receive(1, for: [address])
            let limits = schedule {
                $0.attempts = 1
                $0.timeout = .seconds(5)
            }
            try await forward(to: [address], limits, by: Wordless()) { $0.first?.state == .givenUp }
            let failure = try await NotificationInbox(store).undelivered().first?.lastFailure
            #expect(failure == "no answer within 5.0 seconds")
        }

        @Test func `the client by itself ends a request that takes too long`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "slow")
            let transport = HTTPNotificationTransport(timeout: .milliseconds(300))
            let error = await #expect(throws: (any Error).self) {
                try await transport.post(Data("x".utf8), to: receiver.url, headers: [])
            }
            #expect((error as? URLError)?.code == .timedOut)
            #expect(error?.localizedDescription == "no answer within 0.3 seconds")
        }

        @Test func `of an answer without end, the status counts`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "endless")
            _ = try await receive(2, for: [receiver.url])
            try await forward(to: [receiver.url], schedule()) { $0.isEmpty }
            #expect(try receiver.requests().count == 2)
        }

        @Test func `an address that is down delays no other, and gets few requests`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "accept")
            let down = try #require(URL(string: "http://127.0.0.1:9/down"))
            let hashes = try await receive(60, for: [down, receiver.url])
            let limits = schedule {
                $0.firstPause = .seconds(20)
                $0.longestPause = .seconds(20)
                $0.concurrency = 4
            }
            try await forward(to: [down, receiver.url], limits) { $0.count == 60 }
            #expect(try receiver.requests().map(\.hash).sorted() == hashes.sorted())
            let attempts = try await NotificationInbox(store).undelivered().reduce(0) { $0 + $1.attempts }
            #expect((1...8).contains(attempts), "\(attempts)")
        }

        @Test func `what is queued for an address that is not served waits`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "accept")
            let other = try #require(URL(string: "http://127.0.0.1:9/other"))
            _ = try await receive(2, for: [receiver.url, other])
            try await forward(to: [receiver.url], schedule()) { $0.count == 2 }
            let waiting = try await NotificationInbox(store).undelivered()
            #expect(waiting.allSatisfy { $0.address == other.absoluteString && $0.attempts == 0 })
        }

        @Test func `a body that was changed in the file is not sent`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "accept")
            _ = try await receive(1, for: [receiver.url])
            try folder.inspect { db in
                try db.execute(
                    sql: "UPDATE received SET body = CAST('{\"signedPayload\":\"x.y.z\"}' AS BLOB)")
            }
            try await forward(to: [receiver.url], schedule()) { $0.first?.state == .givenUp }
            let listed = try await NotificationInbox(store).undelivered()
            #expect(listed.first?.lastFailure?.contains("is not verified") == true)
            #expect(try receiver.requests().isEmpty)
        }

        // MARK: The secret

        /// Answers late, and not at all to who gives up before.
        private final class SlowTransport: NotificationTransport {
            let began = AsyncStream<Void>.makeStream()
            let count = Mutex(0)

            func post(
                _ body: Data, to address: URL, headers: [(name: String, value: String)]
            ) async throws -> Int {
                count.withLock { $0 += 1 }
                began.continuation.yield()
                try await Task.sleep(for: .milliseconds(300))
                return 200
            }
        }

        @Test func `a request that is under way at a reload ends first, and is not repeated`() async throws {
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            _ = try await receive(3, for: [url])
            let transport = SlowTransport()
            let forwarder = NotificationForwarder(store, to: [url], transport: transport)
            let first = Task { try await forwarder.run() }
            for await _ in transport.began.stream.prefix(3) {}
            first.cancel()
            try await first.value
            #expect(try await deliveries().allSatisfy { $0.state == .delivered })
            let second = Task { try await forwarder.run() }
            try await Task.sleep(for: .milliseconds(600))
            second.cancel()
            try await second.value
            #expect(transport.count.withLock(\.self) == 3)
        }

        @Test func `the signature is HMAC-SHA256 over time and body, as another program computes it`() throws
        {
            let file = folder.url.appending(path: "message")
            let body = Data(#"{"signedPayload":"a.b.c"}"#.utf8)
            try (Data("1767225600.".utf8) + body).write(to: file)
            let other = try output(
                "openssl", ["dgst", "-sha256", "-hmac", "0123456789abcdef0123456789abcdef", "-r", file.path])
            let instant = Signed.instant(0) + 0.9
            #expect(secret.signature(of: body, at: instant) == "t=1767225600,v1=\(other.prefix(64))")
            #expect(ForwardingSecret.headerName == "Storekit-Verify-Signature")
        }

        @Test func `a secret that is missing, short or no secret is refused`() throws {
            let missing = folder.url.appending(path: "missing").path
            let unreadable = #expect(throws: ForwardingSecret.Failure.self) {
                try ForwardingSecret(contentsOf: missing)
            }
            #expect(unreadable?.description.hasPrefix("\(missing): it cannot be read (") == true)
            for (bytes, isSecret) in [(0, false), (31, false), (32, true), (4096, true), (4097, false)] {
                for ending in ["", "\n", "\r\n"] {
                    let file = folder.url.appending(path: "secret-\(bytes)")
                    try Data((String(repeating: "k", count: bytes) + ending).utf8).write(to: file)
                    let found = try? ForwardingSecret(contentsOf: file.path)
                    #expect((found != nil) == isSecret, "\(bytes) bytes")
                }
            }
        }

        // MARK: Crashes

        @Test func `of two services on one file one forwards, and nothing twice`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "accept")
            let other = try folder.process("forward", [secretFile.path, receiver.url.absoluteString])
            try other.run()
            defer { other.terminate() }
            let forwarder = NotificationForwarder(
                try folder.open(), to: [receiver.url], secret: secret, schedule: schedule())
            let running = Task { try await forwarder.run() }
            defer { running.cancel() }
            var hashes: [String] = []
            for part in 0..<10 {
                hashes += try await receive(10, for: [receiver.url], first: 1 + part * 10)
                try await Task.sleep(for: .milliseconds(40))
            }
            let inbox = NotificationInbox(store)
            for _ in 0..<600 where try await !inbox.undelivered().isEmpty {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try receiver.requests().map(\.hash).sorted() == hashes.sorted())
        }

        @Test func `the lease of a process that has ended is free, and no other one`() throws {
            let own = LeaseOwner()
            let parts = own.text.split(separator: " ").map(String.init)
            // Where the system does not tell of processes, a lease ends by its time.
            guard parts.count == 4 else { return }
            #expect(!own.hasEnded && own == LeaseOwner(text: own.text) && own != LeaseOwner())
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sleep")
            process.arguments = ["60"]
            try process.run()
            let number = process.processIdentifier
            let stat = try String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            let start = stat.split(separator: " ")[21]
            let running = LeaseOwner(text: "x \(parts[1]) \(number) \(start)")
            #expect(!running.hasEnded)
            // The number is another process's now.
            #expect(LeaseOwner(text: "x \(parts[1]) \(number) 1").hasEnded)
            // Another container, and files of before.
            #expect(!LeaseOwner(text: "x elsewhere/pid:[1] \(number) 1").hasEnded)
            for text in ["", "x", "x y z", "x \(parts[1]) -1 1", "x \(parts[1]) 0 1"] {
                #expect(!LeaseOwner(text: text).hasEnded, "\(text)")
            }
            kill(number, SIGKILL)
            process.waitUntilExit()
            #expect(running.hasEnded)
        }

        @Test func `a forwarder that is killed thirty times forgets nothing`() async throws {
            let receiver = try Receiver(folder, secret: secretFile, plan: "fail 20")
            var hashes: [String] = []
            var killed = 0
            for run in 0..<30 {
                hashes += try await receive(20, for: [receiver.url], first: 1 + run * 20)
                let process = try folder.process("forward", [secretFile.path, receiver.url.absoluteString])
                try process.run()
                let before = try receiver.requests().count
                while process.isRunning, try receiver.requests().count == before { usleep(1_000) }
                usleep(UInt32(run * 397 % 9_000))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                if process.terminationReason == .uncaughtSignal { killed += 1 }
                // What the file calls delivered has arrived.
                let accepted = Set(try receiver.requests().filter { $0.status == 200 }.map(\.hash))
                #expect(
                    try folder.inspect { db in
                        try Int.fetchOne(db, sql: "SELECT count(*) FROM delivery WHERE state = 1") ?? 0
                    } <= accepted.count)
            }
            #expect(killed == 30)
            try await forward(to: [receiver.url], schedule()) { $0.isEmpty }
            let accepted = try receiver.requests().filter { $0.status == 200 && $0.isSigned }.map(\.hash)
            #expect(Set(accepted) == Set(hashes))
            // At least once, and hardly more often: what was under way at a kill.
            #expect(accepted.count < 600 + 30 * 8)
        }
    }
#endif
