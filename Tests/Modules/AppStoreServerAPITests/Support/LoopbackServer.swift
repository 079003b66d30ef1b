#if ServerAPI && TestServer
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import StoreKitTestSession
    import TestServerAPI
    import Synchronization
    import Testing

    /// A request that arrived at a test's server.
    struct ReceivedRequest: Sendable {
        let method: String
        let target: String
        let headers: [ServerAPIRequest.Field]
        let body: [UInt8]

        var path: String { String(target.prefix { $0 != "?" }) }

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// The reaction of a test's server to a request.
    enum Reaction: Sendable {
        /// A whole answer.
        case answer(Int, headers: [String: String] = [:], body: String = "")
        /// The answer of the test store.
        case bytes(Int, [ServerAPIRequest.Field], [UInt8])
        /// An answer after a time.
        case late(Duration, body: String)
        /// The connection is closed without an answer.
        case drop
        /// The connection is closed in the middle of the body.
        case half(String)
        /// A head, and a body that never comes.
        case stall
    }

    /// A server of HTTP/1.1 on the loopback address, whose reactions a test chooses.
    final class LoopbackServer: Sendable {
        private let channel: any Channel
        private let log: RequestLog

        init(_ react: @escaping @Sendable (ReceivedRequest) -> Reaction) async throws {
            let log = RequestLog()
            self.log = log
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(
                            Handler { request in
                                log.note(request)
                                return react(request)
                            })
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        deinit { channel.close(promise: nil) }

        var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
        var requests: [ReceivedRequest] { log.entries.map(\.request) }
        var instants: [ContinuousClock.Instant] { log.entries.map(\.instant) }
    }

    /// The requests that arrived, with their times.
    private final class RequestLog: Sendable {
        typealias Entry = (request: ReceivedRequest, instant: ContinuousClock.Instant)

        private let list = Mutex<[Entry]>([])

        var entries: [Entry] { list.withLock { $0 } }

        func note(_ request: ReceivedRequest) {
            list.withLock { $0.append((request, ContinuousClock().now)) }
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let react: @Sendable (ReceivedRequest) -> Reaction
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ react: @escaping @Sendable (ReceivedRequest) -> Reaction) { self.react = react }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, [])
            case .body(let buffer): body += Array(buffer.readableBytesView)
            case .end:
                guard let head else { return }
                answer(
                    react(
                        ReceivedRequest(
                            method: head.method.rawValue, target: head.uri,
                            headers: head.headers.map { .init($0.name, $0.value) }, body: body)), context)
            }
        }

        private func answer(_ reaction: Reaction, _ context: ChannelHandlerContext) {
            switch reaction {
            case .answer(let status, let headers, let body):
                write(status, headers.map { ($0.key, $0.value) }, Array(body.utf8), context)
            case .bytes(let status, let headers, let body):
                write(status, headers.map { ($0.name, $0.value) }, body, context)
            case .late(let duration, let body):
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                context.eventLoop.scheduleTask(in: TimeAmount(duration)) {
                    let (handler, context) = bound.value
                    handler.write(200, [], Array(body.utf8), context)
                }
            case .drop: context.close(promise: nil)
            case .half(let body):
                begin(200, [("Content-Length", String(body.utf8.count * 2))], context)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
                context.flush()
                context.close(promise: nil)
            case .stall: begin(200, [("Content-Length", "100")], context)
            }
        }

        private func begin(
            _ status: Int, _ headers: [(String, String)], _ context: ChannelHandlerContext
        ) {
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: status),
                headers: HTTPHeaders(headers))
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }

        private func write(
            _ status: Int, _ headers: [(String, String)], _ body: [UInt8], _ context: ChannelHandlerContext
        ) {
            begin(status, headers + [("Content-Length", String(body.count))], context)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
#endif
