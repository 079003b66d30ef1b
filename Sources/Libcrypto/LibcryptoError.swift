internal import CLibcrypto

/// A call into libcrypto that failed, with what the library had to say.
package struct LibcryptoError: Error, Hashable, Sendable {
    /// What was being done, for a person.
    package let operation: String
    /// The library's own reasons, the earliest first; empty where it gave none.
    package let reasons: [String]

    /// Takes the reasons out of this thread's error queue, which is empty afterwards.
    ///
    /// Called at the failing call, with no suspension in between: the queue belongs to the thread.
    init(_ operation: String) {
        self.operation = operation
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
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

/// Runs a call with an empty error queue before and after it, so that no caller inherits another's errors.
func withCleanErrorQueue<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
}
