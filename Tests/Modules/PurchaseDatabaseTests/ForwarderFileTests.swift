#if SQLite
    import DatabaseFolders
    import Foundation
    import PurchaseDatabase
    import Testing

    /// A forwarder and its file: how often it reads, and the changes by other processes.
    @Suite struct ForwarderFileTests {
        private let folder: DatabaseFolder
        private let store: SQLiteTransactionStore

        init() throws {
            folder = try DatabaseFolder()
            store = try folder.open()
        }

        /// Accepts everything, and tells of each request.
        private struct Accepting: NotificationTransport {
            let requests = AsyncStream<Void>.makeStream()

            func post(_ body: Data, to address: URL, headers: [(name: String, value: String)]) async -> Int {
                requests.continuation.yield()
                return 200
            }
        }

        @Test func `an idle address does not read the file`() async throws {
            let addresses = try (1...8).map { try #require(URL(string: "http://127.0.0.1:9/\($0)")) }
            let forwarder = NotificationForwarder(store, to: addresses, transport: Accepting())
            let running = Task { try await forwarder.run() }
            try await Task.sleep(for: .milliseconds(2500))
            running.cancel()
            try await running.value
            // Each address asks for its lease, looks when it begins, and once more when the file was first asked.
            #expect(store.file.readCount <= addresses.count * 3)
        }

        @Test func `deliveries that another process queues are sent when they are due`() async throws {
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            let transport = Accepting()
            let forwarder = NotificationForwarder(store, to: [url], transport: transport)
            let running = Task { try await forwarder.run() }
            defer { running.cancel() }
            let other = NotificationInbox(try folder.open(), forwardingTo: [url])
            var requests = transport.requests.stream.makeAsyncIterator()
            for (number, delay) in [0, 0.6, 0].enumerated() {
                let body = try Body.renewal(UUID(), transaction: number + 1)
                _ = try await other.receive(body, at: Date(timeIntervalSinceNow: delay))
                await requests.next()
            }
        }

        @Test func `a forwarder whose file is removed says so`() async throws {
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            let forwarder = NotificationForwarder(store, to: [url], transport: Accepting())
            let running = Task { try await forwarder.run() }
            try await Task.sleep(for: .milliseconds(300))
            try FileManager.default.removeItem(atPath: folder.path)
            let end = Task {
                try? await Task.sleep(for: .seconds(60))
                running.cancel()
            }
            let failure = await #expect(throws: SQLiteStoreError.self) { try await running.value }
            end.cancel()
            #expect(failure?.code == .cannotOpen)
        }
    }
#endif
