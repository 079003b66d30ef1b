#if SQLite
    import Platform
    import PurchaseDatabase
    import SignedPayloads
    import Synchronization

    /// Puts verified payloads into the database: many in one transaction of it while they come fast, and at once when
    /// they come slowly. The thread that adds payloads writes them too, while others verify the next ones.
    final class ImportQueue: Sendable {
        /// The numbers of verified payloads by their outcome.
        struct Counts: Sendable {
            var new = 0
            var known = 0
            var withoutPurchase = 0
        }

        private struct State {
            var pending = PreparedImport()
            /// The chunk whose payloads are the next ones, and those of later chunks.
            var turn = 0
            var early: [Int: (payloads: PreparedImport, lastLine: Int)] = [:]
            /// The last line of the pending payloads.
            var lastLine = 0
            /// Whether no input is expected soon.
            var isIdle = false
            var counts = Counts()
            /// Why the database could not be written.
            var failure: SQLiteStoreError?
        }

        /// How many payloads to write together: the more, the less often a page of an index is written. They take
        /// 16 MB.
        private static let enough = 8_192

        /// Never held while the database is written: `writer` is, so that other threads go on adding.
        private let state = Mutex(State())
        private let writer = Mutex(())
        private let store: SQLiteTransactionStore
        private let delivered: Bool
        private let kept: KeptLines?
        private let stopRequest: StopRequest

        /// - Parameters:
        ///   - store: keeps the payloads.
        ///   - delivered: whether the transactions count as finished.
        ///   - kept: gets the number of kept lines.
        ///   - stopRequest: is set if the database cannot be written.
        init(_ store: SQLiteTransactionStore, delivered: Bool, _ kept: KeptLines?, _ stopRequest: StopRequest)
        {
            self.store = store
            self.kept = kept
            self.delivered = delivered
            self.stopRequest = stopRequest
        }

        /// Begins an input, whose chunks are counted from 0.
        func beginInput() {
            state.withLock { state in
                state.turn = 0
                state.early = [:]
            }
        }

        /// Adds the payloads of a chunk. Waits while there is enough to write already.
        ///
        /// Chunks are prepared in any order, and written in theirs. So the counts are those of the input, whatever the
        /// threads do: of two signings of one purchase, both are new only if the earlier one comes first.
        ///
        /// The wait is in `flush()`: one thread writes, and others that have enough wait for it.
        func add(_ prepared: PreparedImport, ofChunk chunk: Int, lastLine: Int) {
            let (count, isIdle) = state.withLock { state in
                state.early[chunk] = (prepared, lastLine)
                while let next = state.early.removeValue(forKey: state.turn) {
                    state.pending.append(next.payloads)
                    // A chunk of empty lines has no payloads.
                    state.lastLine = max(state.lastLine, next.lastLine)
                    state.turn += 1
                }
                return (state.pending.count, state.isIdle)
            }
            if isIdle || count >= Self.enough { flush() }
        }

        /// Says whether the input is idle. While it is, everything is written at once.
        func expect(idleInput isIdle: Bool) {
            state.withLock { $0.isIdle = isIdle }
            if isIdle { flush() }
        }

        /// Writes the waiting payloads.
        func flush() {
            writer.withLock { _ in
                let (pending, lastLine) = state.withLock { state in
                    let pending = state.pending
                    state.pending = PreparedImport()
                    return (state.failure == nil ? pending : PreparedImport(), state.lastLine)
                }
                guard !pending.isEmpty else { return }
                do throws(SQLiteStoreError) {
                    let outcomes = try store.keep(pending, delivered: delivered)
                    state.withLock { $0.counts.add(outcomes) }
                    kept?.say(lastLine)
                } catch {
                    fail(error)
                }
            }
        }

        /// Records why the import cannot go on.
        ///
        /// Only the first reason is kept: later ones follow from it.
        func fail(_ error: SQLiteStoreError) {
            state.withLock { if $0.failure == nil { $0.failure = error } }
            stopRequest.end()
        }

        /// The numbers of payloads by their outcome, and why not all were kept; `nil` if they were.
        var outcome: (counts: Counts, failure: SQLiteStoreError?) {
            state.withLock { ($0.counts, $0.failure) }
        }
    }

    extension ImportQueue.Counts {
        mutating func add(_ outcomes: [Result<ImportOutcome, PayloadError>]) {
            for case .success(let outcome) in outcomes {
                switch outcome {
                case .new: new += 1
                case .known: known += 1
                case .noPurchase: withoutPurchase += 1
                }
            }
        }

        /// The counts as one line.
        var summary: String { "\(new) new, \(known) known, \(withoutPurchase) without a purchase" }
    }
#endif
