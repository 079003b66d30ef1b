#if SQLite
    internal import GRDB
    package import SignedPayloads
    package import StoreKitVerify
    package import WireFormats

    /// A verified payload that a program has sent, ready to be kept.
    package struct SubmittedPayload: Sendable {
        package let kind: SignedPayloadKind
        /// What it says about purchases: a notification may have two values, and other kinds may have none.
        package let values: [PurchaseValue]
        fileprivate let payloads: [StoredPayload]
        fileprivate let notification: SeenNotification?
    }

    /// Purchases that an app's own server sends, soon after they were made.
    extension SQLiteTransactionStore {
        /// Verifies payloads with the store's verifier. It reads nothing of the file, and may wait for a responder.
        ///
        /// - Parameters:
        ///   - lines: the payloads: compact JWS, or JSON objects around one.
        ///   - buffer: their bytes.
        /// - Returns: a verdict on each, in the same order. A payload that lacks a member which its type requires is not
        ///   verified.
        /// - Throws: `SQLiteStoreError` if a value has no token.
        package func verified(
            _ lines: [BatchLine], of buffer: [UInt8]
        ) throws(SQLiteStoreError) -> [Result<SubmittedPayload, PayloadError>] {
            let storeKit = StoreKitVerifier(verifier)
            var submitted: [Result<SubmittedPayload, PayloadError>] = []
            for verdict in batch.verify(lines, of: buffer) {
                let payload: VerifiedPayload
                let values: [PurchaseValue]
                do throws(PayloadError) {
                    payload = try verdict.get()
                    values = try PurchaseValue.all(in: payload, by: storeKit, keepsTokens: true)
                } catch {
                    submitted.append(.failure(error))
                    continue
                }
                var stored: [StoredPayload] = []
                for value in values { stored.append(try StoredPayload(value)) }
                submitted.append(
                    .success(
                        SubmittedPayload(
                            kind: payload.kind, values: values, payloads: stored,
                            notification: SeenNotification(payload))))
            }
            return submitted
        }

        /// Keeps verified payloads, all of them in one transaction of SQLite, or none. When the call returns, they are on
        /// the disk. Concurrent calls share commits. Listeners get nothing of it, and no transaction counts as finished.
        ///
        /// - Returns: what became of each, in the same order.
        package func keep(
            _ submitted: [SubmittedPayload]
        ) async throws(SQLiteStoreError) -> [ImportOutcome] {
            guard submitted.contains(where: { !$0.payloads.isEmpty || $0.notification != nil }) else {
                return submitted.map { .noPurchase($0.kind) }
            }
            return try await commits.write { [accepted] db in
                var writing = try PayloadWriting(db, accepted)
                for notification in submitted.compactMap(\.notification) { try writing.note(notification) }
                var isNew = try writing.keep(submitted.flatMap(\.payloads))[...]
                return submitted.map { payload in
                    let own = isNew.prefix(payload.payloads.count)
                    isNew = isNew.dropFirst(own.count)
                    return own.isEmpty ? .noPurchase(payload.kind) : own.contains(true) ? .new : .known
                }
            }
        }
    }
#endif
