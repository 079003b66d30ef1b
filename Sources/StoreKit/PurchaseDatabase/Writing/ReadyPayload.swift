#if SQLite
    package import SignedPayloads
    package import StoreKitVerify

    /// A verified payload, ready to be kept: it was read once, before the transaction of SQLite that keeps it begins.
    package struct ReadyPayload: Sendable {
        package let kind: SignedPayloadKind
        /// The values about purchases. A notification may have several, and some kinds have none. Empty after an
        /// import.
        package let values: [PurchaseValue]
        /// The same as the file keeps them, in the same order.
        let stored: [StoredPayload]
        /// The notification, if it is one.
        let notification: SeenNotification?

        /// Reads a payload that the store's verifier let pass. Its values do not keep their tokens.
        ///
        /// - Parameters:
        ///   - notification: the notification, if the payload is one.
        ///   - keepsValues: whether anybody needs the values. They take more memory than all else.
        /// - Returns: why the payload counts as not verified, if it lacks a member that its type requires.
        /// - Throws: `SQLiteStoreError` if a payload has no token.
        static func reading(
            _ payload: VerifiedPayload, _ notification: SeenNotification?, by verifier: StoreKitVerifier,
            keepsValues: Bool
        ) throws(SQLiteStoreError) -> Result<ReadyPayload, PayloadError> {
            let found: [(value: PurchaseValue, source: VerifiedPayload)]
            do throws(PayloadError) {
                found = try PurchaseValue.sources(in: payload, by: verifier, keepsTokens: false)
            } catch {
                return .failure(error)
            }
            var stored: [StoredPayload] = []
            for (value, source) in found { stored.append(try StoredPayload(value, source: source)) }
            if let signed = notification?.signed {
                stored += try StoredPayload.envelope(
                    SignedContent(payload), of: found.map(\.value), signed: signed)
            }
            return .success(
                ReadyPayload(
                    kind: payload.kind, values: keepsValues ? found.map(\.value) : [], stored: stored,
                    notification: notification))
        }
    }

    extension ReadyPayload {
        /// A value that an app applies.
        ///
        /// - Throws: `SQLiteStoreError` if the value has no token.
        init(_ value: PurchaseValue, _ kind: SignedPayloadKind) throws(SQLiteStoreError) {
            self.init(kind: kind, values: [value], stored: [try StoredPayload(value)], notification: nil)
        }

        /// A verified notification.
        ///
        /// - Throws: the reason why a payload inside it is unverified, or has no value; `SQLiteStoreError` if one
        ///   has no token.
        init(_ notification: ServerNotification) throws {
            let (transaction, renewalInfo) = try notification.purchases()
            let values = [
                transaction.map(PurchaseValue.transaction), renewalInfo.map(PurchaseValue.renewalInfo),
                AnnouncedGrace(notification).map(PurchaseValue.announcedGrace),
            ].compactMap(\.self)
            let stored =
                try values.map { try StoredPayload($0) }
                + StoredPayload.envelope(
                    notification.signedContent, of: values, signed: notification.signedDate.milliseconds)
            self.init(
                kind: .notification, values: values, stored: stored,
                notification: SeenNotification(notification))
        }
    }

    extension PayloadWriting {
        /// Keeps ready payloads, all together.
        ///
        /// - Returns: the outcome for each, in the same order.
        mutating func keep(_ ready: [ReadyPayload]) throws -> [ImportOutcome] {
            // In the order of the index, so that each of its pages is changed once.
            for notification in ready.compactMap(\.notification).sorted(by: { $0.uuid < $1.uuid }) {
                try note(notification)
            }
            var isNew = try keep(ready.flatMap(\.stored))[...]
            return ready.map { payload in
                let own = isNew.prefix(payload.stored.count)
                isNew = isNew.dropFirst(own.count)
                return own.isEmpty ? .noPurchase(payload.kind) : own.contains(true) ? .new : .known
            }
        }
    }
#endif
