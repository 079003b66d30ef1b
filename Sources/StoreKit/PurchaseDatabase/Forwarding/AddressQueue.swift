#if SQLite
    internal import Foundation
    internal import SignedPayloads
    internal import Synchronization

    /// The deliveries to one address.
    final class AddressQueue: Sendable {
        private struct State {
            /// What is under way.
            var sending: Set<Outbox.Key> = []
            /// How often the address failed since it last accepted.
            var failures = 0
            /// The address is left alone until then, in milliseconds since 1970.
            var quietUntil = -Double.infinity
            /// Until when this forwarder alone delivers to the address.
            var leaseUntil = -Double.infinity
            /// How many attempts were not accepted since the last one that was.
            var inARow = 0
            /// Whether another forwarder has the lease.
            var standsBy = false
            /// The request of an operator that was heeded last; see `Wakeups.hastened`.
            var hastened = 0
        }

        /// The result of an attempt, and why it was not accepted.
        private struct Attempt {
            let outcome: ForwardingEvent.Outcome
            var reason = ""

            static let accepted = Attempt(outcome: .delivered)
            static func refused(_ reason: String) -> Attempt { Attempt(outcome: .refused, reason: reason) }
            static func failed(_ reason: String) -> Attempt { Attempt(outcome: .failed, reason: reason) }
            static func unverified(_ reason: String) -> Attempt {
                Attempt(outcome: .unverified, reason: reason)
            }
        }

        private let forwarder: NotificationForwarder
        private let address: URL
        private let state = Mutex(State())

        /// How long a forwarder delivers to an address alone, in milliseconds. Another process on the same file takes over
        /// so long after this one was killed, or at once if it can see that.
        private static let leaseTime: Double = 15_000
        private let owner = LeaseOwner()

        /// How often the file is asked, because other processes may queue deliveries.
        private static let tick = Duration.milliseconds(250)
        /// The longest pause of an address, in milliseconds.
        private static let longestQuiet: Double = 60_000
        /// How long a request may go on after the end of the forwarder, as at a reload. A stop of the service waits for it.
        private static let moment = Duration.seconds(2)
        /// The pause after a full disk or a locked file.
        private static let patience = Duration.seconds(1)

        init(_ forwarder: NotificationForwarder, _ address: URL) {
            self.forwarder = forwarder
            self.address = address
        }

        private var store: SQLiteTransactionStore { forwarder.store }
        private var concurrency: Int { max(1, forwarder.schedule.concurrency) }
        private var milliseconds: Double { forwarder.now().timeIntervalSince1970 * 1000 }

        /// Sends what is due, until the task is cancelled.
        func run() async throws {
            let url = address.absoluteString
            guard
                let number = try await patiently({ [store] () throws(SQLiteStoreError) in
                    try await store.commits.write { db in try Outbox(db).id(of: url) }
                })
            else { return }
            let (signals, wake) = store.deliveries.signals()
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    while !Task.isCancelled {
                        wake.yield()
                        try? await Task.sleep(for: Self.tick)
                    }
                }
                for await _ in signals {
                    for delivery in try await due(number) {
                        group.addTask { [self] in
                            // An error ends the loop, and the loop the group.
                            do { try await deliver(delivery) } catch {
                                wake.finish()
                                throw error
                            }
                            wake.yield()
                        }
                    }
                }
                group.cancelAll()
            }
            try? await store.commits.write { [owner] db in try Outbox(db).endLease(by: owner) }
        }

        /// Whether this forwarder delivers to the address. Of several on one file one does, and the others stand by: each
        /// would send everything once more.
        private func holdsLease(_ number: Int64) async throws(SQLiteStoreError) -> Bool {
            let now = milliseconds
            guard state.withLock({ $0.leaseUntil - Self.leaseTime / 2 <= now }) else { return true }
            let isHeld = try await patiently { [store, owner] () throws(SQLiteStoreError) in
                let lease = try await store.file.read { db in try Outbox(db).lease(number) }
                let former = lease.flatMap { $0.owner.hasEnded ? $0.owner : nil }
                if let lease, lease.owner != owner, lease.until > now, former == nil { return false }
                return try await store.commits.write { db in
                    try Outbox(db).takeLease(
                        number, by: owner, from: former, at: now, until: now + Self.leaseTime)
                }
            }
            guard let isHeld else { return false }
            let isNews = state.withLock { state in
                if isHeld { state.leaseUntil = now + Self.leaseTime }
                defer { state.standsBy = !isHeld }
                return state.standsBy == isHeld
            }
            if isNews { forwarder.tell(.standsBy(address: address.absoluteString, !isHeld)) }
            return isHeld
        }

        /// Takes what is due, as far as there is room.
        private func due(_ number: Int64) async throws(SQLiteStoreError) -> [Outbox.Due] {
            let (now, hastened) = (milliseconds, store.deliveries.hastened)
            let (room, sending) = state.withLock { state -> (Int, Set<Outbox.Key>) in
                if state.hastened != hastened { (state.hastened, state.quietUntil) = (hastened, now) }
                guard now >= state.quietUntil else { return (0, []) }
                let limit = state.failures < concurrency ? concurrency : 1
                return (limit - state.sending.count, state.sending)
            }
            guard room > 0, !Task.isCancelled, try await holdsLease(number) else { return [] }
            let found = try await patiently { [store] () throws(SQLiteStoreError) in
                try await store.file.read { db in
                    try Outbox(db).due(number, at: now, limit: room + sending.count)
                }
            }
            // What was under way before the file was read may have ended since: the file's answer is too old for it.
            let taken = Array((found ?? []).filter { !sending.contains($0.key) }.prefix(room))
            state.withLock { state in state.sending.formUnion(taken.map(\.key)) }
            return taken
        }

        /// Makes an attempt, and records its result.
        private func deliver(_ delivery: Outbox.Due) async throws(SQLiteStoreError) {
            defer { state.withLock { _ = $0.sending.remove(delivery.key) } }
            guard let (uuid, attempt) = try await attempt(delivery) else { return }
            let change = change(delivery, attempt)
            let isRecorded: Void? = try await patiently {
                [store, now = milliseconds] () throws(SQLiteStoreError) in
                try await store.commits.write { db in
                    try Outbox(db).record(change, of: delivery.key, at: now)
                }
            }
            guard isRecorded != nil else { return }
            tell(attempt)
            guard change.state == .givenUp else { return }
            forwarder.tell(
                .givenUp(
                    address: address.absoluteString, notificationUUID: uuid, attempts: delivery.attempts + 1,
                    reason: attempt.reason))
        }

        /// Tells the operator of an attempt. A failure is told once, until the address accepts again.
        private func tell(_ attempt: Attempt) {
            let address = address.absoluteString
            forwarder.tell(.attempt(address: address, attempt.outcome))
            let inARow = state.withLock { state in
                defer { state.inARow = attempt.outcome == .delivered ? 0 : state.inARow + 1 }
                return state.inARow
            }
            if attempt.outcome != .delivered, inARow == 0 {
                forwarder.tell(.failing(address: address, reason: attempt.reason))
            } else if attempt.outcome == .delivered, inARow > 0 {
                forwarder.tell(.recovered(address: address, failures: inARow))
            }
        }

        /// Sends a notification once; `nil` if the task was cancelled, so that nothing is known.
        private func attempt(
            _ delivery: Outbox.Due
        ) async throws(SQLiteStoreError) -> (uuid: String, Attempt)? {
            let found = try await patiently { [store] () throws(SQLiteStoreError) in
                try await store.file.read { db in try Outbox(db).content(of: delivery.key.notification) }
            }
            guard let found, !Task.isCancelled else { return nil }
            guard let (uuid, body) = found else { return ("", .unverified("it is missing in the file")) }
            let sent: Data
            do throws(SQLiteStoreError) {
                let notification = try store.check(body, of: uuid)
                sent = forwarder.body.map { Data($0(notification)) } ?? body
            } catch {
                let isRetryable = error.payloadError?.isRetryable ?? false
                return (uuid, isRetryable ? .refused(error.description) : .unverified(error.description))
            }
            guard let headers = forwarder.headers(for: sent, of: uuid, at: forwarder.now()) else {
                return (uuid, .refused("there is no memory for its signature"))
            }
            let result = await send(sent, headers)
            if result.outcome == .failed, Task.isCancelled { return nil }
            return (uuid, result)
        }

        /// Posts a body. When the task is cancelled, a request that is under way has a moment to end: what is interrupted is
        /// sent again, though the address may have it.
        private func send(_ body: Data, _ headers: [(name: String, value: String)]) async -> Attempt {
            let request = Task { await post(body, headers) }
            return await withTaskCancellationHandler {
                await request.value
            } onCancel: {
                Task {
                    try? await Task.sleep(for: Self.moment)
                    request.cancel()
                }
            }
        }

        private func post(_ body: Data, _ headers: [(name: String, value: String)]) async -> Attempt {
            let timeout = forwarder.schedule.timeout
            do {
                let status = try await withThrowingTaskGroup(of: Int?.self) { [forwarder, address] group in
                    group.addTask { try await forwarder.transport.post(body, to: address, headers: headers) }
                    group.addTask {
                        try await Task.sleep(for: timeout)
                        return nil
                    }
                    defer { group.cancelAll() }
                    return try await group.next() ?? nil
                }
                switch status {
                case nil: return .failed("no answer within \(timeout)")
                case let status? where NotificationForwarder.accepting.contains(status): return .accepted
                case let status? where status == 429 || status >= 500: return .failed("status \(status)")
                case let status?: return .refused("status \(status)")
                }
            } catch let error as URLError where error.code == .timedOut {
                // The transport's limit came first. It may be shorter, and another transport may have no words for it.
                let words = error.userInfo[NSLocalizedDescriptionKey] as? String
                return .failed(words ?? "no answer within \(timeout)")
            } catch {
                return .failed("no answer: \(error.localizedDescription)")
            }
        }

        /// What an attempt means for the delivery, and for the address.
        private func change(_ delivery: Outbox.Due, _ attempt: Attempt) -> Outbox.Change {
            let (schedule, number, now) = (forwarder.schedule, delivery.attempts + 1, milliseconds)
            let failure = Self.short(attempt.reason)
            switch attempt.outcome {
            case .delivered:
                state.withLock { $0.failures = 0 }
                return Outbox.Change(state: .delivered, due: now, failure: nil)
            case .unverified: return Outbox.Change(state: .givenUp, due: now, failure: failure)
            case .failed, .refused:
                if attempt.outcome == .failed { noteFailure(now) }
                guard number < schedule.attempts else {
                    return Outbox.Change(state: .givenUp, due: now, failure: failure)
                }
                return Outbox.Change(
                    state: .waiting, due: now + schedule.milliseconds(after: number), failure: failure)
            }
        }

        private func noteFailure(_ now: Double) {
            state.withLock { state in
                state.failures += 1
                let further = state.failures - concurrency
                guard further >= 0 else { return }
                state.quietUntil =
                    now + min(forwarder.schedule.milliseconds(after: further + 1), Self.longestQuiet)
            }
        }

        /// A reason, as it is kept in the file.
        private static func short(_ reason: String) -> String { String(reason.prefix(300)) }

        /// Repeats what a full disk or a locked file lets fail; `nil` if the task is cancelled meanwhile.
        private func patiently<Success: Sendable>(
            _ body: () async throws(SQLiteStoreError) -> Success
        ) async throws(SQLiteStoreError) -> Success? {
            while true {
                do throws(SQLiteStoreError) {
                    return try await body()
                } catch {
                    guard !Task.isCancelled else { return nil }
                    guard error.isTransient else { throw error }
                }
                do { try await Task.sleep(for: Self.patience) } catch { return nil }
            }
        }
    }
#endif
