#if Service || TestServer
    package import HummingbirdCore
    package import Logging
    package import NIOCore
    package import NIOHTTP1
    package import NIOHTTPTypes
    internal import NIOHTTPTypesHTTP1

    /// A connection of HTTP/1.1, which stays usable after each request that is answered.
    ///
    /// It is `HTTP1Channel`, but for the decoder.
    package struct RequestChannel: HTTPChannelHandler {
        package typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

        package let responder: Responder
        private let limits: NIOHTTPDecoderLimitConfiguration
        private let handlers: @Sendable () -> [any ChannelHandler]

        /// - Parameters:
        ///   - responder: answers requests.
        ///   - limits: of the fields of a head.
        ///   - handlers: stand between the decoder and the responder.
        package init(
            responder: @escaping Responder,
            limits: NIOHTTPDecoderLimitConfiguration = NIOHTTPDecoderLimitConfiguration(),
            handlers: @escaping @Sendable () -> [any ChannelHandler] = { [] }
        ) {
            (self.responder, self.limits, self.handlers) = (responder, limits, handlers)
        }

        package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandlers(RequestDecoder.handlers(limits))
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                try pipeline.addHandlers(handlers())
                try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
                return try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true))
            }
        }

        package func handle(value: Value, logger: Logger) async {
            await handleHTTP(asyncChannel: value, logger: logger)
        }
    }
#endif
