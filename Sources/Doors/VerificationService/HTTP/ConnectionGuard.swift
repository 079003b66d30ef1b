#if Service
    internal import CoreMetrics
    internal import HTTPTypes
    internal import Logging
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTPTypes

    /// How long a connection may take for what it does.
    package struct ConnectionTimes: Sendable {
        /// For the head of a request, and between requests.
        package var idle = Duration.seconds(60)
        /// For the whole body of a request. Of a stream: from one part to the next.
        package var body = Duration.seconds(30)
        /// For a client to read what was written.
        package var writing = Duration.seconds(30)
        /// For a client that still sends, when it was answered already: it must have time to read the answer.
        package var draining = Duration.seconds(2)
        /// For a request that is under way when the service ends.
        package var ending = Duration.seconds(1)

        package init() {}
    }

    /// A handler reads the body of the request that it answers.
    struct BodyInvitation: Sendable {}

    /// Ends connections of clients that are slow, silent or endless, and answers what is not HTTP.
    ///
    /// It stands between the decoder and the framework's handlers. It has one timer, which looks at a deadline: moving the
    /// deadline costs nothing.
    final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        /// Where the connection is: `draining` has answered, and reads what the client still sends.
        private enum State { case idle, receiving, answering, draining, closed }

        private let times: ConnectionTimes
        private let isStream: @Sendable (String) -> Bool
        private let metrics: ServiceMetrics
        private let logger: Logger
        private var state = State.idle
        private var isBodyStream = false
        /// Whether the client sends its body only when it is told to.
        private var awaitsInvitation = false
        private var isResponseBegun = false
        /// Whether the answer says that the connection ends with it.
        private var isLast = false
        /// Whether the service ends.
        private var isEnding = false
        /// Requests whose answers are not written yet. A client may send the next one before.
        private var unanswered = 0
        /// The bytes that were read since the answer.
        private var drained = 0
        /// When the client must have done something; `distantFuture` while the service works.
        private var deadline = NIODeadline.distantFuture
        private var timer: Scheduled<Void>?
        /// When the timer looks. It may be earlier than the deadline, and then is set anew.
        private var timerTime = NIODeadline.distantFuture

        /// How much of a body is read after the answer.
        ///
        /// Four megabytes: enough for a client that has a body of the usual length under way.
        private static let drainedBytes = 4 << 20

        /// - Parameter isStream: whether the body of this target has no fixed time.
        init(
            _ times: ConnectionTimes, isStream: @escaping @Sendable (String) -> Bool,
            _ metrics: ServiceMetrics, _ logger: Logger
        ) {
            (self.times, self.isStream, self.metrics) = (times, isStream, metrics)
            self.logger = logger
        }

        // MARK: - The connection

        func handlerAdded(context: ChannelHandlerContext) {
            metrics.openConnections.increment()
            set(times.idle, context)
        }

        /// `end()` may be called twice, by the removal and by the closing. It counts the connection once.
        func handlerRemoved(context: ChannelHandlerContext) { end() }

        func channelInactive(context: ChannelHandlerContext) {
            end()
            context.fireChannelInactive()
        }

        private func end() {
            guard state != .closed else { return }
            state = .closed
            timer?.cancel()
            timer = nil
            metrics.openConnections.decrement()
        }

        private func close(_ context: ChannelHandlerContext) {
            guard state != .closed else { return }
            context.close(promise: nil)
        }

        // MARK: - Parts

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                unanswered += 1
                isBodyStream = isStream(head.path ?? "")
                state = .receiving
                isResponseBegun = false
                set(times.body, context)
                awaitsInvitation = head.headerFields[.expect]?.lowercased() == "100-continue"
                if isBodyStream { readLargely(context) }
            case .body(let part):
                awaitsInvitation = false
                if state == .draining {
                    drained += part.readableBytes
                    if drained > Self.drainedBytes { return close(context) }
                } else if isBodyStream {
                    set(times.body, context)
                }
            case .end:
                if state == .draining { return close(context) }
                state = unanswered > 0 ? .answering : .idle
                // The service answers in its own time; what it waits for has limits of its own.
                if state == .idle {
                    set(times.idle, context)
                } else if context.channel.isWritable {
                    deadline = .distantFuture
                } else {
                    // A batch whose answer has begun, and the client has not read all that is there.
                    set(times.writing, context)
                }
            }
            context.fireChannelRead(data)
        }

        /// Reads a stream in large parts, of which each costs the same.
        ///
        /// 64 to 512 KiB at a time; the default of NIO is at most 64 KiB.
        private func readLargely(_ context: ChannelHandlerContext) {
            let allocator = AdaptiveRecvByteBufferAllocator(
                minimum: 1 << 16, initial: 1 << 18, maximum: 1 << 19)
            context.channel.setOption(.recvAllocator, value: allocator).whenFailure { _ in }
        }

        /// Tells a client that waits for it to send its body (RFC 9110, section 10.1.1), when a handler reads the body. A
        /// client that is refused need not send it.
        func triggerUserOutboundEvent(
            context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
        ) {
            guard event is BodyInvitation else {
                return context.triggerUserOutboundEvent(event, promise: promise)
            }
            if awaitsInvitation, state == .receiving, unanswered == 1 {
                awaitsInvitation = false
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
            promise?.succeed()
        }

        /// Follows the answer, because the state depends on both directions.
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(var head):
                // An invitation is no response.
                guard head.status.kind != .informational else { break }
                isResponseBegun = true
                if isEnding, unanswered == 1 { head.headerFields[.connection] = "close" }
                isLast = head.headerFields[.connection] == "close"
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .body: if isBodyStream, state == .receiving { set(times.body, context) }
            case .end:
                unanswered -= 1
                if state == .receiving, unanswered == 0 {
                    // Answered before its body was read to the end: the rest is of no use.
                    state = .draining
                    set(times.draining, context)
                } else if isLast || isEnding && unanswered == 0 {
                    let channel = context.channel
                    let written = promise ?? context.eventLoop.makePromise()
                    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
                    return context.write(data, promise: written)
                } else if unanswered == 0 {
                    state = .idle
                    set(times.idle, context)
                }
            }
            context.write(data, promise: promise)
        }

        /// The service ends: the connection's next answer is its last one.
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is ChannelShouldQuiesceEvent else {
                return context.fireUserInboundEventTriggered(event)
            }
            isEnding = true
            if state == .idle { set(times.ending, context) }
        }

        /// A client that does not read lets the kernel's buffer fill up. From then on it has `times.writing`.
        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if !context.channel.isWritable {
                set(times.writing, context)
            } else if state == .answering {
                deadline = .distantFuture
            } else {
                set(state == .idle ? times.idle : times.body, context)
            }
            context.fireChannelWritabilityChanged()
        }

        // MARK: - What goes wrong

        /// Only errors of the parser are answered here. An answer in the middle of another one would be read
        /// as its body.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
            guard state != .draining, !isResponseBegun || unanswered == 0 else { return close(context) }
            let problem =
                error == .headerOverflow
                ? Problem(
                    .requestHeaderFieldsTooLarge, "The request's header fields are too many or too long.",
                    closes: true)
                : Problem(
                    .badRequest,
                    "The request is not HTTP/1.1 as RFC 9112 defines it: it has one Host, single spaces in its first line, and no Transfer-Encoding but chunked.",
                    closes: true)
            metrics.malformed.increment()
            answer(problem, context)
        }

        /// The connection ends with it: behind a parser's error, nothing tells where the next request begins.
        private func answer(_ problem: Problem, _ context: ChannelHandlerContext) {
            var fields = problem.fields
            let body = problem.json
            fields[.contentLength] = "\(body.count)"
            state = .draining
            set(times.draining, context)
            context.write(
                wrapOutboundOut(.head(HTTPResponse(status: problem.status, headerFields: fields))),
                promise: nil)
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                channel.close(promise: nil)
            }
        }

        // MARK: - Time

        /// Cancels the timer only if it would look too late. Otherwise it finds the later deadline by itself.
        private func set(_ time: Duration, _ context: ChannelHandlerContext) {
            deadline = .now() + TimeAmount(time)
            guard timer == nil || deadline < timerTime else { return }
            timer?.cancel()
            schedule(deadline, context)
        }

        private func schedule(_ time: NIODeadline, _ context: ChannelHandlerContext) {
            let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timerTime = time
            timer = context.eventLoop.scheduleTask(deadline: time) { box.value.0.look(box.value.1) }
        }

        private func look(_ context: ChannelHandlerContext) {
            timer = nil
            guard state != .closed else { return }
            let now = NIODeadline.now()
            guard now >= deadline else {
                // Without a deadline, the next one sets a timer.
                if deadline != .distantFuture { schedule(deadline, context) }
                return
            }
            metrics.timeouts.increment()
            // Silence between requests is how most connections end.
            if state != .idle {
                logger.notice(
                    "a connection ends because its client is slow or silent", metadata: ["state": "\(state)"])
            }
            if state == .receiving, !isResponseBegun, context.channel.isWritable {
                // The handler waits for the body, and answers.
                state = .draining
                set(times.draining, context)
                context.fireErrorCaught(BodyTimeout())
            } else {
                close(context)
            }
        }
    }
#endif
