#if SQLite
    internal import GRDB
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// Finds payloads that the file has already, without making values of them: an archive that is read again takes a
    /// fraction of the time.
    ///
    /// It compares the payload's whole JSON: the same text under the same key was verified when it was kept.
    struct KnownPayloads {
        private let find: Statement
        private let findNotification: Statement

        init(_ db: Database) throws {
            find = try db.cachedStatement(
                sql: "SELECT 1 FROM payload WHERE subject = ? AND kind = ? AND item = ? AND json = ?")
            findNotification = try db.cachedStatement(sql: "SELECT 1 FROM notification WHERE uuid = ?")
        }

        /// Whether the file has all that a payload would bring. If it has not, or a later signing of the same, the answer
        /// is no.
        ///
        /// - Complexity: a look-up in an index for each payload inside.
        func have(_ payload: VerifiedPayload) throws -> Bool {
            switch payload.kind {
            case .transaction:
                return try have(payload, as: .transaction, "originalTransactionId", "transactionId")
            case .renewalInfo: return try have(payload, as: .renewalInfo, "originalTransactionId", nil)
            case .appTransaction: return try have(payload, as: .appTransaction, "appTransactionId", nil)
            case .notification:
                guard !payload.nested.isEmpty, let notification = SeenNotification(payload) else {
                    return false
                }
                return try haveNotification(notification.uuid)
                    && payload.nested.allSatisfy { try have($0.payload) }
            case .realtimeRequest, .receipt, .unknown: return false
            }
        }

        /// Whether the file remembers a notification, by its `notificationUUID` in lower case.
        func haveNotification(_ uuid: String) throws -> Bool {
            findNotification.setUncheckedArguments([uuid])
            return try Bool.fetchOne(findNotification) ?? false
        }

        private func have(
            _ payload: VerifiedPayload, as kind: StoredPayload.Kind, _ subject: String, _ item: String?
        ) throws -> Bool {
            guard let fields = try? PayloadFields(payload.json, names: Self.names),
                let item = item.map({ fields.identifier($0) }) ?? 0
            else { return false }
            let key: StoredPayload.Subject
            if kind == .appTransaction {
                key = .download(fields.string(subject) ?? "")
            } else {
                guard let original = fields.identifier(subject) else { return false }
                key = .purchase(original)
            }
            find.setUncheckedArguments([
                key.databaseValue, kind.rawValue, Int64(bitPattern: item),
                String(decoding: payload.json, as: UTF8.self),
            ])
            return try Bool.fetchOne(find) ?? false
        }

        private static let names = MemberNames(["originalTransactionId", "transactionId", "appTransactionId"])
    }
#endif
