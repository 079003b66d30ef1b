#if SQLite
    public import Foundation
    public import StoreKitVerifySQLite
    internal import WebhookDelivery

    /// Sends what inboxes queued, each notification to each of its addresses at least once.
    ///
    /// - A delivery stays in the file until the address answers with a status from 200 to 206. Whenever the process is
    ///   killed, nothing is forgotten; what was under way is sent again. So an address may get a notification
    ///   twice, and tells by its `notificationUUID`.
    /// - Whatever else comes is a failure: another status, a redirect, or no answer in time. The delivery is tried again as
    ///   `ForwardingSchedule` says, and is given up after its last attempt: `NotificationInbox.undelivered(limit:)` lists it.
    ///   Later deliveries do not wait for it.
    /// - An address that fails several times in a row, without an answer or with the status 429 or of 500 and above, gets one request
    ///   at a time, after a pause of a minute at most, until one is accepted.
    /// - A body is verified again before it is sent: the header says that it comes from the App Store.
    ///
    /// Run one forwarder for a file and an address. Two would send everything twice.
    public struct NotificationForwarder: Sendable {
        /// The store with the deliveries.
        public let store: SQLiteTransactionStore
        /// The addresses that are served. What the file has for others waits.
        public let addresses: [URL]
        let secret: ForwardingSecret?
        let schedule: ForwardingSchedule
        let transport: any NotificationTransport
        let now: @Sendable () -> Date

        /// - Parameters:
        ///   - store: has the deliveries.
        ///   - addresses: the addresses to serve.
        ///   - secret: signs each request in the header `Storekit-Verify-Signature`; `nil` leaves the header out.
        ///   - schedule: the pauses and limits.
        ///   - transport: sends the requests.
        ///   - now: the clock.
        public init(
            _ store: SQLiteTransactionStore, to addresses: [URL], secret: ForwardingSecret? = nil,
            schedule: ForwardingSchedule = ForwardingSchedule(),
            transport: any NotificationTransport = HTTPNotificationTransport(),
            now: @Sendable @escaping () -> Date = { Date() }
        ) {
            self.store = store
            self.addresses = addresses
            self.secret = secret
            self.schedule = schedule
            self.transport = transport
            self.now = now
        }

        /// Whether notifications can be forwarded to a web address: one of HTTP, with or without TLS, with a host.
        public static func canForward(to address: URL) -> Bool { WebhookClient.canPost(to: address) }

        /// Sends until the task is cancelled. A delivery that is under way then is sent again by the next run.
        ///
        /// - Throws: `SQLiteStoreError` if the file cannot be read or written. A full disk or a locked file is waited for.
        public func run() async throws(SQLiteStoreError) {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for address in Set(addresses.map(\.absoluteString)).sorted() {
                        guard let url = URL(string: address) else { continue }
                        group.addTask { try await AddressQueue(self, url).run() }
                    }
                    // Without an address, there is nothing to do until the end.
                    group.addTask { try await Task.sleep(for: .seconds(Int32.max)) }
                    try await group.waitForAll()
                }
            } catch {
                guard !Task.isCancelled else { return }
                throw SQLiteStoreError(error, store.file.path)
            }
        }

        /// The headers of a request.
        func headers(for body: Data, at instant: Date) -> [(name: String, value: String)]? {
            let isJSON = body.first == UInt8(ascii: "{")
            let headers = [(name: "Content-Type", value: isJSON ? "application/json" : "text/plain")]
            guard let secret else { return headers }
            guard let signature = secret.signature(of: body, at: instant) else { return nil }
            return headers + [(name: ForwardingSecret.headerName, value: signature)]
        }
    }
#endif
