#if SQLite
    internal import Foundation
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// The table `notification`: the identifiers of all that have come, by which a repetition is recognised.
    struct NotificationRows {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// Remembers a notification.
        ///
        /// - Returns: whether it had not come before.
        func add(_ notification: SeenNotification) throws -> Bool {
            try db.cachedStatement(sql: "INSERT INTO notification VALUES (?, ?) ON CONFLICT DO NOTHING")
                .execute(
                    arguments: [notification.uuid, notification.signed])
            return db.changesCount > 0
        }

        /// Whether a notification has come.
        ///
        /// - Parameter uuid: its `notificationUUID`, in lower case.
        func has(_ uuid: String) throws -> Bool {
            let find = try db.cachedStatement(sql: "SELECT 1 FROM notification WHERE uuid = ?")
            return try Bool.fetchOne(find, arguments: [uuid]) ?? false
        }
    }

    /// A notification that has come, as the file remembers it.
    struct SeenNotification: Sendable {
        /// Its `notificationUUID`, in lower case.
        let uuid: String
        /// When it was signed, in milliseconds since 1970.
        let signed: Double
        /// The claims of seats that it ends.
        let endedClaims: [UUID]

        init(_ notification: ServerNotification) {
            endedClaims = notification.unclaimInfo?.unclaimSeatIDs ?? []
            uuid = Self.key(notification.notificationUUID)
            signed = notification.signedDate.milliseconds
        }

        /// The notification of a verified payload; `nil` for a payload of another kind, or without an identifier.
        init?(_ payload: VerifiedPayload) {
            guard payload.kind == .notification,
                let fields = try? PayloadFields(payload.json, names: Self.names),
                let uuid = fields.string("notificationUUID").flatMap(UUID.init(canonicalForm:))
            else { return nil }
            self.uuid = Self.key(uuid)
            signed = Double(payload.effectiveDateMilliseconds)
            let unclaimed = fields.object("unclaimInfo", names: NotificationUnclaimInfo.form.names)
            endedClaims = unclaimed?.strings("unclaimSeatIds")?.compactMap { UUID(canonicalForm: $0) } ?? []
        }

        private static let names = MemberNames(["notificationUUID", "unclaimInfo"])

        /// An identifier, as the file has it.
        static func key(_ uuid: UUID) -> String { uuid.uuidString.lowercased() }
    }
#endif
