#if Service || TestServer
    import HTTPConnections
    import HTTPTypes
    import NIOCore
    import NIOEmbedded
    import NIOHTTPTypes
    import Testing

    /// Slow, silent and endless clients, by a clock that the tests move.
    @Suite struct ConnectionGuardTests {
        private let get = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
        private let post = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
        private let stream = "POST /stream HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

        @Test func `a connection is counted once, and its end once`() throws {
            let wire = try Wire()
            #expect(wire.observer.opened == 1 && wire.observer.closed == 0)
            try wire.channel.close().wait()
            wire.channel.embeddedEventLoop.run()
            #expect(wire.observer.opened == 1 && wire.observer.closed == 1)
        }

        @Test func `silence between requests ends the connection`() throws {
            let wire = try Wire()
            wire.advance(59)
            #expect(wire.isOpen)
            wire.receive(get)
            try wire.respond()
            // The time begins anew with the answer.
            wire.advance(59)
            #expect(wire.isOpen)
            wire.advance(2)
            #expect(!wire.isOpen)
            #expect(wire.observer.timeouts == [.idle])
        }

        @Test func `half a head is silence`() throws {
            let wire = try Wire()
            wire.receive("GET /a HT")
            wire.advance(61)
            #expect(!wire.isOpen)
        }

        @Test func `a body has its time, however slowly it comes`() throws {
            let wire = try Wire()
            wire.receive(post)
            for _ in 0..<5 {
                wire.advance(5)
                wire.receive("x")
            }
            wire.advance(5)
            // The handler that reads the body gets the timeout, and answers.
            #expect(throws: BodyTimeout.self) { try wire.channel.throwIfErrorCaught() }
            #expect(wire.observer.timeouts == [.receiving])
            try wire.respond("late", [.connection: "close"])
            #expect(try wire.sent().hasSuffix("late"))
            #expect(!wire.isOpen)
        }

        @Test func `a body that is late is not waited for, whether or not it is answered`() throws {
            let wire = try Wire()
            wire.receive(post)
            wire.advance(30)
            #expect(wire.isOpen)
            wire.advance(2)
            #expect(!wire.isOpen)
        }

        @Test func `a stream may go on while its parts come`() throws {
            let wire = try Wire()
            wire.receive(stream)
            for _ in 0..<20 {
                wire.advance(29)
                wire.receive("1\r\nx\r\n")
            }
            #expect(wire.isOpen && wire.observer.timeouts.isEmpty)
            wire.advance(31)
            #expect(wire.observer.timeouts == [.receiving])
        }

        @Test func `the server may take its time for the answer`() throws {
            let wire = try Wire()
            wire.receive(get)
            wire.advance(10_000)
            #expect(wire.isOpen)
            try wire.respond()
            #expect(try wire.sent().hasSuffix("ok"))
        }

        @Test func `a client that does not read has its time`() throws {
            for reads in [true, false] {
                let wire = try Wire()
                wire.receive(get)
                wire.channel.isWritable = false
                wire.channel.pipeline.fireChannelWritabilityChanged()
                wire.advance(19)
                #expect(wire.isOpen)
                if reads {
                    wire.channel.isWritable = true
                    wire.channel.pipeline.fireChannelWritabilityChanged()
                }
                wire.advance(2)
                #expect(wire.isOpen == reads)
            }
        }

        @Test func `an answer before the end of the body is read, and the rest has a limit`() throws {
            for (length, isOpen) in [(1 << 20, true), (5 << 20, false)] {
                let wire = try Wire()
                wire.receive("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\nx")
                try wire.respond("no")
                #expect(wire.isOpen)
                wire.receive(String(repeating: "x", count: length))
                #expect(wire.isOpen == isOpen)
                wire.advance(3)
                #expect(!wire.isOpen)
            }
        }

        @Test func `a client that waits is invited once, when its body is read`() throws {
            let wire = try Wire()
            wire.receive(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
            #expect(try wire.sent().isEmpty)
            for _ in 0..<2 { try wire.channel.triggerUserOutboundEvent(BodyInvitation()).wait() }
            #expect(try wire.sent() == "HTTP/1.1 100 Continue\r\n\r\n")
            wire.receive("x")
            try wire.respond()
            #expect(try wire.sent().hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(wire.isOpen)
        }

        @Test func `an invitation is not sent to a client that does not wait`() throws {
            let wire = try Wire()
            wire.receive(post)
            try wire.channel.triggerUserOutboundEvent(BodyInvitation()).wait()
            #expect(try wire.sent().isEmpty)
        }

        @Test func `a server that ends answers requests under way, and closes`() throws {
            let (idle, busy) = (try Wire(), try Wire())
            busy.receive(get)
            for wire in [idle, busy] {
                wire.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
            #expect(idle.isOpen && busy.isOpen)
            idle.advance(2)
            #expect(!idle.isOpen)
            try busy.respond()
            let answer = try busy.sent()
            #expect(answer.lowercased().contains("connection: close\r\n") && answer.hasSuffix("ok"))
            #expect(!busy.isOpen)
        }

        @Test func `requests that come together are answered in their order`() throws {
            let wire = try Wire()
            wire.receive(get + get + get)
            #expect(try wire.targets() == ["GET /a", "GET /a", "GET /a"])
            for number in 1...3 { try wire.respond("\(number)") }
            #expect(try wire.sent().matches(of: /\r\n\r\n(\d)/).map { String($0.1) } == ["1", "2", "3"])
            wire.advance(59)
            #expect(wire.isOpen)
        }

        @Test func `no answer is written into another one`() throws {
            let wire = try Wire()
            wire.receive(get)
            try wire.channel.writeOutbound(
                HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: [.contentLength: "100"])))
            wire.receive("nonsense\r\n\r\n")
            #expect(!wire.isOpen)
            #expect(try !wire.sent().contains("400"))
        }
    }
#endif
