#if SQLite
    internal import GRDB
    public import SignedPayloads
    internal import StoreKitVerify
    package import WireFormats

    /// What became of a verified payload at an import.
    public enum ImportOutcome: Hashable, Sendable {
        /// The file keeps it now.
        case new
        /// The file had it already, or has a later signing of the same.
        case known
        /// It is verified, but says nothing about a customer's purchases. A notification among these is remembered.
        case noPurchase(SignedPayloadKind)
    }

    /// Verified payloads that are ready to be kept.
    package struct PreparedImport: Sendable {
        /// The verdict on each line, in order.
        package fileprivate(set) var verdicts: [Result<SignedPayloadKind, PayloadError>] = []
        /// All payloads of all lines, in their order.
        fileprivate var payloads: [StoredPayload] = []
        fileprivate var notifications: [SeenNotification] = []
        /// For each verdict, how many payloads belong to it; `nil` if the file has them already.
        fileprivate var counts: [Int?] = []

        package init() {}

        /// The number of payloads to keep.
        package var count: Int { payloads.count }

        /// Adds the lines of another import behind those of this one.
        package mutating func append(_ other: PreparedImport) {
            verdicts += other.verdicts
            payloads += other.payloads
            notifications += other.notifications
            counts += other.counts
        }
    }

    /// Imports of many payloads: archives, a first import, a year of webhooks.
    extension SQLiteTransactionStore {
        /// Verifies payloads of all kinds and keeps what they say about purchases, in one transaction of SQLite. It is
        /// many times faster than applying them one by one. Listeners get nothing of it.
        ///
        /// - Parameters:
        ///   - tokens: compact JWS, or JSON objects around them. Some ten thousand at a time are enough.
        ///   - delivered: whether the transactions were delivered to the customers already. They count as finished
        ///     then, so that no listener gets them.
        /// - Returns: for each payload whether the file keeps it now, or why it is not verified and not kept.
        /// - Throws: `SQLiteStoreError` if the file does not keep them. Then it keeps none of them.
        public func importPayloads(
            _ tokens: [String], delivered: Bool = false
        ) async throws(SQLiteStoreError) -> [Result<ImportOutcome, PayloadError>] {
            var (lines, buffer): ([BatchLine], [UInt8]) = ([], [])
            for token in tokens {
                let start = buffer.count
                buffer += token.utf8
                lines.append(.content(start..<buffer.count))
            }
            let prepared = try prepare(lines, of: buffer, delivered: delivered)
            return try await file.write { [self] db in try write(prepared, delivered: delivered, db) }
        }

        /// Verifies lines of a buffer, and makes them ready to be kept.
        ///
        /// - Parameters:
        ///   - lines: the lines.
        ///   - buffer: their bytes.
        ///   - delivered: whether their transactions will count as finished, those that the file has included.
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        package func prepare(
            _ lines: [BatchLine], of buffer: [UInt8], delivered: Bool
        ) throws(SQLiteStoreError) -> PreparedImport {
            try file.readNow { db in
                let known = try KnownPayloads(db)
                var prepared = PreparedImport()
                for verdict in batch.verify(lines, of: buffer) {
                    guard case .success(let payload) = verdict else {
                        prepared.verdicts.append(verdict.map(\.kind))
                        prepared.counts.append(0)
                        continue
                    }
                    if try !delivered && known.have(payload) {
                        prepared.verdicts.append(.success(payload.kind))
                        prepared.counts.append(nil)
                    } else {
                        try add(payload, to: &prepared)
                    }
                }
                return prepared
            }
        }

        /// A payload whose values cannot be read counts as not verified, and its notification is not
        /// remembered.
        private func add(
            _ payload: VerifiedPayload, to prepared: inout PreparedImport
        ) throws(SQLiteStoreError) {
            let values: [PurchaseValue]
            do throws(PayloadError) {
                values = try PurchaseValue.all(
                    in: payload, by: StoreKitVerifier(verifier), keepsTokens: true)
            } catch {
                prepared.verdicts.append(.failure(error))
                prepared.counts.append(0)
                return
            }
            for value in values { prepared.payloads.append(try StoredPayload(value)) }
            if let notification = SeenNotification(payload) { prepared.notifications.append(notification) }
            prepared.verdicts.append(.success(payload.kind))
            prepared.counts.append(values.count)
        }

        /// Keeps prepared payloads, on the caller's thread.
        ///
        /// - Returns: what became of each verified payload.
        package func keep(
            _ prepared: PreparedImport, delivered: Bool
        ) throws(SQLiteStoreError) -> [Result<ImportOutcome, PayloadError>] {
            try file.writeNow { db in try write(prepared, delivered: delivered, db) }
        }

        private func write(
            _ prepared: PreparedImport, delivered: Bool, _ db: Database
        ) throws -> [Result<ImportOutcome, PayloadError>] {
            var writing = try PayloadWriting(db, accepted)
            // In the order of the index, so that each of its pages is changed once.
            for notification in prepared.notifications.sorted(by: { $0.uuid < $1.uuid }) {
                try writing.note(notification)
            }
            let isNew = try writing.keep(prepared.payloads)
            if delivered { for payload in prepared.payloads { try writing.finish(payload) } }
            var place = 0
            var outcomes: [Result<ImportOutcome, PayloadError>] = []
            for (verdict, count) in zip(prepared.verdicts, prepared.counts) {
                let own = isNew[place..<place + (count ?? 0)]
                place += own.count
                outcomes.append(
                    verdict.map { count == 0 ? .noPurchase($0) : own.contains(true) ? .new : .known })
            }
            return outcomes
        }
    }
#endif
