#if Service || TestServer
    import HTTPConnections
    import HTTPTypes
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import NIOHTTPTypes
    import NIOHTTPTypesHTTP1
    import Synchronization

    /// A connection without a socket. Its clock moves when a test says so.
    final class Wire {
        let channel: EmbeddedChannel
        let observer = Observer()

        /// - Parameters:
        ///   - limits: of the fields of a head.
        ///   - isStream: whether the body of a target has no fixed time.
        init(
            limits: NIOHTTPDecoderLimitConfiguration = NIOHTTPDecoderLimitConfiguration(),
            isStream: @escaping @Sendable (String) -> Bool = { $0 == "/stream" }
        ) throws {
            channel = EmbeddedChannel()
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers(RequestDecoder.handlers(limits))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            var times = ConnectionTimes()
            (times.idle, times.body, times.writing) = (.seconds(60), .seconds(30), .seconds(20))
            try pipeline.addHandler(ConnectionGuard(times, isStream: isStream, observer))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        deinit { _ = try? channel.finish() }

        var isOpen: Bool { channel.isActive }

        /// Gives bytes to the server.
        func receive(_ text: String) {
            // An error that no handler takes is thrown here: tests look at the answer.
            _ = try? channel.writeInbound(ByteBuffer(string: text))
        }

        /// The parts of requests that came out behind the guard.
        func parts() throws -> [HTTPRequestPart] {
            var parts: [HTTPRequestPart] = []
            while let part = try channel.readInbound(as: HTTPRequestPart.self) { parts.append(part) }
            return parts
        }

        /// The targets of the requests that came out.
        func targets() throws -> [String] {
            try parts().compactMap { part in
                if case .head(let head) = part { "\(head.method.rawValue) \(head.path ?? "")" } else { nil }
            }
        }

        /// Writes a response as the server's handler does.
        func respond(_ body: String = "ok", _ fields: HTTPFields = [:]) throws {
            var fields = fields
            fields[.contentLength] = "\(body.utf8.count)"
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
            try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: body)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        /// The bytes that the client has got since.
        func sent() throws -> String {
            var text = ""
            while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
            return text
        }

        func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        /// Counts what the guard tells.
        final class Observer: ConnectionObserver {
            private let state = Mutex<(open: Int, closed: Int, timeouts: [ConnectionState])>((0, 0, []))

            var opened: Int { state.withLock(\.open) }
            var closed: Int { state.withLock(\.closed) }
            var timeouts: [ConnectionState] { state.withLock(\.timeouts) }

            func connectionOpened() { state.withLock { $0.open += 1 } }
            func connectionClosed() { state.withLock { $0.closed += 1 } }
            func connectionTimedOut(_ state: ConnectionState) {
                self.state.withLock { $0.timeouts.append(state) }
            }

            func refuse(_ request: MalformedRequest) -> RefusedConnection {
                switch request {
                case .fieldsTooLarge:
                    RefusedConnection(.requestHeaderFieldsTooLarge, [:], ByteBuffer(string: "large"))
                case .notHTTP:
                    RefusedConnection(.badRequest, [.contentType: "text/plain"], ByteBuffer(string: "no"))
                }
            }
        }
    }
#endif
