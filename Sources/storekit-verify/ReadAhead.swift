import Dispatch
import Synchronization

/// Reads the next lines while the last ones are being verified.
final class ReadAhead: Sendable {
    private typealias Outcome = Result<LineReader.Batch?, SystemError>

    private let reader: Mutex<LineReader>
    private let stopRequest: StopRequest
    private let outcome = Mutex<Outcome?>(nil)
    private let queue = DispatchQueue(label: "storekit-verify.read-ahead")
    private let isRead = DispatchSemaphore(value: 0)

    init(_ reader: consuming LineReader, stopRequest: StopRequest) {
        self.reader = Mutex(reader)
        self.stopRequest = stopRequest
    }

    /// Starts to read. Every start is followed by one `take`.
    ///
    /// - Parameter spare: a buffer that is not needed any more.
    func start(reusing spare: [UInt8]) {
        queue.async { [self] in
            let next = reader.withLock { reader in
                Outcome { () throws(SystemError) in
                    try reader.next(reusing: spare, stopRequest: stopRequest)
                }
            }
            outcome.withLock { $0 = next }
            isRead.signal()
        }
    }

    /// Whether `take` would not have to wait.
    var isReady: Bool { outcome.withLock { $0 != nil } }

    /// Waits for what was read; `nil` at the end of the input.
    func take() throws(SystemError) -> LineReader.Batch? {
        isRead.wait()
        let outcome = outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
        return try outcome?.get()
    }
}
