#if SQLite || ServerAPI
    /// Sends requests of HTTP/1.1 by libcurl, and reads answers within bounds.
    ///
    /// - No redirect is followed, nothing is decoded, no cookie is kept, and no password is read from a file.
    /// - Interim answers are passed over (RFC 9110, section 15.2), within the bound of the head.
    /// - TLS is of version 1.2 or later.
    /// - The environment's proxies are used (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`), but for this machine's
    ///   own addresses.
    ///
    /// Connections are kept for later requests until the client is released.
    ///
    /// Why libcurl: FoundationNetworking on Linux has traps that a server's answer can reach, and keeps a core busy while it
    /// waits. async-http-client has neither, and brings a TLS and HTTP/2 of its own, which take more than a third of the
    /// service's build. libcurl is the system's, as its TLS is, and nothing is compiled for it.
    package final class HTTPClient: Sendable {
        private let limit: AnswerLimit
        private let connecting: Duration?
        private let trustedCertificates: String?
        private let loop = TransferLoop()

        /// - Parameters:
        ///   - limit: how much of an answer is read.
        ///   - connecting: the time for a connection, TLS included; `nil` for no other limit than that of each request.
        ///   - trustedCertificates: a file in PEM form with the roots that are trusted; `nil` for this computer's.
        package init(_ limit: AnswerLimit, connecting: Duration? = nil, trustedCertificates: String? = nil) {
            (self.limit, self.connecting) = (limit, connecting)
            self.trustedCertificates = trustedCertificates
        }

        deinit { loop.end() }

        /// Sends a request, and waits for its answer.
        ///
        /// - Throws: `HTTPFailure` with the cause `cancelled` if the task is cancelled, and `deadline` if there is no whole answer
        ///   by then.
        package func answer(
            to message: HTTPMessage, by deadline: ContinuousClock.Instant
        ) async throws(HTTPFailure) -> HTTPAnswer {
            guard message.isWellFormed else {
                throw HTTPFailure(.malformed, "the request is not one of HTTP", wasSent: false)
            }
            guard ContinuousClock().now < deadline else { throw .deadline(wasSent: false) }
            let number = loop.number()
            defer { loop.forget(number) }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { result in
                    loop.start(
                        TransferRequest(
                            message: message, limit: limit, deadline: deadline, connecting: connecting,
                            trustedCertificates: trustedCertificates, result: result), number)
                }
            } onCancel: {
                loop.cancel(number)
            }
            return try result.get()
        }
    }
#endif
