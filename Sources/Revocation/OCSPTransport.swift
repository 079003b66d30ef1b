/// Brings a question to an OCSP responder, and its answer back.
///
/// Nothing that it brings is believed: answers are signed. The product `OCSPHTTPTransport` has one for HTTP.
public protocol OCSPTransport: Sendable {
    /// Sends a request and waits for the answer (RFC 6960, appendix A.1: an HTTP `POST` of
    /// `application/ocsp-request`).
    ///
    /// It is called off the callers' threads, may suspend, and must end soon after its task is cancelled, which happens
    /// when the time is up: no second request about the certificate is made before.
    ///
    /// - Parameters:
    ///   - request: the request in DER, some hundred bytes.
    ///   - url: the responder, by the certificate's word; its scheme is `http` or `https`.
    ///   - timeout: how long the answer will be waited for.
    ///   - maximumBytes: the longest answer that is of use.
    /// - Returns: the answer in DER.
    /// - Throws: why there is none; the error's description becomes part of a message.
    func response(
        to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
    ) async throws -> [UInt8]
}
