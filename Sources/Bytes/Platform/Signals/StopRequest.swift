internal import Libc
internal import Synchronization

/// Whether a stop was requested. The thread that listens for signals shares it with the threads that wait for
/// input.
package final class StopRequest: Sendable {
    /// Becomes readable when a stop is requested.
    package let descriptor: Int32
    /// A byte in the pipe wakes all threads that wait, because no thread reads it.
    private let writeEnd: Int32
    /// Set before the byte is written, so that a thread that wakes finds it.
    private let signal = Atomic<Int32>(0)
    private let isEnded = Atomic<Bool>(false)

    package init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        _ = close(descriptor)
        _ = close(writeEnd)
    }

    /// The signal that requested the stop, or 0.
    package var signalNumber: Int32 { signal.load(ordering: .sequentiallyConsistent) }

    /// Whether a stop was requested.
    package var isMade: Bool { signalNumber != 0 || isEnded.load(ordering: .sequentiallyConsistent) }

    /// Requests a stop without a signal. Otherwise a thread could wait for input for ever.
    package func end() {
        isEnded.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    private func wake() { try? FileDescriptor(borrowing: writeEnd).write([0]) }

    /// Requests a stop because of a signal.
    func make(_ number: Int32) {
        signal.store(number, ordering: .sequentiallyConsistent)
        wake()
    }
}
