#if HTTPTransport
    public import Revocation

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension RevocationChecker {
        /// A checker that asks by HTTP, and goes by the system's clock.
        ///
        /// - Parameters:
        ///   - mode: what to do where no answer is to be had.
        ///   - timeout: how long an answer is waited for.
        public convenience init(overHTTP mode: RevocationMode, timeout: Duration = .seconds(5)) {
            self.init(mode, transport: OCSPHTTPTransport(), timeout: timeout) {
                Int64(Date().timeIntervalSince1970.rounded(.down))
            }
        }
    }
#endif
