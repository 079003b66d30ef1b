import ArgumentParser
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether a stop was asked for; the thread that listens for signals and whoever waits for input share it.
final class StopRequest: Sendable {
    /// Becomes readable when a stop was asked for.
    let descriptor: Int32
    private let writeEnd: Int32
    private let signal = Atomic<Int32>(0)
    private let isEnded = Atomic<Bool>(false)

    init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
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

    /// Asks for a stop because of a signal.
    fileprivate func make(_ number: Int32) {
        signal.store(number, ordering: .sequentiallyConsistent)
        wake()
    }
}

/// Listens for Ctrl-C and `SIGTERM`: what is in hand is finished, so that whole lines are left behind.
final class Interruption {
    /// Whether a stop was asked for.
    let request: StopRequest

    /// How often, and for how many microseconds each time, to wait for a request to be met: two seconds in all.
    private static let patience = (turns: 200, microseconds: UInt32(10_000))

    /// Listens for signals from now on. A reader that goes away is reported by `write` alone.
    init() throws(SystemError) {
        let request = try StopRequest()
        self.request = request
        ignoreWriteSignals()
        // Threads that are started from here on have them blocked too, so that they come to the one that waits.
        Self.setMask(SIG_BLOCK)
        // A parent may have had them ignored, and what is ignored need not come to whoever waits.
        for number in Self.signals { signal(number, SIG_DFL) }
        do throws(SystemError) {
            try Threads.detach { Self.wait(toMake: request) }
        } catch {
            Self.setMask(SIG_UNBLOCK)
            throw error
        }
    }

    /// Listens from now on, or says why that cannot be.
    static func start() throws(ExitCode) -> Interruption {
        do throws(SystemError) {
            return try Interruption()
        } catch {
            StandardError.say("no descriptor or no thread to listen for signals: \(error)")
            throw .noResources
        }
    }

    private static var signals: [Int32] { [SIGINT, SIGTERM] }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        return set
    }

    private static func setMask(_ change: Int32) {
        var set = signalSet
        unsafe pthread_sigmask(change, &set, nil)
    }

    /// Waits for a signal. A second one, or that the output's reader keeps the request from being met, ends the
    /// process at once.
    private static func wait(toMake request: StopRequest) {
        var set = signalSet
        var number: Int32 = 0
        while unsafe sigwait(&set, &number) != 0 {}
        request.make(number)
        for _ in 0..<patience.turns {
            usleep(patience.microseconds)
            var pending = sigset_t()
            guard unsafe sigpending(&pending) == 0 else { continue }
            for second in signals where unsafe sigismember(&pending, second) == 1 { _exit(128 + second) }
        }
        _exit(128 + number)
    }

    /// Ends the process as the signal would have, so that whoever started it sees why; does nothing where none came.
    func endProcess() {
        let number = request.signalNumber
        guard number != 0 else { return }
        // Before it is unblocked: this thread is the one that ends by it.
        raise(number)
        Self.setMask(SIG_UNBLOCK)
        _exit(128 + number)
    }
}

/// Has a reader that goes away, and a file that grows beyond what is allowed, reported by `write` instead of
/// ending the process.
func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
