#if Service || TestServer
    package import HTTPTypes
    package import NIOCore

    /// Where a connection is between its requests and answers.
    package enum ConnectionState: Sendable {
        /// Between requests, or in a request's head.
        case idle
        /// In a request's body.
        case receiving
        /// The server works on the answer.
        case answering
        /// The answer is written, and the client still sends.
        case draining
        case closed
    }

    /// Why a server refuses bytes that are not HTTP/1.1 as it reads it.
    package enum MalformedRequest: Sendable {
        /// The header fields are too many or too long.
        case fieldsTooLarge
        /// The bytes break another rule of RFC 9112.
        case notHTTP
    }

    /// An answer that is written behind a parser's error. The connection ends with it.
    package struct RefusedConnection: Sendable {
        package let status: HTTPResponse.Status
        package let fields: HTTPFields
        package let body: ByteBuffer

        package init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: ByteBuffer) {
            (self.status, self.fields, self.body) = (status, fields, body)
        }
    }

    /// Counts and logs a server's connections, and refuses one. Its methods are called on event loops.
    package protocol ConnectionObserver: Sendable {
        func connectionOpened()

        /// Is called once for each opened connection.
        func connectionClosed()

        /// The client was slow or silent, so the connection ends.
        ///
        /// - Parameter state: where the connection was.
        func connectionTimedOut(_ state: ConnectionState)

        /// The bytes are not HTTP/1.1.
        ///
        /// - Returns: the answer.
        func refuse(_ request: MalformedRequest) -> RefusedConnection
    }

    /// A handler reads the body of the request that it answers, so a client that waits may send it.
    package struct BodyInvitation: Sendable {
        package init() {}
    }

    /// A request's body did not arrive in time.
    package struct BodyTimeout: Error {
        package init() {}
    }
#endif
