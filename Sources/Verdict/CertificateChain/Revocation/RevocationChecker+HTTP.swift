internal import Libc

extension RevocationChecker {
    /// Makes a checker that asks over HTTP and reads the system's clock.
    ///
    /// - Parameters:
    ///   - mode: the verdict on a certificate about which no answer can be had.
    ///   - timeout: the longest time that a caller waits for an answer.
    public convenience init(overHTTP mode: RevocationMode, timeout: Duration = .seconds(5)) {
        self.init(mode, transport: HTTPOCSPTransport(), timeout: timeout) { Int64(time(nil)) }
    }
}
