import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether a stop was asked for; the signal handlers and whoever waits for input share it.
final class StopRequest: Sendable {
    /// Becomes readable when a stop was asked for.
    let descriptor: Int32
    private let writeEnd: Int32
    private let signal = Atomic<Int32>(0)
    private let isEnded = Atomic<Bool>(false)
    /// Of its own, so that it has a thread however many others are at work.
    fileprivate let queue = DispatchQueue(label: "storekit-verify.signals")

    init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    /// The signal that asked for it, or 0.
    var signalNumber: Int32 { signal.load(ordering: .sequentiallyConsistent) }

    /// Whether a stop was asked for.
    var isMade: Bool { signalNumber != 0 || isEnded.load(ordering: .sequentiallyConsistent) }

    /// Asks for a stop without a signal: whoever waits for input would go on for ever.
    func end() {
        isEnded.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    private func wake() { try? FileDescriptor(borrowing: writeEnd).write([0]) }

    /// The second request, or one that the output's reader keeps from being met, ends the process at once.
    fileprivate func make(_ number: Int32) {
        guard signal.exchange(number, ordering: .sequentiallyConsistent) == 0 else { _exit(128 + number) }
        wake()
        queue.asyncAfter(deadline: .now() + .seconds(2)) { _exit(128 + number) }
    }
}

/// Listens for Ctrl-C and `SIGTERM`: what is in hand is finished, so that whole lines are left behind.
final class Interruption {
    /// Whether a stop was asked for.
    let request: StopRequest
    private let sources: [any DispatchSourceSignal]

    /// Listens for signals from now on. A reader that goes away is reported by `write` alone.
    init() throws(SystemError) {
        let request = try StopRequest()
        self.request = request
        ignoreWriteSignals()
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: request.queue)
            source.setEventHandler { request.make(number) }
            source.resume()
            return source
        }
    }

    /// Ends the process as the signal would have, so that whoever started it sees why.
    func endProcess() {
        let number = request.signalNumber
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
