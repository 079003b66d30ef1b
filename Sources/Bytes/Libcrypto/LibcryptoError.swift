internal import CLibcrypto

/// A call into libcrypto that failed, with the library's reasons.
package struct LibcryptoError: Error, Hashable, Sendable {
    /// The operation that failed, for people.
    package let operation: String
    /// The library's own reasons, the earliest first; empty if it gave none.
    package let reasons: [String]

    /// Takes the reasons out of this thread's error queue, and leaves it empty.
    ///
    /// The caller must not suspend between the failing call and this one: the queue belongs to the thread.
    init(_ operation: String) {
        self.operation = operation
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            // The queue is emptied all the same; more than eight reasons help no reader.
            guard reasons.count < 8 else { continue }
            if let reason = unsafe ERR_reason_error_string(code) {
                reasons.append(unsafe String(cString: reason))
            }
        }
        self.reasons = reasons
    }
}

extension LibcryptoError: CustomStringConvertible {
    package var description: String {
        reasons.isEmpty ? operation : operation + ": " + reasons.joined(separator: ", ")
    }
}

/// Runs a call with an empty error queue before and after it. So no call sees the errors of another.
func withCleanErrorQueue<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
}
