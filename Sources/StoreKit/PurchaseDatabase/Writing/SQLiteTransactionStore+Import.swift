#if SQLite
    internal import GRDB
    public import SignedPayloads
    internal import StoreKitVerify
    package import WireFormats

    /// The outcome for a verified payload at an import.
    public enum ImportOutcome: Hashable, Sendable {
        /// The file keeps it now.
        case new
        /// The file had it already, or has a later signing of the same.
        case known
        /// It is verified, but says nothing about a customer's purchases. A notification among these is remembered.
        case noPurchase(SignedPayloadKind)
    }

    /// The lines of an import, ready to be kept.
    package struct PreparedImport: Sendable {
        fileprivate enum Line: Sendable {
            /// The file has the payload already.
            case known(SignedPayloadKind)
            case ready(ReadyPayload)

            var kind: SignedPayloadKind {
                switch self {
                case .known(let kind): kind
                case .ready(let payload): payload.kind
                }
            }
        }

        fileprivate private(set) var lines: [Result<Line, PayloadError>] = []
        /// The number of payloads to keep.
        package private(set) var count = 0

        package init() {}

        /// Whether there are no lines.
        package var isEmpty: Bool { lines.isEmpty }

        /// The verdict on each line, in order.
        package var verdicts: [Result<SignedPayloadKind, PayloadError>] { lines.map { $0.map(\.kind) } }

        /// Adds the lines of another import behind those of this one.
        package mutating func append(_ other: PreparedImport) {
            lines += other.lines
            count += other.count
        }

        fileprivate mutating func append(_ line: Result<Line, PayloadError>) {
            if case .success(.ready(let payload)) = line { count += payload.stored.count }
            lines.append(line)
        }
    }

    /// Imports of many payloads: archives, a first import, a year of webhooks.
    extension SQLiteTransactionStore {
        /// Verifies payloads of all kinds and keeps those about purchases, in one transaction of SQLite. It is
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
                let (known, storeKit) = (try KnownPayloads(db), StoreKitVerifier(verifier))
                var prepared = PreparedImport()
                for verdict in batch.verify(lines, of: buffer) {
                    switch verdict {
                    case .success(let payload):
                        let notification = SeenNotification(payload)
                        if try !delivered && known.have(payload, notification) {
                            prepared.append(.success(.known(payload.kind)))
                        } else {
                            prepared.append(
                                try ReadyPayload.reading(
                                    payload, notification, by: storeKit, keepsValues: false
                                ).map { .ready($0) })
                        }
                    case .failure(let error): prepared.append(.failure(error))
                    }
                }
                return prepared
            }
        }

        /// Keeps prepared payloads, on the caller's thread.
        ///
        /// - Returns: the outcome for each verified payload.
        package func keep(
            _ prepared: PreparedImport, delivered: Bool
        ) throws(SQLiteStoreError) -> [Result<ImportOutcome, PayloadError>] {
            try file.writeNow { db in try write(prepared, delivered: delivered, db) }
        }

        private func write(
            _ prepared: PreparedImport, delivered: Bool, _ db: Database
        ) throws -> [Result<ImportOutcome, PayloadError>] {
            let ready: [ReadyPayload] = prepared.lines.compactMap { line in
                if case .success(.ready(let payload)) = line { payload } else { nil }
            }
            var writing = try PayloadWriting(db, accepted)
            var outcomes = try writing.keep(ready)[...]
            if delivered { for payload in ready { try writing.finish(payload.stored) } }
            return prepared.lines.map { line in
                line.map { line in
                    // Each payload that is ready has an outcome.
                    if case .ready(let payload) = line {
                        outcomes.popFirst() ?? .noPurchase(payload.kind)
                    } else {
                        .known
                    }
                }
            }
        }
    }
#endif
