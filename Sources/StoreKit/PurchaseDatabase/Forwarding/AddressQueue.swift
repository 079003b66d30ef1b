#if SQLite
    internal import Foundation
    internal import SignedPayloads
    internal import Synchronization

    /// The deliveries to one address.
    final class AddressQueue: Sendable {
        private struct State {
            /// The deliveries that are under way.
            var sending: Set<DeliveryRows.Key> = []
            /// How often the address failed since it last accepted.
            var failures = 0
            /// The address is left alone until then, in milliseconds since 1970.
            var quietUntil = -Double.infinity
            /// Until when this forwarder alone delivers to the address.
            var leaseUntil = -Double.infinity
            /// The lease of another forwarder; `nil` if this one has it.
            var othersLease: AddressRows.Lease?
            /// The file has nothing to do before this time, in milliseconds since 1970, unless it changes.
            var nextLook = -Double.infinity
            /// How many attempts were not accepted since the last one that was.
            var inARow = 0
            /// The calls that were heeded until now.
            var calls = Wakeups.Calls()
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

        /// How long a forwarder delivers to an address alone, in milliseconds. Another process on the same file
        /// takes over so long after this one was killed, or at once if it can see that.
        private static let leaseTime: Double = 15_000
        private let owner = LeaseOwner()

        /// The longest pause of an address, in milliseconds.
        private static let longestQuiet: Double = 60_000
        /// How long a request may go on after the end of the forwarder, as at a reload. A stop of the service waits
        /// for it.
        private static let moment = Duration.seconds(2)
        /// The pause after a full disk or a locked file.
        private static let patience = Duration.seconds(1)

        init(_ forwarder: NotificationForwarder, _ address: URL) {
            self.forwarder = forwarder
            self.address = address
        }

        private var store: SQLiteTransactionStore { forwarder.store }
        private var concurrency: Int { max(1, forwarder.schedule.concurrency) }
        private var milliseconds: Double { forwarder.now().milliseconds }

        /// Sends deliveries when they are due, until the task is cancelled.
        func run() async throws {
            let url = address.absoluteString
            guard
                let number = try await patiently({ [store] () throws(SQLiteStoreError) in
                    try await store.commits.write { db in try AddressRows(db).id(of: url) }
                })
            else { return }
            let (signals, wake) = store.deliveries.signals()
            try await withThrowingDiscardingTaskGroup { group in
                wake.yield()
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
            try? await store.commits.write { [owner] db in try AddressRows(db).endLeases(of: owner) }
            // Another forwarder of this store may stand by. It does not see this store's own commits.
            store.deliveries.wake()
        }

        /// Whether this forwarder delivers to the address. Of several on one file one does, and the others stand
        /// by: each would send everything once more.
        private func holdsLease(_ number: Int64) async throws(SQLiteStoreError) -> Bool {
            let now = milliseconds
            guard state.withLock({ $0.leaseUntil - Self.leaseTime / 2 <= now }) else { return true }
            let others = try await patiently {
                [store, owner] () throws(SQLiteStoreError) -> AddressRows.Lease? in
                let lease = try await store.file.read { db in try AddressRows(db).lease(number) }
                let former = lease.flatMap { $0.owner.hasEnded ? $0.owner : nil }
                if let lease, lease.owner != owner, lease.until > now, former == nil { return lease }
                return try await store.commits.write { db in
                    let rows = AddressRows(db)
                    let own = AddressRows.Lease(owner: owner, until: now + Self.leaseTime)
                    return try rows.take(own, of: number, from: former, at: now) ? nil : rows.lease(number)
                }
            }
            guard let others else { return false }
            let isHeld = others == nil
            let isNews = state.withLock { state in
                if isHeld { state.leaseUntil = now + Self.leaseTime }
                defer { state.othersLease = others }
                return (state.othersLease == nil) != isHeld
            }
            if isNews { forwarder.tell(.standsBy(address: address.absoluteString, !isHeld)) }
            return isHeld
        }

        /// How many deliveries may begin now, and those that are under way; `nil` if the file need not be asked.
        private func room(
            at now: Double
        ) -> (count: Int, sending: Set<DeliveryRows.Key>)? {
            let calls = store.deliveries.calls
            // The other forwarder may be gone without a trace in the file.
            let others = state.withLock(\.othersLease)
            let isTakeover = others.map { $0.until <= now || $0.owner.hasEnded } ?? false
            return state.withLock { state in
                if state.calls.hastened != calls.hastened { state.quietUntil = now }
                if state.calls != calls { (state.calls, state.nextLook) = (calls, -.infinity) }
                guard now >= state.quietUntil else { return nil }
                guard now >= state.nextLook || isTakeover else { return nil }
                let limit = state.failures < concurrency ? concurrency : 1
                let count = limit - state.sending.count
                return count > 0 ? (count, state.sending) : nil
            }
        }

        /// Takes the deliveries that are due, as far as there is room.
        private func due(_ number: Int64) async throws(SQLiteStoreError) -> [DeliveryRows.Waiting] {
            let now = milliseconds
            guard let (room, sending) = room(at: now), !Task.isCancelled else { return [] }
            guard try await holdsLease(number) else {
                state.withLock { $0.nextLook = .infinity }
                return []
            }
            let limit = room + sending.count
            let found = try await patiently { [store] () throws(SQLiteStoreError) in
                try await store.file.read { db in
                    // One more tells when to look again.
                    try DeliveryRows(db).waiting(number, limit: limit + 1)
                }
            }
            guard let found else { return [] }
            // A delivery that was under way before the file was read may have ended since: the file's answer is too
            // old for it.
            let taken = Array(
                found.filter { $0.due <= now && !sending.contains($0.key) }.prefix(room))
            state.withLock { state in
                state.sending.formUnion(taken.map(\.key))
                // A lease is renewed at half of its time.
                let next = found.first { $0.due > now }?.due ?? (found.count > limit ? now : .infinity)
                state.nextLook = min(next, state.leaseUntil - Self.leaseTime / 2)
            }
            return taken
        }

        /// Makes an attempt, and records its result.
        private func deliver(_ delivery: DeliveryRows.Waiting) async throws(SQLiteStoreError) {
            defer {
                state.withLock { state in
                    state.sending.remove(delivery.key)
                    state.nextLook = -.infinity
                }
            }
            guard let (uuid, attempt) = try await attempt(delivery) else { return }
            let change = change(delivery, attempt)
            let isRecorded: Void? = try await patiently {
                [store, now = milliseconds] () throws(SQLiteStoreError) in
                try await store.commits.write { db in
                    try DeliveryRows(db).record(change, of: delivery.key, at: now)
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
            _ delivery: DeliveryRows.Waiting
        ) async throws(SQLiteStoreError) -> (uuid: String, Attempt)? {
            let found = try await patiently { [store] () throws(SQLiteStoreError) in
                try await store.file.read { db in try ReceivedRows(db).content(of: delivery.key.notification)
                }
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

        /// Posts a body. When the task is cancelled, a request that is under way has a moment to end: an
        /// interrupted one is sent again, though the address may have it.
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

        /// The change that an attempt makes to the delivery, and to the address.
        private func change(_ delivery: DeliveryRows.Waiting, _ attempt: Attempt) -> DeliveryRows.Change {
            let (schedule, number, now) = (forwarder.schedule, delivery.attempts + 1, milliseconds)
            let failure = Self.short(attempt.reason)
            switch attempt.outcome {
            case .delivered:
                state.withLock { $0.failures = 0 }
                return DeliveryRows.Change(state: .delivered, due: now, failure: nil)
            case .unverified: return DeliveryRows.Change(state: .givenUp, due: now, failure: failure)
            case .failed, .refused:
                if attempt.outcome == .failed { noteFailure(now) }
                guard number < schedule.attempts else {
                    return DeliveryRows.Change(state: .givenUp, due: now, failure: failure)
                }
                return DeliveryRows.Change(
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

        /// Repeats a call that a full disk or a locked file lets fail; `nil` if the task is cancelled meanwhile.
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
