#if SQLite
    public import Foundation
    public import StoreKitVerify

    /// Sends the deliveries that inboxes queued: each notification to each of its addresses, at least once.
    ///
    /// - A delivery stays in the file until the address answers with a status from 200 to 206. Whenever the process is
    ///   killed, nothing is forgotten; a request that was under way is sent again. So an address may get a notification
    ///   twice, and tells by its `notificationUUID`.
    /// - Any other answer is a failure: another status, a redirect, or no answer in time. The delivery is tried
    ///   again as `ForwardingSchedule` says, and is given up after its last attempt:
    ///   `NotificationInbox.undelivered(limit:)` lists it. Later deliveries do not wait for it.
    /// - An address that fails several times in a row, without an answer or with the status 429 or of 500 and
    ///   above, gets one request at a time, after a pause of a minute at most, until one is accepted.
    /// - A body is verified again before it is sent: the header says that it comes from the App Store.
    ///
    /// Of several forwarders on one file, one delivers to each address, and the others stand by.
    public struct NotificationForwarder: Sendable {
        /// The store with the deliveries.
        public let store: SQLiteTransactionStore
        /// The addresses that are served. Deliveries to other addresses wait.
        public let addresses: [URL]
        let secret: ForwardingSecret?
        let schedule: ForwardingSchedule
        let transport: any NotificationTransport
        let body: (@Sendable (ServerNotification) -> [UInt8])?
        let now: @Sendable () -> Date
        let tell: @Sendable (ForwardingEvent) -> Void

        /// - Parameters:
        ///   - store: has the deliveries.
        ///   - addresses: the addresses to serve.
        ///   - secret: signs each request; `nil` leaves the signatures out.
        ///   - schedule: the pauses and limits.
        ///   - transport: sends the requests.
        ///   - body: makes the body of a request, which is JSON, of the verified notification; `nil` forwards the App
        ///     Store's body byte for byte.
        ///   - now: the clock.
        ///   - tell: gets the news for an operator. It is called from several tasks, and must not wait.
        public init(
            _ store: SQLiteTransactionStore, to addresses: [URL], secret: ForwardingSecret? = nil,
            schedule: ForwardingSchedule = ForwardingSchedule(),
            transport: any NotificationTransport = HTTPNotificationTransport(),
            body: (@Sendable (ServerNotification) -> [UInt8])? = nil,
            now: @Sendable @escaping () -> Date = { Date() },
            tell: @Sendable @escaping (ForwardingEvent) -> Void = { _ in }
        ) {
            self.store = store
            self.addresses = addresses
            self.secret = secret
            self.schedule = schedule
            self.transport = transport
            self.body = body
            self.now = now
            self.tell = tell
        }

        /// Whether notifications can be forwarded to a web address: one of HTTP, with or without TLS, with a host.
        public static func canForward(to address: URL) -> Bool {
            (address.scheme == "http" || address.scheme == "https") && !(address.host() ?? "").isEmpty
        }

        /// The statuses that accept a notification (Apple, "Responding to App Store Server Notifications").
        static let accepting = 200...206

        /// Sends until the task is cancelled. A request that is under way then has two seconds to end; without an
        /// answer, the next run sends it again.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read or written. A full disk or a locked file is
        ///   waited for.
        public func run() async throws(SQLiteStoreError) {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for address in Set(addresses.map(\.absoluteString)).sorted() {
                        guard let url = URL(string: address) else { continue }
                        group.addTask { try await AddressQueue(self, url).run() }
                    }
                    // They go on to the end, also without an address.
                    group.addTask { await FileWatch(store: store).tick() }
                    group.addTask { await FileWatch(store: store).watch() }
                    // The first error ends all of them, which `waitForAll()` would not.
                    while try await group.next() != nil {}
                }
            } catch {
                guard !Task.isCancelled else { return }
                throw SQLiteStoreError(error, store.file.path)
            }
        }

        /// The headers of a request; `nil` if there is no memory for a signature.
        ///
        /// - Parameter uuid: the `notificationUUID`, in lower case.
        func headers(
            for body: Data, of uuid: String, at instant: Date
        ) -> [(name: String, value: String)]? {
            let isJSON = body.first == UInt8(ascii: "{")
            let headers = [(name: "Content-Type", value: isJSON ? "application/json" : "text/plain")]
            guard let secret else { return headers + [(name: ForwardingSecret.identifierName, value: uuid)] }
            return secret.headers(for: body, identifier: uuid, at: instant).map { headers + $0 }
        }
    }
#endif
