#if SQLite || ServerAPI
    import Libcurl
    import OCSPResponders
    import Testing

    /// Connections, deadlines, and what is sent.
    @Suite struct HTTPClientTests {
        private static func message(
            to server: ScriptedServer, method: String = "POST", fields: [HTTPMessage.Field] = [],
            body: [UInt8] = [], mayArriveTwice: Bool = true
        ) -> HTTPMessage {
            HTTPMessage(
                method: method, url: "http://127.0.0.1:\(server.port)/a/../b?c=%20", fields: fields,
                body: body,
                mayArriveTwice: mayArriveTwice)
        }

        private static var soon: ContinuousClock.Instant { .now + .seconds(60) }

        @Test func `a request is sent as it is written`() async throws {
            let server = try ScriptedServer(.reply([0x6f, 0x6b], headers: "X-A: b\r\n"))
            let client = HTTPClient(.whole(10))
            // A megabyte is where libcurl would ask first whether the body may come.
            let body = [UInt8](repeating: 0, count: 3 << 20)
            let answer = try await client.answer(
                to: Self.message(to: server, fields: [("X-One", "1"), ("X-Empty", "")], body: body),
                by: Self.soon)
            #expect(answer.status == 200 && answer.body == [0x6f, 0x6b] && answer.field("x-a") == "b")
            #expect(server.requests == [body])
            let head = try #require(server.heads.first).split(separator: "\r\n").map { String($0) }
            #expect(head.first == "POST /a/../b?c=%20 HTTP/1.1")
            #expect(
                Set(head.dropFirst()) == [
                    "Host: 127.0.0.1:\(server.port)", "Accept: */*", "X-One: 1", "X-Empty:",
                    "Content-Length: \(body.count)",
                ])
        }

        @Test(arguments: [("GET", false), ("DELETE", false), ("PUT", true), ("POST", true)])
        func `what changes something says that its body is empty`(method: String, says: Bool) async throws {
            let server = try ScriptedServer(.reply([]))
            _ = try await HTTPClient(.whole(10)).answer(
                to: Self.message(to: server, method: method), by: Self.soon)
            let head = try #require(server.heads.first)
            #expect(head.hasPrefix("\(method) /") && head.contains("Content-Length: 0") == says)
        }

        @Test func `a connection is kept, and closed with the client`() async throws {
            let server = try ScriptedServer(.reply([]))
            var client: HTTPClient? = HTTPClient(.status(short: 10))
            for _ in 0..<3 { _ = try await client?.answer(to: Self.message(to: server), by: Self.soon) }
            #expect(server.requests.count == 3 && Sockets.connectionCount(to: server.port) == 1)
            client = nil
            let end = Self.soon
            while Sockets.connectionCount(to: server.port) > 0, .now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(Sockets.connectionCount(to: server.port) == 0)
        }

        /// A kept connection that the server closes at the next request: what became of it is unknown.
        @Test(arguments: [true, false]) func `only what may arrive twice is sent again`(mayArriveTwice: Bool)
            async throws
        {
            let server = try ScriptedServer(.reply([]))
            let client = HTTPClient(.whole(10))
            let message = Self.message(to: server, mayArriveTwice: mayArriveTwice)
            _ = try await client.answer(to: message, by: Self.soon)
            server.behaviour = .close
            let error = await #expect(throws: HTTPFailure.self) {
                try await client.answer(to: message, by: Self.soon)
            }
            #expect(error?.cause == .breaking && error?.wasSent == true)
            #expect(server.requests.count == (mayArriveTwice ? 3 : 2))
        }

        @Test func `an answer that is waited for delays no other`() async throws {
            let (silent, server) = (try ScriptedServer(.silence), try ScriptedServer(.reply([])))
            let client = HTTPClient(.whole(10))
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        _ = try? await client.answer(to: Self.message(to: silent), by: Self.soon)
                    }
                }
                while silent.requests.count < 50 { try await Task.sleep(for: .milliseconds(5)) }
                for _ in 0..<200 {
                    let answer = try await client.answer(to: Self.message(to: server), by: Self.soon)
                    #expect(answer.status == 200)
                }
                group.cancelAll()
            }
        }

        @Test func `a task that is cancelled ends, before it begins and later`() async throws {
            let server = try ScriptedServer(.silence)
            let client = HTTPClient(.whole(10))
            for waits in [false, true] {
                let task = Task { try await client.answer(to: Self.message(to: server), by: Self.soon) }
                while waits, server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                task.cancel()
                let error = await #expect(throws: HTTPFailure.self) { try await task.value }
                #expect(error?.cause == .cancelled)
            }
        }

        @Test func `a connection that is not made in time was not used`() async throws {
            // The system accepts the connection, and no server answers the TLS handshake.
            let server = try DeafServer()
            let client = HTTPClient(.whole(10), connecting: .milliseconds(300))
            let message = HTTPMessage(
                method: "POST", url: "https://127.0.0.1:\(server.port)/", fields: [], body: [],
                mayArriveTwice: true)
            let error = await #expect(throws: HTTPFailure.self) {
                try await client.answer(to: message, by: Self.soon)
            }
            #expect(error?.cause == .connecting && error?.wasSent == false)
            #expect(error?.reason == "no connection within 0.3 seconds")
        }

        private static let unreachable: [(String, String)] = [
            ("http://127.0.0.1:\((try? Sockets.deadPort()) ?? 1)/", "connecting: Connection refused"),
            ("http://no-such-name.invalid/", "name: the host's name has no address"),
            ("http://127.0.0.1:99999/", "malformed: URL using bad/illegal format or missing URL"),
            ("ftp://127.0.0.1/", "malformed: the request is not one of HTTP"),
            ("http://127.0.0.1/\r\nX: y", "malformed: the request is not one of HTTP"),
        ]

        @Test(arguments: unreachable) func `the reason is told in words`(url: String, words: String)
            async throws
        {
            let message = HTTPMessage(method: "GET", url: url, fields: [], body: [], mayArriveTwice: true)
            let error = await #expect(throws: HTTPFailure.self) {
                try await HTTPClient(.whole(10)).answer(to: message, by: Self.soon)
            }
            #expect(error.map { "\($0.cause): \($0.reason)" } == words && error?.wasSent == false)
        }

        @Test(arguments: ["a\nb", "a\r\nX: y", "a\u{0}b", "a\u{7f}"])
        func `a field cannot begin another line`(value: String) async throws {
            let server = try ScriptedServer(.reply([]))
            let message = Self.message(to: server, fields: [("X", value)])
            let error = await #expect(throws: HTTPFailure.self) {
                try await HTTPClient(.whole(10)).answer(to: message, by: Self.soon)
            }
            #expect(error?.cause == .malformed && server.requests.isEmpty)
        }
    }
#endif
