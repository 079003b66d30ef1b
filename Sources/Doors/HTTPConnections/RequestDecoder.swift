#if Service || TestServer
    package import NIOCore
    package import NIOHTTP1

    /// Decodes requests of HTTP/1.1, one after the other, and refuses some that NIO's decoder takes.
    ///
    /// NIO's decoder stops for good behind a request that offers another protocol: it takes the next bytes for that protocol.
    /// No server here accepts an offer, so the next bytes are the next request (RFC 9110, section 7.8), and gets a new decoder.
    /// That needs to know where a request ends: a decoder gets no byte beyond it.
    package final class RequestDecoder: ByteToMessageDecoder {
        package typealias InboundOut = HTTPServerRequestPart

        /// The part of a request that the next bytes belong to.
        private enum Place: Equatable {
            /// The head, of which one line at a time is decoded.
            case head
            /// A body, and how many of its bytes are to come.
            case body(Int)
            /// A body in chunks, or the bytes behind one. Only NIO's decoder knows where it ends.
            case unknown
        }

        private let limits: NIOHTTPDecoderLimitConfiguration
        private var decoder: HTTPRequestDecoder
        private var place = Place.head
        /// The request line so far: its last byte, and how many spaces it has. `nil` behind it.
        private var line: (last: UInt8, spaces: Int)? = (0, 0)
        /// The bytes at the buffer's beginning that the decoder has seen, and waits for the rest of.
        private var seen = 0
        private var offersProtocol = false
        private var isAtEnd = false
        /// Why a request is refused. Nothing of it is passed on.
        fileprivate var failure: HTTPParserError?

        private init(_ limits: NIOHTTPDecoderLimitConfiguration) {
            self.limits = limits
            decoder = HTTPRequestDecoder(limitConfiguration: limits)
        }

        /// The handlers of a connection that write responses and decode requests.
        ///
        /// - Parameter limits: of the fields of a head.
        package static func handlers(
            _ limits: NIOHTTPDecoderLimitConfiguration
        ) -> [any ChannelHandler] {
            let decoder = RequestDecoder(limits)
            return [HTTPResponseEncoder(), ByteToMessageHandler(decoder), DecodedParts(decoder)]
        }

        package func decoderAdded(context: ChannelHandlerContext) { decoder.decoderAdded(context: context) }

        package func decoderRemoved(context: ChannelHandlerContext) {
            decoder.decoderRemoved(context: context)
        }

        package func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState
        {
            while buffer.readableBytes > seen {
                let count = try take(buffer.readableBytesView.dropFirst(seen))
                guard var part = buffer.getSlice(at: buffer.readerIndex, length: seen + count) else { break }
                _ = try decoder.decode(context: context, buffer: &part)
                buffer.moveReaderIndex(forwardBy: seen + count - part.readableBytes)
                seen = part.readableBytes
                if let failure { throw failure }
                // Only a field of a head is waited for, so this much means that the decoder has stopped.
                guard seen <= limits.maxHeaderListSize else { throw HTTPParserError.headerOverflow }
                if isAtEnd { endRequest(context) }
            }
            return .needMoreData
        }

        package func decodeLast(
            context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
        ) throws -> DecodingState {
            _ = try decode(context: context, buffer: &buffer)
            return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
        }

        /// How many of the new bytes are decoded together.
        private func take(_ new: ByteBufferView) throws(HTTPParserError) -> Int {
            switch place {
            case .head:
                let end = new.firstIndex(of: UInt8(ascii: "\n"))
                let count = end.map { $0 - new.startIndex + 1 } ?? new.count
                try checkLine(new.prefix(count))
                return count
            case .body(let length) where length > 0:
                let count = min(length, new.count)
                place = .body(length - count)
                return count
            case .body, .unknown: return new.count
            }
        }

        /// RFC 9112, section 3: single spaces stand between the three parts of a request line.
        private func checkLine(_ bytes: ByteBufferView) throws(HTTPParserError) {
            for byte in bytes {
                guard let (last, spaces) = line else { return }
                switch byte {
                case UInt8(ascii: " "):
                    guard last != byte, spaces < 2 else { throw .invalidURL }
                    line = (byte, spaces + 1)
                // Empty lines may come before it.
                case UInt8(ascii: "\n"): line = last == 0 ? line : nil
                case UInt8(ascii: "\r"): break
                default: line = (byte, spaces)
                }
            }
        }

        private func endRequest(_ context: ChannelHandlerContext) {
            isAtEnd = false
            if offersProtocol {
                decoder.decoderRemoved(context: context)
                decoder = HTTPRequestDecoder(limitConfiguration: limits)
                decoder.decoderAdded(context: context)
                seen = 0
            } else if place == .unknown {
                return
            }
            (place, line) = (.head, (0, 0))
        }

        /// Follows the decoder's parts.
        fileprivate func note(_ part: HTTPServerRequestPart) {
            switch part {
            case .head(let head):
                isAtEnd = false
                failure = Self.failure(of: head)
                offersProtocol = Self.offersProtocol(head)
                guard place != .unknown else { return }
                let isInChunks = head.headers.contains(name: "Transfer-Encoding")
                let length = head.headers.first(name: "Content-Length").flatMap { Int($0) }
                place = isInChunks ? .unknown : .body(length ?? 0)
            case .body: break
            case .end: isAtEnd = true
            }
        }

        /// Whether NIO's decoder stops behind this request: the rule of llhttp, which it has inside.
        private static func offersProtocol(_ head: HTTPRequestHead) -> Bool {
            if head.method == .CONNECT { return true }
            guard head.headers["Upgrade"].contains(where: { !$0.isEmpty }) else { return false }
            return ["Connection", "Proxy-Connection"].contains { name in
                head.headers[canonicalForm: name].contains { $0.lowercased() == "upgrade" }
            }
        }

        private static func failure(of head: HTTPRequestHead) -> HTTPParserError? {
            let (hosts, encodings) = (head.headers["Host"].count, head.headers["Transfer-Encoding"])
            // RFC 9112, section 3.2. HTTP/1.0, which load balancers speak, knows no Host.
            guard hosts == 1 || hosts == 0 && head.version == .http1_0 else { return .invalidHeaderToken }
            // No other coding is decoded. The body would be taken for the decoded one.
            guard encodings.isEmpty || encodings.map({ $0.lowercased() }) == ["chunked"] else {
                return .invalidHeaderToken
            }
            let hasContent =
                head.headers.first(name: "Content-Length").map { $0 != "0" } ?? !encodings.isEmpty
            // RFC 9110, section 9.3.6: CONNECT has no content. It would be read as the next request.
            return head.method == .CONNECT && hasContent ? .unexpectedContentLength : nil
        }
    }

    /// Stands behind a decoder, and tells it the decoded parts.
    private final class DecodedParts: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        private let decoder: RequestDecoder

        init(_ decoder: RequestDecoder) { self.decoder = decoder }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            decoder.note(unwrapInboundIn(data))
            if decoder.failure == nil { context.fireChannelRead(data) }
        }
    }
#endif
