#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import NotificationInbox
    internal import SignedPayloads
    internal import StoreKitVerifySQLite
    internal import WireFormats

    /// The address for Apple, and what came to it.
    struct NotificationHandlers: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let metrics: ServiceMetrics
        let logger: Logger

        /// `POST /v1/notifications`: keeps what the App Store sends. The App Store repeats it until the status is one of
        /// 200 to 206 (Apple, "Responding to App Store Server Notifications").
        ///
        /// A notification that was kept before gets the status 200 again: the App Store may have missed the
        /// first answer.
        func receive(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let inbox = try apps.database(for: request).inbox
            let outcome = try await bodies.withBytes(of: request) { body in
                do throws(SQLiteStoreError) {
                    return try await inbox.receive(body, at: Date())
                } catch {
                    metrics.notifications(.failed)
                    throw problem(error)
                }
            }
            switch outcome {
            case .accepted(let uuid):
                metrics.notifications(.accepted)
                return Self.receipt(of: uuid, isNew: true)
            case .duplicate(let uuid):
                metrics.notifications(.duplicate)
                return Self.receipt(of: uuid, isNew: false)
            case .refused(let error):
                metrics.record(error)
                metrics.notifications(.refused)
                logger.notice(
                    "a notification is refused", metadata: ["code": .string(error.code.rawValue)])
                // A status of 4xx or 5xx makes the App Store send it again. 503 says to other callers that
                // this may help.
                var problem = Problem(.init(code: error.httpStatus), error.message)
                problem.code = error.code.rawValue
                if outcome.mayPassLater { problem.headers[.retryAfter] = "60" }
                throw problem
            }
        }

        /// - Parameter isNew: false for one that had come before.
        private static func receipt(of uuid: UUID, isNew: Bool) -> Response {
            var object = ObjectText()
            object.add("notificationUUID", uuid)
            object.add("isNew", isNew)
            return .json(object)
        }

        /// `GET /v1/notifications/{notificationUUID}`: the body, when it came, and the state of its deliveries.
        func notification(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let inbox = try apps.database(for: request).inbox
            guard let uuid = request.parameters["notificationUUID"].flatMap(UUID.init(canonicalForm:)) else {
                throw Problem(.badRequest, "A notification's name is its notificationUUID, a UUID.")
            }
            let found = try await answer { () throws(SQLiteStoreError) in try await inbox.notification(uuid) }
            guard let found else {
                throw Problem(.notFound, "No notification with this notificationUUID has come.")
            }
            var object = ObjectText()
            object.add("notificationUUID", found.notificationUUID)
            object.add("receivedDate", found.date)
            object.add("body", String(decoding: found.body, as: UTF8.self))
            object.add("deliveries", all: found.deliveries.map(Self.object(of:)))
            return .json(object)
        }

        /// The most deliveries of an answer.
        ///
        /// A thousand are some hundred kilobytes. More means that a server is down, which these show as well.
        private static let maximumDeliveries = 1_000

        /// `GET /v1/deliveries`: what is not delivered; first what was given up.
        func undelivered(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let inbox = try apps.database(for: request).inbox
            let deliveries = try await answer { () throws(SQLiteStoreError) in
                try await inbox.undelivered(limit: Self.maximumDeliveries)
            }
            var object = ObjectText()
            object.add("deliveries", all: deliveries.map(Self.object(of:)))
            return .json(object)
        }

        /// `POST /v1/deliveries/retry`: queues again what was given up.
        func deliverAgain(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "address"])
            let inbox = try apps.database(for: request).inbox
            var address: URL?
            if let text = request.query("address") {
                // Only addresses of the configuration, so that no caller makes the service send anything
                // elsewhere.
                guard let url = URL(string: text), inbox.addresses.contains(url) else {
                    throw Problem(.badRequest, "The service does not forward to this address.")
                }
                address = url
            }
            let count = try await answer { [address] () throws(SQLiteStoreError) in
                try await inbox.deliverAgain(to: address, at: Date())
            }
            var object = ObjectText()
            object.add("queued", count)
            return .json(object)
        }

        private static func object(of delivery: NotificationDelivery) -> ObjectText {
            var object = ObjectText()
            object.add("notificationUUID", delivery.notificationUUID)
            object.add("address", delivery.address)
            object.add("state", "\(delivery.state)")
            object.add("attempts", delivery.attempts)
            object.add("date", delivery.date)
            object.add("lastFailure", delivery.lastFailure)
            return object
        }

        /// An error of the file becomes a `Problem`, and a line of the log.
        private func answer<Value>(_ body: () async throws(SQLiteStoreError) -> Value) async throws(Problem)
            -> Value
        {
            do throws(SQLiteStoreError) { return try await body() } catch { throw problem(error) }
        }

        private func problem(_ error: SQLiteStoreError) -> Problem { Problem(error, logger) }
    }

    extension Response {
        /// An answer in JSON, of one line.
        static func json(_ object: ObjectText) -> Response {
            .json(ByteBuffer(string: object.json + "\n"))
        }
    }
#endif
