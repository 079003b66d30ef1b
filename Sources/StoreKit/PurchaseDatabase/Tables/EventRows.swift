#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify
    internal import WireFormats

    /// The table `event`, which finds the notifications whose bodies are kept. It decides nothing: a body is
    /// verified when it is read.
    struct EventRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        // MARK: - Writing

        /// Writes the row of a notification, in place of one that is there.
        ///
        /// - Parameter milliseconds: when it came, in milliseconds since 1970.
        func note(_ facts: NotificationFacts, of notification: Int64, at milliseconds: Double) throws {
            try db.cachedStatement(
                sql: """
                    INSERT INTO event (notification, at, type, subtype, subject) VALUES (?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT (notification) DO UPDATE SET at = ?2, type = ?3, subtype = ?4, subject = ?5
                    """
            ).execute(arguments: [notification, milliseconds, facts.type, facts.subtype, facts.subject])
        }

        /// Writes the rows of all notifications of an older file: a minute for a million.
        func noteAll() throws {
            let rows = try Row.fetchCursor(db, sql: "SELECT id, at, body FROM received")
            while let row = try rows.next() {
                let body = try row.decode(Data.self, atIndex: 2)
                guard let facts = NotificationFacts(unverifiedBody: Array(body)) else { continue }
                try note(
                    facts, of: try row.decode(Int64.self, atIndex: 0),
                    at: try row.decode(Double.self, atIndex: 1))
            }
        }

        /// Takes out the row of a notification.
        func delete(_ notification: Int64) throws {
            try db.cachedStatement(sql: "DELETE FROM event WHERE notification = ?")
                .execute(arguments: [notification])
        }

        // MARK: - Reading

        /// Notifications that came before an instant and wait for no delivery, in their order.
        ///
        /// - Parameter last: the notification behind which they begin.
        func ended(before milliseconds: Double, after last: Int64, limit: Int) throws -> [Int64] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT notification FROM event WHERE notification > ? AND at < ? AND NOT EXISTS (
                        SELECT * FROM delivery WHERE delivery.notification = event.notification AND state = 0)
                    ORDER BY notification LIMIT ?
                    """)
            return try Int64.fetchAll(find, arguments: [last, milliseconds, limit])
        }

        /// Notifications of a range of time, in their order.
        ///
        /// - Parameter last: the notification behind which they begin.
        func notifications(_ range: Range<Double>, after last: Int64, limit: Int) throws -> [Int64] {
            let find = try db.cachedStatement(
                sql: """
                    SELECT notification FROM event WHERE notification > ? AND at >= ? AND at < ?
                    ORDER BY notification LIMIT ?
                    """)
            return try Int64.fetchAll(find, arguments: [last, range.lowerBound, range.upperBound, limit])
        }
    }

    /// The event of a notification, and its subject.
    struct NotificationFacts: Sendable {
        /// The `notificationType`.
        let type: String
        let subtype: String?
        /// The purchase, or the download; null if it is about neither.
        let subject: DatabaseValue

        /// The facts of a verified notification.
        init(_ notification: ServerNotification) {
            type = notification.notificationType.rawValue
            subtype = notification.subtype?.rawValue
            let original = notification.originalID ?? notification.unclaimInfo?.originalTransactionID
            let download = notification.appData?.appTransaction?.unsafePayloadValue.appTransactionID
            let subject =
                original.map(StoredPayload.Subject.purchase) ?? download.map(StoredPayload.Subject.download)
            self.subject = subject?.databaseValue ?? .null
        }

        /// The facts of a body in the file, without a verdict on it; `nil` if it holds no notification.
        fileprivate init?(unverifiedBody body: [UInt8]) {
            guard let token = try? StoreKitVerifier.token(inBody: body), let payload = Self.payload(token),
                let type = payload["notificationType"]?.stringValue
            else { return nil }
            self.type = type
            subtype = payload["subtype"]?.stringValue
            let inner = ["signedTransactionInfo", "signedRenewalInfo"].lazy.compactMap {
                payload["data"]?[$0]?.stringValue.flatMap(Self.payload)
            }
            let original = (inner + [payload["unclaimInfo"]].compactMap(\.self)).compactMap {
                $0["originalTransactionId"]?.stringValue.flatMap { UInt64($0) }
            }
            let download = payload["appData"]?["signedAppTransactionInfo"]?.stringValue.flatMap(Self.payload)
            let subject =
                original.first.map(StoredPayload.Subject.purchase)
                ?? download?["appTransactionId"]?.stringValue.map(StoredPayload.Subject.download)
            self.subject = subject?.databaseValue ?? .null
        }

        /// The customer's names in a body in the file, without a verdict on it; `nil` if it holds no notification.
        static func names(inUnverified body: [UInt8]) -> [Customer.Name]? {
            (try? StoreKitVerifier.token(inBody: body)).flatMap(payload).map(names)
        }

        /// The customer's names in the payloads of a notification, without a verdict on them.
        static func names(inUnverifiedPayload json: String) -> [Customer.Name] {
            (try? JSONTree(Array(json.utf8).span)).map(names) ?? []
        }

        private static func names(in payload: JSONTree) -> [Customer.Name] {
            ["signedTransactionInfo", "signedRenewalInfo"].flatMap { member in
                let json = payload["data"]?[member]?.stringValue.flatMap {
                    SignedContent.segment(1, ofUnverified: $0)
                }
                return json.flatMap { try? PayloadFields($0, names: names) }.map(Customer.names(in:)) ?? []
            }
        }

        private static let names = MemberNames(Customer.nameMembers)

        private static func payload(_ token: String) -> JSONTree? {
            SignedContent.segment(1, ofUnverified: token).flatMap { try? JSONTree($0.span) }
        }
    }
#endif
