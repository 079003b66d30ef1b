#if Service
    internal import HTTPConnections
    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import Platform

    /// Connections of HTTP/1.1, each handled on the thread of its event loop, where its bytes arrive and leave. Otherwise
    /// each part of a request and of an answer would wake another thread.
    ///
    /// Work that takes long, or waits, must go to other threads: `Route.mayBlock`, and the pool for batches and receipts.
    struct EventLoopChannel: ServerChildChannel {
        private let channel: RequestChannel

        init(_ channel: RequestChannel) { self.channel = channel }

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<RequestChannel.Value> {
            self.channel.setup(channel: channel, logger: logger)
        }

        func handle(value: RequestChannel.Value, logger: Logger) async {
            await withTaskExecutorPreference(ClosureExecutor(value.channel.eventLoop)) {
                await channel.handle(value: value, logger: logger)
            }
        }
    }
#endif
