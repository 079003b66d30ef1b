#if SQLite
    internal import GRDB
    internal import SignedPayloads

    /// Finds payloads that the file has already, without making values of them: an archive that is read again takes a
    /// fraction of the time.
    ///
    /// It compares the payload's whole JSON: the same text under the same key was verified when it was kept.
    struct KnownPayloads {
        private let texts: KnownTexts
        private let notifications: NotificationRows

        init(_ db: Database) throws { (texts, notifications) = (try KnownTexts(db), NotificationRows(db)) }

        /// Whether the file has everything that a payload would bring. If it has a later signing of the same, the
        /// answer is no.
        ///
        /// - Parameter notification: the notification, if the payload is one.
        /// - Complexity: a look-up in an index for each payload inside.
        func have(_ payload: VerifiedPayload, _ notification: SeenNotification?) throws -> Bool {
            guard payload.kind == .notification else { return try have(payload) }
            guard !payload.nested.isEmpty, let notification else { return false }
            return try notifications.has(notification.uuid)
                && payload.nested.allSatisfy { try have($0.payload) }
        }

        private func have(_ payload: VerifiedPayload) throws -> Bool {
            guard let key = StoredPayload.Key(payload) else { return false }
            return try texts.has(key, payload.json)
        }
    }
#endif
