#if SQLite
    internal import GRDB
    package import SignedPayloads
    internal import StoreKitVerify
    package import WireFormats

    /// Purchases that an app's own server sends, soon after they were made.
    extension SQLiteTransactionStore {
        /// Verifies payloads with the store's verifier. It reads nothing of the file, and may wait for a responder.
        ///
        /// - Parameters:
        ///   - lines: the payloads: compact JWS, or JSON objects around one.
        ///   - buffer: their bytes.
        /// - Returns: a verdict on each, in the same order. A payload that lacks a member which its type requires
        ///   is not verified.
        /// - Throws: `SQLiteStoreError` if a value has no token.
        package func verified(
            _ lines: [BatchLine], of buffer: [UInt8]
        ) throws(SQLiteStoreError) -> [Result<ReadyPayload, PayloadError>] {
            let storeKit = StoreKitVerifier(verifier)
            var submitted: [Result<ReadyPayload, PayloadError>] = []
            for verdict in batch.verify(lines, of: buffer) {
                switch verdict {
                case .success(let payload):
                    submitted.append(
                        try ReadyPayload.reading(
                            payload, SeenNotification(payload), by: storeKit, keepsValues: true))
                case .failure(let error): submitted.append(.failure(error))
                }
            }
            return submitted
        }

        /// Keeps verified payloads, all of them in one transaction of SQLite, or none. When the call returns, they
        /// are on the disk. Concurrent calls share commits. Listeners get nothing of it, and no transaction counts
        /// as finished.
        ///
        /// - Returns: the outcome for each, in the same order.
        package func keep(
            _ submitted: [ReadyPayload]
        ) async throws(SQLiteStoreError) -> [ImportOutcome] {
            guard submitted.contains(where: { !$0.stored.isEmpty || $0.notification != nil }) else {
                return submitted.map { .noPurchase($0.kind) }
            }
            return try await commits.write { [accepted] db in
                var writing = try PayloadWriting(db, accepted)
                return try writing.keep(submitted)
            }
        }
    }
#endif
