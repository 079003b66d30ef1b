#if Service
    internal import CoreMetrics
    internal import HTTPConnections
    internal import HTTPTypes
    internal import Logging
    internal import NIOCore

    /// Counts and logs the service's connections, and answers bytes that are not HTTP with a problem.
    struct ServiceConnections: ConnectionObserver {
        let metrics: ServiceMetrics
        let logger: Logger

        func connectionOpened() { metrics.openConnections.increment() }

        func connectionClosed() { metrics.openConnections.decrement() }

        func connectionTimedOut(_ state: ConnectionState) {
            metrics.timeouts.increment()
            // Silence between requests is how most connections end.
            guard state != .idle else { return }
            logger.notice(
                "a connection ends because its client is slow or silent", metadata: ["state": "\(state)"])
        }

        func refuse(_ request: MalformedRequest) -> RefusedConnection {
            metrics.malformed.increment()
            metrics.refuse(.head)
            let problem =
                switch request {
                case .fieldsTooLarge:
                    Problem(
                        .requestHeaderFieldsTooLarge, "The request's header fields are too many or too long.",
                        closes: true)
                case .notHTTP:
                    Problem(
                        .badRequest,
                        "The request is not HTTP/1.1 as RFC 9112 defines it: it has one Host, single spaces in its first line, and no Transfer-Encoding but chunked.",
                        closes: true)
                }
            logger.notice(
                "a connection ends because its bytes are not HTTP",
                metadata: ["reason": .string(problem.detail)])
            return RefusedConnection(problem.status, problem.fields, ByteBuffer(bytes: problem.json))
        }
    }
#endif
