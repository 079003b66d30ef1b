#if Service
    internal import Hummingbird
    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import NIOHTTPTypes

    /// Runs tasks on an event loop.
    final class LoopExecutor: TaskExecutor {
        private let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// HTTP/1.1 on connections whose tasks run on their event loop: a request then changes threads nowhere, which is most of what
    /// an asynchronous handler costs.
    ///
    /// A verdict takes some 20 µs, a hostile token a few milliseconds at most. Whatever may take longer leaves the loop.
    struct LoopChannel: ServerChildChannel {
        private let base: HTTP1Channel

        init(_ base: HTTP1Channel) { self.base = base }

        /// The largest read: a batch arrives in fewer pieces. An idle connection has no buffer.
        private static let longestRead = 1 << 19

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
            let allocator = AdaptiveRecvByteBufferAllocator(
                minimum: 4_096, initial: 8_192, maximum: Self.longestRead)
            return channel.setOption(.recvAllocator, value: allocator).flatMap {
                base.setup(channel: channel, logger: logger)
            }
        }

        func handle(value: HTTP1Channel.Value, logger: Logger) async {
            await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
                await base.handle(value: value, logger: logger)
            }
        }
    }
#endif
