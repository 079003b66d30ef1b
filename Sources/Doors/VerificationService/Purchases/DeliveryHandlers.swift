#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import PurchaseDatabase
    internal import WireFormats

    /// Deliveries of forwarded notifications, and an operator's actions on them.
    struct DeliveryHandlers: Sendable {
        let apps: ServedApps

        /// `GET /v1/deliveries`: how many have not succeeded, and which.
        func list(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["address", "after", "app", "limit", "since", "state"])
            let inbox = try apps.database(for: request).inbox
            let selection = try selection(request)
            let cursor = try request.cursor { DeliveryPage.Cursor($0) }
            let limit = try request.limit(1...1_000, default: 100)
            let (counts, page) = try await request.answer { () throws(SQLiteStoreError) in
                (
                    try await inbox.deliveryCounts(),
                    try await inbox.deliveries(selection, after: cursor, limit: limit)
                )
            }
            let addresses = inbox.addresses.map(\.absoluteString)
            let known = Set(counts.map(\.address))
            let counted = counts.map { count in
                Self.object(at: count.address, isConfigured: addresses.contains(count.address), count)
            }
            let others = addresses.filter { !known.contains($0) }
                .map { Self.object(at: $0, isConfigured: true, nil) }
            var object = ObjectText()
            object.add("counts", all: counted + others)
            object.add("deliveries", all: page.deliveries.map(\.object))
            object.add("next", page.next?.description)
            return .json(object)
        }

        /// - Parameter count: the open deliveries to the address; `nil` for an address without any.
        private static func object(
            at address: String, isConfigured: Bool, _ count: DeliveryCount?
        ) -> ObjectText {
            var object = ObjectText()
            object.add("address", address)
            object.add("isConfigured", isConfigured)
            object.add("waiting", count?.waiting ?? 0)
            object.add("givenUp", count?.givenUp ?? 0)
            object.add("oldestWaiting", count?.oldestWaiting)
            return object
        }

        /// `POST /v1/deliveries/retry`: queues deliveries again that were given up.
        func deliverAgain(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["address", "app"])
            let inbox = try apps.database(for: request).inbox
            let address = try address(request, inbox)
            return try await count("queued", request) { () throws(SQLiteStoreError) in
                try await inbox.deliverAgain(to: address, at: Date())
            }
        }

        /// `POST /v1/deliveries/send`: sends waiting deliveries at once.
        func deliverWaiting(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["address", "app"])
            let inbox = try apps.database(for: request).inbox
            let address = try address(request, inbox)
            return try await count("sent", request) { () throws(SQLiteStoreError) in
                try await inbox.deliverWaiting(to: address, at: Date())
            }
        }

        /// `POST /v1/deliveries/replay`: queues the notifications of a range of time for one address.
        func replay(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["address", "app", "since", "until"])
            let inbox = try apps.database(for: request).inbox
            guard let address = try address(request, inbox), let since = try request.date("since") else {
                throw Problem(
                    .badRequest,
                    "Give ?address= and ?since=, a date such as 2026-01-01T00:00:00Z; ?until= is now unless given."
                )
            }
            let until = try request.date("until") ?? Date()
            guard since < until else {
                throw Problem(.badRequest, "?since= must be before ?until=, or before now.")
            }
            return try await count("queued", request) { () throws(SQLiteStoreError) in
                try await inbox.replay(since..<until, to: address, at: Date())
            }
        }

        /// `DELETE /v1/deliveries`: deletes an address's undelivered notifications. The address may be configured no more.
        func drop(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["address", "app", "since", "state"])
            let inbox = try apps.database(for: request).inbox
            let selection = try selection(request)
            guard let address = selection.address, selection.state != .delivered else {
                throw Problem(
                    .badRequest, "Give ?address=, and ?state=waiting or givenUp, or no state for both.")
            }
            request.logger.notice(
                "deliveries are dropped, as a request asks",
                metadata: ["address": .string(DeliveryMonitor.shown(address))])
            return try await count("dropped", request) { () throws(SQLiteStoreError) in
                try await inbox.dropDeliveries(selection)
            }
        }

        private func selection(_ request: RouteRequest) throws(Problem) -> DeliverySelection {
            var selection = DeliverySelection(address: request.query("address"))
            if let text = request.query("state") {
                guard let state = NotificationDelivery.State.allCases.first(where: { "\($0)" == text }) else {
                    let states = NotificationDelivery.State.allCases.map { "\($0)" }.joined(separator: ", ")
                    throw Problem(.badRequest, "?state= is one of: \(states).")
                }
                selection.state = state
            }
            selection.since = try request.date("since")
            return selection
        }

        /// An address of the configuration, so that no caller makes the service send anything elsewhere.
        private func address(_ request: RouteRequest, _ inbox: NotificationInbox) throws(Problem) -> URL? {
            guard let text = request.query("address") else { return nil }
            guard let url = URL(string: text), inbox.addresses.contains(url) else {
                throw Problem(.badRequest, "The service does not forward to this address.")
            }
            return url
        }

        private func count(
            _ name: String, _ request: RouteRequest, _ body: () async throws(SQLiteStoreError) -> Int
        ) async throws(Problem) -> Response {
            var object = ObjectText()
            object.add(name, try await request.answer(body))
            return .json(object)
        }
    }

    extension NotificationDelivery {
        /// The delivery as an object.
        var object: ObjectText {
            var object = ObjectText()
            object.add("notificationUUID", notificationUUID)
            object.add("address", address)
            object.add("state", "\(state)")
            object.add("attempts", attempts)
            object.add("date", date)
            object.add("lastFailure", lastFailure)
            return object
        }
    }
#endif
