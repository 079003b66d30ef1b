/// Sends a request to an OCSP responder and brings its answer back.
///
/// A transport need not be trusted: answers are signed. `HTTPOCSPTransport` is the transport of this library.
/// Conform to this protocol to use an HTTP client that your server already has.
public protocol OCSPTransport: Sendable {
    /// Sends a request and waits for the answer (RFC 6960, appendix A.1: an HTTP `POST` of
    /// `application/ocsp-request`).
    ///
    /// The checker calls this on a thread that no verification uses. It cancels the task when the time is up,
    /// and the method must end soon after. Until then, the checker makes no second request about the
    /// certificate.
    ///
    /// - Parameters:
    ///   - request: the request in DER, about a hundred bytes.
    ///   - url: the address that the certificate names. Its scheme is `http` or `https`; nothing else is
    ///     checked.
    ///   - timeout: how long the checker waits for the answer.
    ///   - maximumBytes: the longest answer that the checker reads.
    /// - Returns: the answer in DER.
    /// - Throws: the reason for a missing answer. The error's description becomes part of a message.
    func response(
        to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
    ) async throws -> [UInt8]
}
