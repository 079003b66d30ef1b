#if Service || TestServer
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOHTTPTypes
    import Testing

    /// A connection stays usable after any legal request, and no request is read out of another one's content.
    @Suite struct RequestDecoderTests {
        private static let host = "Host: localhost\r\n"
        private static let upgrade =
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAA\r\n"
        private static let next = "GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n"

        /// Legal requests, and the first request's method and target.
        private static let requests: [(name: String, text: String, target: String)] = [
            ("plain", "GET /a HTTP/1.1\r\n\(host)\r\n", "GET /a"),
            ("an empty line before", "\r\nGET /a HTTP/1.1\r\n\(host)\r\n", "GET /a"),
            ("an upgrade", "GET /a HTTP/1.1\r\n\(host)\(upgrade)\r\n", "GET /a"),
            (
                "an upgrade with a body",
                "POST /a HTTP/1.1\r\n\(host)\(upgrade)Content-Length: 4\r\n\r\nbody", "POST /a"
            ),
            (
                "an upgrade with chunks",
                "POST /a HTTP/1.1\r\n\(host)\(upgrade)Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                "POST /a"
            ),
            (
                "a WebSocket",
                "GET /a HTTP/1.1\r\n\(host)Connection: keep-alive, upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
                "GET /a"
            ),
            (
                "an upgrade without the connection's word", "GET /a HTTP/1.1\r\n\(host)Upgrade: h2c\r\n\r\n",
                "GET /a"
            ),
            ("CONNECT", "CONNECT a.example:443 HTTP/1.1\r\n\(host)\r\n", "CONNECT 443"),
            ("HEAD", "HEAD /a HTTP/1.1\r\n\(host)\r\n", "HEAD /a"),
            ("OPTIONS of everything", "OPTIONS * HTTP/1.1\r\n\(host)\r\n", "OPTIONS *"),
            ("a body", "POST /a HTTP/1.1\r\n\(host)Content-Length: 4\r\n\r\nbody", "POST /a"),
            ("an empty body", "POST /a HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", "POST /a"),
            (
                "chunks",
                "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                "POST /a"
            ),
            (
                "chunks and a trailer",
                "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n4\r\nbody\r\n0\r\nA: b\r\n\r\n",
                "POST /a"
            ),
            ("HTTP/1.0 without a host", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET /a"),
        ]

        private func body(_ parts: [HTTPRequestPart]) -> String {
            parts.map { part in if case .body(let part) = part { String(buffer: part) } else { "" } }.joined()
        }

        @Test(arguments: requests.indices)
        func `the next request is read after any legal one`(_ index: Int) throws {
            let (name, text, target) = Self.requests[index]
            // Together, after the answer, and byte by byte.
            for size in [Int.max, 1, 7] {
                let wire = try Wire()
                var bytes = Array((text + Self.next).utf8)[...]
                while !bytes.isEmpty {
                    wire.receive(String(decoding: bytes.prefix(size), as: UTF8.self))
                    bytes = bytes.dropFirst(size)
                }
                let parts = try wire.parts()
                let heads = parts.compactMap { part in
                    if case .head(let head) = part {
                        "\(head.method.rawValue) \(head.path ?? "")"
                    } else {
                        nil
                    }
                }
                #expect(heads == [target, "GET /next"], "\(name), \(size)")
                #expect(body(parts) == (text.contains("body") ? "body" : ""), "\(name), \(size)")
                #expect(wire.isOpen)
            }
        }

        @Test(arguments: [
            "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a  HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /a HTTP/1.1\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /a HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
            "hello\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 41\r\n\r\nGET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
        func `bytes that are not HTTP get an answer, and nothing of them is a request`(_ text: String) throws
        {
            for size in [Int.max, 1] {
                let wire = try Wire()
                var bytes = Array((text + Self.next).utf8)[...]
                while !bytes.isEmpty, wire.isOpen {
                    wire.receive(String(decoding: bytes.prefix(size), as: UTF8.self))
                    bytes = bytes.dropFirst(size)
                }
                let answer = try wire.sent()
                #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
                #expect(answer.contains("connection: close\r\n") || answer.contains("Connection: close\r\n"))
                #expect(answer.hasSuffix("\r\n\r\nno"))
                #expect(try wire.targets().isEmpty)
                #expect(!wire.isOpen)
            }
        }

        @Test func `fields have limits, one by one and together`() throws {
            var limits = NIOHTTPDecoderLimitConfiguration()
            (limits.maxHeaderFieldSize, limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (
                1_000, 2_000, 10
            )
            let one = "A: \(String(repeating: "x", count: 900))\r\n"
            let long = "A: \(String(repeating: "x", count: 1_100))\r\n"
            for (fields, isRight) in [
                (one, true), (long, false), (one + one + one, false),
                (String(repeating: "A: b\r\n", count: 12), false),
            ] {
                let wire = try Wire(limits: limits)
                wire.receive("GET /a HTTP/1.1\r\n\(Self.host)\(fields)\r\n")
                #expect(try wire.targets() == (isRight ? ["GET /a"] : []))
                #expect(try wire.sent().hasPrefix("HTTP/1.1 431 ") == !isRight)
                #expect(wire.isOpen == isRight)
            }
        }

        @Test func `a line without an end is not collected for ever`() throws {
            var limits = NIOHTTPDecoderLimitConfiguration()
            (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (1_000, 2_000)
            let wire = try Wire(limits: limits)
            wire.receive("GET /a HTTP/1.1\r\nA")
            for _ in 0..<100 where wire.isOpen { wire.receive(String(repeating: "a", count: 1_000)) }
            #expect(!wire.isOpen)
        }
    }
#endif
