#if Service
    internal import CoreMetrics
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// The address for Apple, and the notifications that came to it.
    struct NotificationHandlers: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let metrics: ServiceMetrics
        let databases: DatabaseChecks
        /// Whether notifications that only the configuration refuses get a status of 4xx.
        let refusesForeign: Bool
        private let foreign = ForeignNotifications()

        init(
            apps: ServedApps, bodies: BodyReader, metrics: ServiceMetrics, databases: DatabaseChecks,
            refusesForeign: Bool
        ) {
            (self.apps, self.bodies, self.metrics) = (apps, bodies, metrics)
            (self.databases, self.refusesForeign) = (databases, refusesForeign)
        }

        /// `POST /v1/notifications`: keeps a notification of the App Store. The App Store repeats it until the status is one of
        /// 200 to 206 (Apple, "Responding to App Store Server Notifications").
        ///
        /// A notification that was kept before gets the status 200 again: the App Store may have missed the
        /// first answer.
        func receive(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let app = try app(for: request)
            let metrics = metrics.app(app.name)
            do throws(Problem) {
                try await databases.require(app.database)
            } catch {
                metrics.notifications(.failed)
                throw error
            }
            let outcome = try await bodies.withBytes(of: request) { body in
                do throws(SQLiteStoreError) {
                    return (try await app.database.inbox.receive(body, at: Date()), body)
                } catch {
                    metrics.notifications(.failed)
                    throw Problem(error, request.logger)
                }
            }
            switch outcome {
            case (.accepted(let uuid), _):
                metrics.notifications(.accepted)
                return Self.receipt(of: uuid, isNew: true)
            case (.duplicate(let uuid), _):
                metrics.notifications(.duplicate)
                return Self.receipt(of: uuid, isNew: false)
            case (.refused(let error), let body):
                let isForeign = !error.isRetryable && foreign.includes(error, body)
                metrics.record(error)
                metrics.notifications(isForeign ? .foreign : .refused)
                request.logger.notice(
                    isForeign
                        ? "a notification is of another app, environment or root"
                        : "a notification is refused",
                    metadata: [
                        "app": .string(app.name), "code": .string(error.code.rawValue),
                        "reason": .string(error.message),
                        // It is not signed: any sender can write it.
                        "unverifiedNotificationUUID": .string(
                            StoreKitVerifier.unverifiedIdentifier(inBody: body)?.uuidString.lowercased()
                                ?? "none"),
                    ])
                guard isForeign, !refusesForeign else { throw Problem(error) }
                throw Problem(foreign: error)
            }
        }

        /// The app whose notification comes. The App Store keeps repeating a refused one without success: the address that it was
        /// given is wrong, and only the log can tell.
        private func app(for request: RouteRequest) throws(Problem) -> (name: String, database: AppDatabase) {
            do throws(Problem) {
                return (try apps.app(for: request).name, try apps.database(for: request))
            } catch {
                metrics.misdirected.increment()
                request.logger.notice(
                    "a notification came to an address without an app",
                    metadata: ["reason": .string(error.detail)])
                throw error
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
            let found = try await request.answer { () throws(SQLiteStoreError) in
                try await inbox.notification(uuid)
            }
            guard let found else {
                throw Problem(.notFound, "No notification with this notificationUUID has come.")
            }
            var object = ObjectText()
            object.add("notificationUUID", found.notificationUUID)
            object.add("receivedDate", found.date)
            // It is missing when its time is over; see --keep-bodies.
            object.add("body", found.body.map { String(decoding: $0, as: UTF8.self) })
            object.add("deliveries", all: found.deliveries.map(\.object))
            object.add(
                "failures",
                found.failures.map { failure in
                    var object = ObjectText()
                    object.add("address", failure.address)
                    object.add("date", failure.date)
                    object.add("reason", failure.reason)
                    return object
                })
            return .json(object)
        }

        /// `GET /v1/notifications`: the latest notifications, with their content.
        func list(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery([
                "after", "app", "customer", "limit", "output", "since", "subtype", "type", "until",
            ])
            let inbox = try apps.database(for: request).inbox
            var selection = NotificationSelection()
            selection.type = request.query("type").map(ServerNotification.NotificationType.init(rawValue:))
            selection.subtype = request.query("subtype").map(ServerNotification.Subtype.init(rawValue:))
            selection.customer = try request.query("customer").map { text throws(Problem) in
                Customer([try CustomerQuestions.name(text)])
            }
            let (since, until) = (try request.date("since"), try request.date("until"))
            if since != nil || until != nil {
                let (start, end) = (since ?? .distantPast, until ?? .distantFuture)
                selection.range = start..<max(start, end)
            }
            let limit = try request.limit(1...500, default: 100)
            let cursor = try request.cursor { Int64($0) }
            let isExport = request.query("output") == "ndjson"
            guard isExport || request.query("output") == nil else {
                throw Problem(.badRequest, "?output= is \"ndjson\", or is left out for a page of JSON.")
            }
            guard isExport else {
                let page = try await request.answer { [selection] () throws(SQLiteStoreError) in
                    try await inbox.notifications(selection, before: cursor, limit: limit)
                }
                var object = ObjectText()
                object.add("notifications", all: page.items.map(\.object))
                object.add("next", page.next.map { String($0) })
                return .json(object)
            }
            return export(request, inbox, selection, cursor, limit)
        }

        /// All pages, one notification a line. A failure ends the connection, so that it does not look like the end.
        private func export(
            _ request: RouteRequest, _ inbox: NotificationInbox, _ selection: NotificationSelection,
            _ cursor: Int64?, _ limit: Int
        ) -> Response {
            Response(
                status: .ok, headers: [.contentType: "application/x-ndjson"],
                body: ResponseBody { writer in
                    var cursor = cursor
                    repeat {
                        let page = try await request.answer { [cursor] () throws(SQLiteStoreError) in
                            try await inbox.notifications(selection, before: cursor, limit: limit)
                        }
                        let lines = page.items.map { $0.object.json + "\n" }.joined()
                        try await writer.write(ByteBuffer(string: lines))
                        cursor = page.next
                    } while cursor != nil
                    try await writer.finish(nil)
                })
        }
    }

    extension NotificationPage.Item {
        /// The notification as an object, with StoreKit's names. One that is not verified says why.
        var object: ObjectText {
            var object = ObjectText()
            object.add("notificationUUID", identifier)
            object.add("receivedDate", date)
            switch notification {
            case .failure(let error):
                object.add("error", error.code.rawValue)
                object.add("message", message: error.message)
            case .success(let value): NotificationEvent(value).add(to: &object)
            }
            return object
        }
    }

    extension Response {
        /// An answer in JSON, of one line.
        static func json(_ object: ObjectText) -> Response {
            .json(ByteBuffer(string: object.json + "\n"))
        }
    }

    extension Problem {
        /// A notification that the App Store signed and the configuration refuses.
        fileprivate init(foreign error: PayloadError) {
            self.init(
                .serviceUnavailable,
                "\(error.message). The App Store signed it, so it is to be sent again when the service's configuration is right; with --refuse-foreign-notifications, the service refuses it.",
                headers: [.retryAfter: "3600"])
            code = error.code.rawValue
        }
    }
#endif
