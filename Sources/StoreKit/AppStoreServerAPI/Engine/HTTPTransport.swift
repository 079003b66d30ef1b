#if ServerAPI
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// One HTTP message to a server.
    struct HTTPMessage: Sendable {
        let method: String
        let url: String
        let headers: [(name: String, value: String)]
        let body: [UInt8]
    }

    /// The answer to a message, as a whole.
    struct HTTPAnswer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]

        /// The first header with a name, in any case.
        func header(_ name: String) -> String? { headers.first(name: name) }
    }

    /// Why a message has no answer.
    enum HTTPTransportError: Error {
        case cancelled
        case deadline
        /// The answer is longer than so many bytes.
        case tooLong(limit: Int)
        /// There was no connection, for this reason. Nothing was sent.
        case unreachable(String)
        /// The connection broke, for this reason. It is unknown how much arrived.
        case connection(String)
    }

    /// Sends messages over connections that it keeps. It closes them when it is released.
    final class HTTPTransport: Sendable {
        private let client: HTTPClient
        private let maximumBytes: Int

        init(maximumBytes: Int, trustedCertificates: String?) {
            var configuration = HTTPClient.Configuration()
            // Apple's servers have had TLS 1.2 for years, and a proxy must not talk the client down to less.
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.minimumTLSVersion = .tlsv12
            if let trustedCertificates {
                configuration.tlsConfiguration?.trustRoots = .file(trustedCertificates)
            }
            // A redirection would carry the token to another server.
            configuration.redirectConfiguration = .disallow
            configuration.timeout.connect = .seconds(10)
            // The engine repeats requests, within its bounds. Repetitions here would take the whole deadline for a wrong
            // address.
            configuration.connectionPool.retryConnectionEstablishment = false
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            self.maximumBytes = maximumBytes
        }

        deinit {
            // The client keeps itself until its connections are closed.
            client.shutdown { _ in }
        }

        /// Sends a message, and reads the whole answer.
        func send(
            _ message: HTTPMessage, deadline: ContinuousClock.Instant
        ) async throws(HTTPTransportError) -> HTTPAnswer {
            do {
                return try await withThrowingTaskGroup(of: HTTPAnswer?.self) { group in
                    group.addTask { try await self.answer(to: message, deadline: deadline) }
                    // The client's own deadline ends with the answer's head. This one covers the body too.
                    group.addTask {
                        try await ContinuousClock().sleep(until: deadline)
                        return nil
                    }
                    defer { group.cancelAll() }
                    guard let first = try await group.next(), let answer = first else {
                        throw HTTPTransportError.deadline
                    }
                    return answer
                }
            } catch {
                // Where the cancellation interrupts HTTPClient, it can throw an error of its own.
                if Task.isCancelled { throw .cancelled }
                throw Self.reason(error)
            }
        }

        private func answer(
            to message: HTTPMessage, deadline: ContinuousClock.Instant
        ) async throws -> HTTPAnswer {
            var request = HTTPClientRequest(url: message.url)
            request.method = HTTPMethod(rawValue: message.method)
            for header in message.headers { request.headers.add(name: header.name, value: header.value) }
            if !message.body.isEmpty { request.body = .bytes(message.body) }
            let rest = ContinuousClock().now.duration(to: deadline)
            let response = try await client.execute(request, deadline: .now() + TimeAmount(rest))
            do {
                let body = try await response.body.collect(upTo: maximumBytes)
                return HTTPAnswer(
                    status: Int(response.status.code), headers: response.headers,
                    body: Array(body.readableBytesView))
            } catch is NIOTooManyBytesError {
                throw HTTPTransportError.tooLong(limit: maximumBytes)
            }
        }

        private static func reason(_ error: any Error) -> HTTPTransportError {
            switch error {
            case let error as HTTPTransportError: error
            case let error as HTTPClientError where error == .deadlineExceeded: .deadline
            case is CancellationError: .cancelled
            case is NIOConnectionError: .unreachable("\(error)")
            // Before the handshake is over, nothing is sent.
            case NIOSSLError.handshakeFailed, is NIOSSLExtraError: .unreachable("\(error)")
            // A server that is named by its number, and does not listen. EHOSTUNREACH is not enough: Linux can give it for
            // a connection that was made, too, when a router reports it while an answer is waited for.
            case let error as IOError where error.errnoCode == ECONNREFUSED: .unreachable("\(error)")
            case let error as HTTPClientError where error == .connectTimeout: .unreachable("\(error)")
            default: .connection("\(error)")
            }
        }
    }
#endif
