#if Service || TestServer
    internal import HTTPTypes
    package import NIOCore
    internal import NIOHTTP1
    package import NIOHTTPTypes

    /// Ends connections of clients that are slow, silent or endless, and answers bytes that are not HTTP.
    ///
    /// It stands between the decoder and the framework's handlers. It has one timer, which looks at a deadline: moving the
    /// deadline costs nothing.
    package final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
        package typealias InboundIn = HTTPRequestPart
        package typealias InboundOut = HTTPRequestPart
        package typealias OutboundIn = HTTPResponsePart
        package typealias OutboundOut = HTTPResponsePart

        private let times: ConnectionTimes
        private let isStream: @Sendable (String) -> Bool
        private let observer: any ConnectionObserver
        private var state = ConnectionState.idle
        private var isBodyStream = false
        /// Whether the client sends its body only when it is told to.
        private var awaitsInvitation = false
        private var isResponseBegun = false
        /// Whether the answer says that the connection ends with it.
        private var isLast = false
        /// Whether the server ends.
        private var isEnding = false
        /// Requests whose answers are not written yet. A client may send the next one before.
        private var unanswered = 0
        /// The bytes that were read since the answer.
        private var drained = 0
        /// When the client must have done something; `distantFuture` while the server works.
        private var deadline = NIODeadline.distantFuture
        private var timer: Scheduled<Void>?
        /// When the timer looks. It may be earlier than the deadline, and then is set anew.
        private var timerTime = NIODeadline.distantFuture

        /// How much of a body is read after the answer.
        ///
        /// Four megabytes: enough for a client that has a body of the usual length under way.
        private static let drainedBytes = 4 << 20

        /// - Parameters:
        ///   - times: how long the client has.
        ///   - isStream: whether the body of this target has no fixed time.
        ///   - observer: counts connections, and answers bytes that are not HTTP.
        package init(
            _ times: ConnectionTimes, isStream: @escaping @Sendable (String) -> Bool = { _ in false },
            _ observer: any ConnectionObserver
        ) {
            (self.times, self.isStream, self.observer) = (times, isStream, observer)
        }

        // MARK: - The connection

        package func handlerAdded(context: ChannelHandlerContext) {
            observer.connectionOpened()
            set(times.idle, context)
        }

        /// `end()` may be called twice, by the removal and by the closing. It counts the connection once.
        package func handlerRemoved(context: ChannelHandlerContext) { end() }

        package func channelInactive(context: ChannelHandlerContext) {
            end()
            context.fireChannelInactive()
        }

        private func end() {
            guard state != .closed else { return }
            state = .closed
            timer?.cancel()
            timer = nil
            observer.connectionClosed()
        }

        private func close(_ context: ChannelHandlerContext) {
            guard state != .closed else { return }
            context.close(promise: nil)
        }

        // MARK: - Parts

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
                // The server answers in its own time; its waits have limits of their own.
                if state == .idle {
                    set(times.idle, context)
                } else if context.channel.isWritable {
                    deadline = .distantFuture
                } else {
                    // A batch's answer has begun, and the client has not read all of it.
                    set(times.writing, context)
                }
            }
            context.fireChannelRead(data)
        }

        /// Reads a stream in large parts: each costs the same.
        ///
        /// 64 to 512 KiB at a time; the default of NIO is at most 64 KiB.
        private func readLargely(_ context: ChannelHandlerContext) {
            let allocator = AdaptiveRecvByteBufferAllocator(
                minimum: 1 << 16, initial: 1 << 18, maximum: 1 << 19)
            context.channel.setOption(.recvAllocator, value: allocator).whenFailure { _ in }
        }

        /// Tells a client that waits for it to send its body (RFC 9110, section 10.1.1), when a handler reads the body. A
        /// client that is refused need not send it.
        package func triggerUserOutboundEvent(
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
        package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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

        /// The server ends: the connection's next answer is its last one.
        package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is ChannelShouldQuiesceEvent else {
                return context.fireUserInboundEventTriggered(event)
            }
            isEnding = true
            if state == .idle { set(times.ending, context) }
        }

        /// A client that does not read lets the kernel's buffer fill up. From then on it has `times.writing`.
        package func channelWritabilityChanged(context: ChannelHandlerContext) {
            if !context.channel.isWritable {
                set(times.writing, context)
            } else if state == .answering {
                deadline = .distantFuture
            } else {
                set(state == .idle ? times.idle : times.body, context)
            }
            context.fireChannelWritabilityChanged()
        }

        // MARK: - Failures

        /// Only errors of the parser are answered here. An answer in the middle of another one would be read
        /// as its body.
        package func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
            guard state != .draining, !isResponseBegun || unanswered == 0 else { return close(context) }
            answer(observer.refuse(error == .headerOverflow ? .fieldsTooLarge : .notHTTP), context)
        }

        /// The connection ends with it: behind a parser's error, nothing tells where the next request begins.
        private func answer(_ refused: RefusedConnection, _ context: ChannelHandlerContext) {
            var fields = refused.fields
            fields[.connection] = "close"
            fields[.contentLength] = "\(refused.body.readableBytes)"
            state = .draining
            set(times.draining, context)
            context.write(
                wrapOutboundOut(.head(HTTPResponse(status: refused.status, headerFields: fields))),
                promise: nil)
            context.write(wrapOutboundOut(.body(refused.body)), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                channel.close(promise: nil)
            }
        }

        // MARK: - Time

        /// Cancels the timer only if it would look too late. Otherwise it finds the later deadline by itself.
        private func set(_ time: Duration, _ context: ChannelHandlerContext) {
            deadline = context.eventLoop.now + TimeAmount(time)
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
            let now = context.eventLoop.now
            guard now >= deadline else {
                // Without a deadline, the next one sets a timer.
                if deadline != .distantFuture { schedule(deadline, context) }
                return
            }
            observer.connectionTimedOut(state)
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
