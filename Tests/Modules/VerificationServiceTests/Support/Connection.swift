#if Service
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOHTTPTypes
    import NIOHTTPTypesHTTP1
    import NIOPosix

    /// A client's connection, which stays open from one request to the next.
    struct Connection: Sendable {
        private let channel: any Channel

        init(port: Int) async throws {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandlers([HTTP1ToHTTPClientCodec(), Exchanges()])
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
        }

        func close() async { try? await channel.close() }

        func answer(to head: HTTPRequest, _ body: ByteBuffer) async throws -> Answer {
            let promise = channel.eventLoop.makePromise(of: Answer.self)
            let exchange = Exchanges.Exchange(head: head, body: body, answer: promise)
            try await channel.writeAndFlush(exchange)
            return try await promise.futureResult.get()
        }
    }

    /// Writes requests, and collects their answers in the same order.
    private final class Exchanges: ChannelDuplexHandler {
        struct Exchange: Sendable {
            let head: HTTPRequest
            let body: ByteBuffer
            let answer: EventLoopPromise<Answer>
        }

        typealias InboundIn = HTTPResponsePart
        typealias InboundOut = Never
        typealias OutboundIn = Exchange
        typealias OutboundOut = HTTPRequestPart

        private struct Closed: Error {}

        private var waiting: [EventLoopPromise<Answer>] = []
        private var head = HTTPResponse(status: .ok)
        private var body = ByteBuffer()

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let exchange = unwrapOutboundIn(data)
            waiting.append(exchange.answer)
            context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
            if exchange.body.readableBytes > 0 {
                context.write(wrapOutboundOut(.body(exchange.body)), promise: nil)
            }
            context.write(wrapOutboundOut(.end(nil)), promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, ByteBuffer())
            case .body(var part): body.writeBuffer(&part)
            case .end:
                guard !waiting.isEmpty else { return }
                waiting.removeFirst().succeed(Answer(head, body))
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            for promise in waiting { promise.fail(Closed()) }
            waiting = []
        }
    }
#endif
