#if SQLite || ServerAPI
    internal import CLibcurl
    internal import Platform
    internal import Synchronization

    /// Moves the bytes of all requests of a client, on one thread that sleeps while there is nothing to move.
    ///
    /// The thread starts with the first request and ends after `end()`. A loop keeps connections for later requests.
    final class TransferLoop: Sendable {
        private struct State {
            var lastNumber = 0
            var starting: [(number: Int, request: TransferRequest)] = []
            /// The requests that were cancelled. A number may come here before its request does.
            var cancelled: Set<Int> = []
            var isRunning = false
            var hasEnded = false
        }

        private let state = Mutex(State())
        private let multi = CurlMulti()

        /// The number of the next request.
        func number() -> Int {
            state.withLock { state in
                state.lastNumber += 1
                return state.lastNumber
            }
        }

        /// Begins a request. Its result comes to who waits for it.
        func start(_ request: TransferRequest, _ number: Int) {
            do throws(SystemError) {
                try state.withLock { state throws(SystemError) in
                    if !state.isRunning {
                        try Threads.detach { self.run() }
                        state.isRunning = true
                    }
                    state.starting.append((number, request))
                }
                multi.wake()
            } catch {
                let failure = HTTPFailure(.shortage, "the system gives no thread: \(error)", wasSent: false)
                request.result.resume(returning: .failure(failure))
            }
        }

        /// Ends a request early, also one that has not begun.
        func cancel(_ number: Int) {
            state.withLock { _ = $0.cancelled.insert(number) }
            multi.wake()
        }

        /// Forgets a request that has its result.
        func forget(_ number: Int) { state.withLock { _ = $0.cancelled.remove(number) } }

        /// Ends the thread. There are no requests then: a task that waits for an answer holds the client.
        func end() {
            state.withLock { $0.hasEnded = true }
            multi.wake()
        }

        private func run() {
            WriteSignals.blockHere()
            var transfers: [Int: Transfer] = [:]
            while true {
                let (starting, cancelled, hasEnded) = state.withLock { state in
                    defer { state.starting = [] }
                    return (state.starting, state.cancelled, state.hasEnded)
                }
                for (number, request) in starting { transfers[number] = begin(request, number) }
                for number in cancelled {
                    guard let transfer = transfers.removeValue(forKey: number) else { continue }
                    multi.remove(transfer)
                    transfer.cancel()
                }
                if hasEnded, transfers.isEmpty { return }
                let failure = multi.perform()
                while let (number, result) = multi.ended() {
                    guard let transfer = transfers.removeValue(forKey: number) else { continue }
                    multi.remove(transfer)
                    transfer.end(result)
                }
                if let failure = failure ?? multi.wait() { return stop(transfers, failure) }
            }
        }

        /// Ends the thread because libcurl cannot go on. The next request starts another one.
        private func stop(_ transfers: [Int: Transfer], _ failure: String) {
            for transfer in transfers.values {
                multi.remove(transfer)
                transfer.fail(failure)
            }
            let rest = state.withLock { state in
                defer { (state.starting, state.isRunning) = ([], false) }
                return state.starting
            }
            for (_, request) in rest {
                let failure = HTTPFailure(.shortage, failure, wasSent: false)
                request.result.resume(returning: .failure(failure))
            }
        }

        /// Hands a request to libcurl; `nil` if it has ended already.
        private func begin(_ request: TransferRequest, _ number: Int) -> Transfer? {
            guard let transfer = Transfer(request, number: number) else {
                let failure = HTTPFailure(.shortage, "there is no memory for the request", wasSent: false)
                request.result.resume(returning: .failure(failure))
                return nil
            }
            if let failure = multi.add(transfer) {
                transfer.fail(failure)
                return nil
            }
            return transfer
        }
    }

    /// Owns a set of requests at libcurl, with the connections that are kept.
    ///
    /// Only the thread of a loop uses it, but for `wake`, which libcurl allows on every thread. So it is sendable.
    @safe
    private final class CurlMulti: @unchecked Sendable {
        /// `nil` if there was no memory.
        private let pointer: UnsafeMutableRawPointer?

        /// How long the thread sleeps at most, in milliseconds. It is woken sooner for all that happens.
        private static let longestSleep: Int32 = 60_000
        /// libcurl's own state, which is set up once.
        private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

        init() { unsafe pointer = Self.isReady ? curl_multi_init() : nil }

        deinit { unsafe curl_multi_cleanup(pointer) }

        func wake() { unsafe curl_multi_wakeup(pointer) }

        /// - Returns: why it failed; `nil` if it did not.
        func add(_ transfer: Transfer) -> String? {
            unsafe told(curl_multi_add_handle(pointer, transfer.handle))
        }

        func remove(_ transfer: Transfer) { unsafe curl_multi_remove_handle(pointer, transfer.handle) }

        /// Moves what can be moved now. Returns why it failed; `nil` if it did not.
        func perform() -> String? {
            var count: Int32 = 0
            return unsafe told(curl_multi_perform(pointer, &count))
        }

        /// Sleeps until something can be moved, or `wake` is called. Returns why it failed; `nil` if it did not.
        func wait() -> String? { unsafe told(curl_multi_poll(pointer, nil, 0, Self.longestSleep, nil)) }

        /// The number and the result of a request that has ended; `nil` if there is none.
        func ended() -> (number: Int, result: CURLcode)? {
            var (number, result) = (0, CURLE_OK)
            guard unsafe clibcurl_ended(pointer, &number, &result) == 1 else { return nil }
            return (number, result)
        }

        private func told(_ result: CURLMcode) -> String? {
            result == CURLM_OK ? nil : unsafe String(cString: curl_multi_strerror(result))
        }
    }
#endif
