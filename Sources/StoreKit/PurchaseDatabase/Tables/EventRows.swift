#if SQLite
    internal import Foundation
    package import GRDB
    internal import StoreKitVerify
    internal import WireFormats

    /// What a notification is about, as the table `event` has it. It finds notifications, and decides nothing: a body
    /// is verified when it is read.
    package struct NotificationFacts: Sendable {
        /// The `notificationType`.
        package let type: String
        package let subtype: String?
        /// The purchase, or the download; null if it is about neither.
        package let subject: DatabaseValue

        /// What a verified notification says.
        init(_ notification: ServerNotification) {
            type = notification.notificationType.rawValue
            subtype = notification.subtype?.rawValue
            let data = notification.data
            let original =
                data?.transaction?.unsafePayloadValue.originalID
                ?? data?.renewalInfo?.unsafePayloadValue.originalTransactionID
                ?? notification.unclaimInfo?.originalTransactionID
            let download = notification.appData?.appTransaction?.unsafePayloadValue.appTransactionID
            let subject =
                original.map(StoredPayload.Subject.purchase) ?? download.map(StoredPayload.Subject.download)
            self.subject = subject?.databaseValue ?? .null
        }

        /// What a body in the file says, without a verdict on it; `nil` if it is no notification.
        private init?(unverifiedBody body: [UInt8]) {
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

        private static func payload(_ token: String) -> JSONTree? {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            let text = Array(parts[1].utf8)
            guard let json = try? Base64.decode(text.span, in: text.indices, alphabet: .url) else {
                return nil
            }
            return try? JSONTree(json.span)
        }

        /// Writes the row of a notification.
        package func note(_ db: Database, notification: Int64, at milliseconds: Double) throws {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?, ?)").execute(
                arguments: [notification, milliseconds, type, subtype, subject])
        }

        /// Writes the rows of all notifications of an older file: a minute for a million.
        static func noteAll(_ db: Database) throws {
            let rows = try Row.fetchCursor(db, sql: "SELECT id, at, body FROM received")
            while let row = try rows.next() {
                let body = try row.decode(Data.self, atIndex: 2)
                guard let facts = NotificationFacts(unverifiedBody: Array(body)) else { continue }
                try facts.note(
                    db, notification: try row.decode(Int64.self, atIndex: 0),
                    at: try row.decode(Double.self, atIndex: 1))
            }
        }
    }
#endif
