#if SQLite
    internal import GRDB
    internal import Synchronization

    /// Writes of concurrent calls in common transactions of SQLite (group commit).
    ///
    /// A commit waits for the disk, whatever is in it. Writes that come meanwhile are the next transaction, so
    /// their number grows with the load, and a lone write waits for no other. If a common transaction fails, each
    /// write gets one of its own: a write does not fail because of another one.
    final class CommitQueue: Sendable {
        /// The maximum number of writes in a transaction. More would save little, and delay each of them.
        static let maximumWrites = 256

        private struct State {
            var waiting: [any QueuedWrite] = []
            var isRunning = false
        }

        private let file: PayloadFile
        private let state = Mutex(State())

        init(_ file: PayloadFile) { self.file = file }

        /// Writes, in one transaction with others.
        ///
        /// - Parameter body: may run twice; the effects of a run that is not the last are undone.
        /// - Throws: `SQLiteStoreError` if nothing was written.
        func write<Success: Sendable>(
            _ body: @Sendable @escaping (Database) throws -> Success
        ) async throws(SQLiteStoreError) -> Success {
            let result: Result<Success, SQLiteStoreError> = await withCheckedContinuation { continuation in
                let write = PendingWrite(body, continuation, path: file.path)
                let isStarting = state.withLock { state in
                    state.waiting.append(write)
                    guard !state.isRunning else { return false }
                    state.isRunning = true
                    return true
                }
                if isStarting { Task { await drain() } }
            }
            return try result.get()
        }

        /// Commits until no write waits.
        private func drain() async {
            while true {
                let writes = state.withLock { state in
                    let writes = Array(state.waiting.prefix(Self.maximumWrites))
                    state.waiting.removeFirst(writes.count)
                    if writes.isEmpty { state.isRunning = false }
                    return writes
                }
                guard !writes.isEmpty else { return }
                await commit(writes)
            }
        }

        private func commit(_ writes: [any QueuedWrite]) async {
            let failure = await run(writes)
            // A file that is locked is locked for each of them, and each would wait as long again.
            guard let failure, failure.code != .busy, writes.count > 1 else {
                for write in writes { write.finish(failure) }
                return
            }
            for write in writes { write.finish(await run([write])) }
        }

        /// Runs writes in one transaction, and returns why it was undone, if it was.
        private func run(_ writes: [any QueuedWrite]) async -> SQLiteStoreError? {
            do throws(SQLiteStoreError) {
                try await file.write { db in for write in writes { try write.run(db) } }
                return nil
            } catch {
                return error
            }
        }
    }

    /// A write that waits for its transaction.
    private protocol QueuedWrite: Sendable {
        func run(_ db: Database) throws
        func finish(_ failure: SQLiteStoreError?)
    }

    private final class PendingWrite<Success: Sendable>: QueuedWrite {
        private let body: @Sendable (Database) throws -> Success
        private let continuation: CheckedContinuation<Result<Success, SQLiteStoreError>, Never>
        private let path: String
        /// The result of the last run.
        private let value = Mutex<Success?>(nil)

        init(
            _ body: @Sendable @escaping (Database) throws -> Success,
            _ continuation: CheckedContinuation<Result<Success, SQLiteStoreError>, Never>, path: String
        ) {
            (self.body, self.continuation, self.path) = (body, continuation, path)
        }

        func run(_ db: Database) throws {
            let result = try body(db)
            value.withLock { $0 = result }
        }

        func finish(_ failure: SQLiteStoreError?) {
            if let failure { return continuation.resume(returning: .failure(failure)) }
            guard let value = value.withLock({ $0 }) else {
                let lost = SQLiteStoreError(.system, "\(path): the transaction ended without a result")
                return continuation.resume(returning: .failure(lost))
            }
            continuation.resume(returning: .success(value))
        }
    }
#endif
