#if HTTPTransport
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    public import Revocation

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Asks OCSP responders by HTTP (RFC 6960, appendix A.1), with async-http-client.
    ///
    /// Requests are `POST`s, over `http` or `https` as the certificate says: answers are signed, so that nothing hangs
    /// on the connection. Redirections are not followed, nothing is sent a second time, and no proxy is used. One client
    /// and its connections serve all requests, on the threads that SwiftNIO's clients share; they end with `shutdown()`,
    /// or else once nobody holds the transport any more.
    public final class OCSPHTTPTransport: OCSPTransport {
        private let client: HTTPClient

        /// Makes a transport that has no connection yet.
        public init() {
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            // A responder that refuses connections is not asked until the time is up.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Certificates are asked about every few hours.
            configuration.connectionPool.idleTimeout = .seconds(5)
            configuration.httpVersion = .http1Only
            client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }

        deinit {
            // The client keeps itself until its connections are closed; after `shutdown()`, this has no effect.
            client.shutdown { _ in }
        }

        /// Closes all connections. Requests that come later fail.
        public func shutdown() async {
            let client = client
            await withCheckedContinuation { continuation in client.shutdown { _ in continuation.resume() } }
        }

        /// Sends a request and waits for the answer.
        ///
        /// - Throws: `OCSPHTTPError` where the address is none of HTTP's or the answer's status is not 200, and the
        ///   client's errors.
        public func response(
            to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
        ) async throws -> [UInt8] {
            // The client stops the process on a port beyond 65535.
            guard let address = URL(string: url), let host = address.host(), !host.isEmpty,
                ["http", "https"].contains(address.scheme?.lowercased()),
                address.port.map({ (1...65_535).contains($0) }) ?? true
            else { throw OCSPHTTPError.address }
            var message = HTTPClientRequest(url: url)
            message.method = .POST
            message.headers.add(name: "Content-Type", value: "application/ocsp-request")
            message.headers.add(name: "Accept", value: "application/ocsp-response")
            message.body = .bytes(request)
            let answer = try await client.execute(message, timeout: TimeAmount(timeout))
            guard answer.status == .ok else { throw OCSPHTTPError.status(Int(answer.status.code)) }
            let body = try await answer.body.collect(upTo: maximumBytes)
            return Array(body.readableBytesView)
        }
    }

    /// Why a responder's answer is of no use, as far as HTTP is concerned.
    public enum OCSPHTTPError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The responder's address is not one of HTTP's.
        case address
        /// The status is this one, not 200.
        case status(Int)

        /// What is wrong, in a clause.
        public var description: String {
            switch self {
            case .address: "this is not an address of HTTP's"
            case .status(let code): "the HTTP status is \(code), not 200"
            }
        }
    }
#endif
