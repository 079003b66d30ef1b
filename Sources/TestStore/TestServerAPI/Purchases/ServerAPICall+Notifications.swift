internal import Essentials
internal import StoreKitTestSession
internal import StoreKitVerify
internal import WireFormats

/// The endpoints about server notifications.
extension ServerAPICall {
    /// Get Notification History, oldest first.
    func notificationHistory() throws(ServerAPIError) -> ServerAPIResponse {
        let body = try object()
        return try appStore.read { (simulation) throws(ServerAPIError) in
            let filter = try NotificationHistoryFilter(body, in: simulation)
            let entries = simulation.output.history?.entries ?? []
            let start = try start(of: queryValue("paginationToken"), filter, entries.count)
            let found = entries.indices[start...].lazy.filter { filter.contains(entries[$0]) }
            // One more than the page has tells whether there is another page.
            let page = Array(found.prefix(Page.size + 1))
            var object = ObjectText()
            if page.count > Page.size {
                object.add("paginationToken", Self.token(page[Page.size], filter))
            }
            object.add("hasMore", page.count > Page.size)
            object.add(
                "notificationHistory",
                all: page.prefix(Page.size).map { entries[$0].object })
            return ServerAPIResponse(object)
        }
    }

    /// The token of a page: where it begins, and what tells the filter of the request.
    private static func token(_ start: Int, _ filter: NotificationHistoryFilter) -> String {
        "\(String(start, radix: 36))-\(String(filter.digest, radix: 36))"
    }

    /// A token with another filter than the request's is refused, because its place would mean another list.
    private func start(
        of token: String?, _ filter: NotificationHistoryFilter, _ count: Int
    ) throws(ServerAPIError) -> Int {
        guard let token else { return 0 }
        let number = token.prefix { $0 != "-" }
        guard let start = Int(number, radix: 36), (0...count).contains(start),
            token == Self.token(start, filter)
        else { throw .invalidPaginationToken }
        return start
    }

    // MARK: - Test notifications

    /// Request a Test Notification.
    func requestTestNotification() throws(ServerAPIError) -> ServerAPIResponse {
        guard api.options.hasNotificationURL else { throw .serverNotificationURLNotFound }
        let uuid = try appStore.change { (simulation) throws(ServerAPIError) in
            try ServerAPIError.signing(try simulation.notifyOfTest())
            // The notification that was just added.
            return simulation.output.history?.entries.last?.notification.uuid
        }
        guard let uuid else { throw .generalInternal }
        api.withState { _ = $0.testNotifications.insert(uuid) }
        return ServerAPIResponse("testNotificationToken", uuid.uuidString.lowercased())
    }

    /// Get Test Notification Status. There is no status before the first attempt.
    func testNotificationStatus() throws(ServerAPIError) -> ServerAPIResponse {
        // Apple's tokens have a time behind the identifier: 3f2504e0-4f89-41d3-9a0c-0305e82c3301_1767225600000.
        let parts = parameter("token").split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        let hasTime =
            parts.count == 1 || !parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard hasTime, let uuid = UUID(canonicalForm: String(parts[0])) else {
            throw .invalidTestNotificationToken
        }
        guard parts.count == 1 else { throw .testNotificationNotFound }
        let isKnown = api.withState { $0.testNotifications.contains(uuid) }
        guard isKnown else { throw .testNotificationNotFound }
        return try appStore.read { (simulation) throws(ServerAPIError) in
            guard let entry = simulation.output.history?[uuid], !entry.attempts.isEmpty,
                simulation.now - entry.notification.date.milliseconds <= Self.tokenLifetime
            else { throw .testNotificationNotFound }
            return ServerAPIResponse(entry.object)
        }
    }

    /// Apple's tokens of test notifications are valid for six months.
    private static let tokenLifetime = 183 * 86_400_000
}
