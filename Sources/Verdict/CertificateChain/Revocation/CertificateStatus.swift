internal import Dispatch
internal import Platform
internal import Synchronization

/// Keeps the revocation status of one certificate, and the one request that may be under way.
///
/// All verifiers that meet the certificate share this object.
final class CertificateStatus: Sendable {
    /// The certificate and its issuers, in DER. Two chains with the same key share an entry.
    let key: [[UInt8]]

    private struct State {
        var memory = StatusMemory()
        /// The seconds at which the certificate passes, as of the last change of `memory`.
        var passing: Range<Int64> = 0..<0
        var waiters: [@Sendable () -> Void] = []
        /// The number of the latest request. An outcome that belongs to an older one is dropped.
        var request = 0
        var task: Task<Void, Never>?

        mutating func takeWaiters() -> [@Sendable () -> Void] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())
    private let exchange: OCSPExchange
    private let mode: RevocationMode
    /// Synchronous verification may block every thread that Swift's tasks share until an answer is there. The task
    /// that fetches the answer therefore needs another thread, which it may block as well. Dispatch starts one for a
    /// serial queue even if the threads of its concurrent queues are all busy.
    private let executor: ClosureExecutor
    private let timers: DispatchQueue

    init(_ exchange: OCSPExchange, mode: RevocationMode, timers: DispatchQueue) {
        key = Self.key(of: exchange.issuance)
        self.exchange = exchange
        self.mode = mode
        self.timers = timers
        let queue = DispatchQueue(label: "storekit-verify.revocation")
        executor = ClosureExecutor { queue.async(execute: $0) }
    }

    /// Whether this entry belongs to the certificate.
    func isAbout(_ certificate: CertificateDescription) -> Bool {
        exchange.issuance.certificate.sha256Fingerprint == certificate.sha256Fingerprint
    }

    /// The key of a certificate in a chain.
    static func key(of issuance: JudgedIssuance) -> [[UInt8]] { [issuance.der] + issuance.issuers }

    /// Whether the certificate passes at a second, without a request.
    func passes(at now: Int64) -> Bool { state.withLock { $0.passing.contains(now) } }

    /// Returns the present status, and starts a request if one is due. Does not wait.
    func consult(at now: Int64) -> StatusMemory.Advice {
        let (advice, request) = state.withLock { state -> (StatusMemory.Advice, Int?) in
            let (advice, starts) = state.memory.consult(at: now)
            state.passing = state.memory.passing(at: now, mode: mode)
            guard starts else { return (advice, nil) }
            state.request += 1
            return (advice, state.request)
        }
        guard let request else { return advice }
        start(request)
        // A certificate that names no responder has its status at once.
        return state.withLock { $0.memory.status(at: now) }.map { .known($0) } ?? advice
    }

    /// Returns the present status. Starts no request and does not wait.
    func status(at now: Int64) -> RevocationStatus {
        state.withLock { $0.memory.status(at: now) } ?? .unknown(.pending)
    }

    /// Waits until the request has ended or its time is up. Blocks the thread.
    func waitForAnswer() {
        let isThere = DispatchSemaphore(value: 0)
        onAnswer { isThere.signal() }
        // The timer ends the wait. If the timer is late, because Dispatch has no thread, this bound does.
        _ = isThere.wait(timeout: .now() + interval + .seconds(1))
    }

    /// Waits until the request has ended or its time is up. Blocks no thread.
    func answer() async {
        await withCheckedContinuation { continuation in onAnswer { continuation.resume() } }
    }

    /// Calls the body when no request is under way any more, which may be at once.
    private func onAnswer(_ body: @escaping @Sendable () -> Void) {
        let now = exchange.clock()
        let isThere = state.withLock { state in
            guard state.memory.status(at: now) == nil, state.memory.isAwaited else { return true }
            state.waiters.append(body)
            return false
        }
        if isThere { body() }
    }

    // MARK: - Requests

    private func start(_ request: Int) {
        guard let url = exchange.responder() else {
            return end(request, .failure(RevocationFailure(.noResponder)))
        }
        let task = Task(executorPreference: executor) {
            self.end(request, await self.exchange.ask(url))
        }
        state.withLock { if $0.request == request { $0.task = task } }
        timers.asyncAfter(deadline: .now() + interval) { [weak self] in self?.timeOut(request) }
    }

    private func end(_ request: Int, _ outcome: Result<SignedAnswer, RevocationFailure>) {
        let now = exchange.clock()
        let waiters = state.withLock { state in
            guard state.request == request else { return [@Sendable () -> Void]() }
            state.memory.end(with: outcome, at: now)
            state.passing = state.memory.passing(at: now, mode: mode)
            state.task = nil
            return state.takeWaiters()
        }
        for waiter in waiters { waiter() }
    }

    private func timeOut(_ request: Int) {
        let now = exchange.clock()
        let (task, waiters) = state.withLock { state -> (Task<Void, Never>?, [@Sendable () -> Void]) in
            guard state.request == request, state.memory.isAwaited else { return (nil, []) }
            state.memory.timeOut(.timeout(milliseconds: exchange.timeout.milliseconds), at: now)
            state.passing = state.memory.passing(at: now, mode: mode)
            return (state.task, state.takeWaiters())
        }
        task?.cancel()
        for waiter in waiters { waiter() }
    }

    private var interval: DispatchTimeInterval { .milliseconds(Int(clamping: exchange.timeout.milliseconds)) }
}

extension Duration {
    /// The duration in whole milliseconds, rounded towards zero.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
