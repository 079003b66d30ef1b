import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A request to stop, by Ctrl-C or `SIGTERM`: what is in hand is finished, so that whole lines are left
/// behind.
final class Interruption {
    /// Becomes readable when a stop was asked for.
    let descriptor: Int32
    private let state: State
    private let sources: [any DispatchSourceSignal]

    /// What the signal handlers write; they must not keep the interruption itself alive.
    private final class State: Sendable {
        let signal = Atomic<Int32>(0)
        let writeEnd: Int32

        init(writeEnd: Int32) { self.writeEnd = writeEnd }

        /// The second request, or one that the output's reader keeps from being met, ends the process at
        /// once.
        func request(_ number: Int32) {
            guard signal.exchange(number, ordering: .sequentiallyConsistent) == 0 else { _exit(128 + number) }
            try? FileDescriptor(borrowing: writeEnd).write([0])
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) { _exit(128 + number) }
        }
    }

    /// Listens for signals from now on. A reader that goes away is reported by `write` alone.
    init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        descriptor = ends[0]
        let state = State(writeEnd: ends[1])
        self.state = state
        ignoreWriteSignals()
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { state.request(number) }
            source.resume()
            return source
        }
    }

    /// Whether a stop was asked for.
    var isRequested: Bool { state.signal.load(ordering: .sequentiallyConsistent) != 0 }

    /// Ends the process as the signal would have, so that whoever started it sees why.
    func endProcess() {
        let number = state.signal.load(ordering: .sequentiallyConsistent)
        guard number != 0 else { return }
        signal(number, SIG_DFL)
        // A parent may have handed down a mask that blocks it; the signal would stay pending for ever.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }
}

/// Has a reader that goes away, and a file that grows beyond what is allowed, reported by `write` instead of
/// ending the process.
func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
