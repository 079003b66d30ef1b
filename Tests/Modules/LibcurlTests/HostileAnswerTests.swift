#if SQLite || ServerAPI
    import Libcurl
    import OCSPResponders
    import Testing

    /// A server may answer anything. Each answer here ends one request with one result, and nothing else.
    @Suite struct HostileAnswerTests {
        /// An answer, and what becomes of the request.
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let behaviour: ScriptedServer.Behaviour
            /// A status, or a cause and its words.
            let expected: String
            /// What a client expects that reads bodies; `nil` for the same.
            let ofWhole: String?
            /// Whether the answer never ends by itself.
            let isEndless: Bool

            init(
                _ name: String, _ behaviour: ScriptedServer.Behaviour, _ expected: String,
                ofWhole: String? = nil
            ) {
                (testDescription, self.behaviour) = (name, behaviour)
                (self.expected, self.ofWhole) = (expected, ofWhole)
                isEndless = (ofWhole ?? expected).hasPrefix("deadline")
            }
        }

        private static let late = "deadline: no answer before the deadline"
        private static let noHTTP = "unreadable: the answer is not HTTP/1.1"
        private static let longHead = "unreadable: the head of the answer is longer than 64 KiB"
        private static let longLine = "unreadable: a line of the answer's head is too long"
        private static let longBody = "tooLong(limit: 100000): the answer is longer than 100000 bytes"
        private static let cut = "breaking: the connection was closed within the answer"
        private static let broken = "breaking: the connection broke within the answer"
        private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        private static let away = "Location: http://127.0.0.1:1/\r\n"

        private static func bytes(_ text: String) -> ScriptedServer.Behaviour { .bytes(Array(text.utf8)) }

        private static func stall(_ text: String) -> ScriptedServer.Behaviour { .stall(Array(text.utf8)) }

        /// - Parameter count: how often the second text comes in one piece.
        private static func endless(
            _ text: String, _ more: String, times count: Int = 1
        ) -> ScriptedServer.Behaviour {
            .endless(Array(text.utf8), Array(String(repeating: more, count: count).utf8))
        }

        private static func answer(_ status: String, _ fields: String = "") -> ScriptedServer.Behaviour {
            bytes("HTTP/1.1 \(status)\r\n\(fields)Content-Length: 0\r\n\r\n")
        }

        /// RFC 9110, section 15.2: an interim answer is followed by the final one.
        private static let interim = [
            Case(
                "100, then 301",
                bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 301 R\r\n\(away)Content-Length: 0\r\n\r\n"),
                "301"),
            Case(
                "103, then 301",
                bytes("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 301 R\r\n\(away)Content-Length: 0\r\n\r\n"), "301"),
            Case("100, then 200", bytes("HTTP/1.1 100 Continue\r\n\r\n" + ok), "200"),
            Case("103 with a field, then 200", bytes("HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n" + ok), "200"),
            Case("199, then 200", bytes("HTTP/1.1 199 X\r\n\r\n" + ok), "200"),
            Case(
                "fifty times 100, then 200",
                bytes(String(repeating: "HTTP/1.1 100 C\r\n\r\n", count: 50) + ok), "200"),
            Case("100 for ever", endless("", "HTTP/1.1 100 Continue\r\n\r\n", times: 100), longHead),
            Case("100, and nothing", stall("HTTP/1.1 100 Continue\r\n\r\n"), late),
            Case(
                "101", stall("HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx"), "101",
                ofWhole: late),
        ]

        private static let redirects = [
            Case(
                "a trailer that redirects",
                bytes(
                    "HTTP/1.1 301 R\r\n\(away)Transfer-Encoding: chunked\r\nTrailer: Location\r\n\r\n1\r\nx\r\n0\r\n\(away)\r\n"
                ), "301"),
            Case("a trailer of 200 that redirects", bytes(chunked + "1\r\nx\r\n0\r\n\(away)\r\n"), "200"),
            Case("a redirect to a file", answer("307 R", "Location: file:///etc/passwd\r\n"), "307"),
            Case(
                "a redirect to a cloud's metadata", answer("302 R", "Location: http://169.254.169.254/\r\n"),
                "302"),
            Case(
                "a password is asked for", answer("401 N", "WWW-Authenticate: Basic realm=\"x\"\r\n"), "401"),
            Case("a ticket is asked for", answer("401 N", "WWW-Authenticate: Negotiate\r\n"), "401"),
        ]

        private static let heads = [
            Case(
                "fields for ever",
                endless("HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", times: 50), longHead),
            Case("a field without end", endless("HTTP/1.1 200 OK\r\nX: ", "a", times: 4096), longLine),
            Case("a status line without end", endless("HTTP/1.1 200 ", "a", times: 4096), longLine),
            Case("half a head", bytes("HTTP/1.1 200 OK\r\nContent-Le"), cut),
            Case("half a head, and nothing", stall("HTTP/1.1 200 OK\r\nContent-Le"), late),
            Case(
                "a head byte by byte",
                .pieces(
                    Array("HTTP/1.1 200 OK\r\n".utf8).map { [$0] } + Array(repeating: [0x61], count: 10_000),
                    interval: 10), late),
            Case(
                "a thousand cookies", answer("200 OK", String(repeating: "Set-Cookie: a=b\r\n", count: 1000)),
                "200"),
            Case(
                "a line without a colon", answer("200 OK", "no colon\r\n"), "unreadable: Header without colon"
            ),
            Case("a zero byte", answer("200 OK", "X: a\u{0}b\r\n"), "unreadable: Nul byte in header"),
            Case("a folded field", answer("200 OK", "X: a\r\n b\r\n"), "200"),
            Case("line feeds alone", bytes("HTTP/1.1 200 OK\nContent-Length: 0\n\n"), "200"),
            Case("status 99", answer("99 X"), noHTTP), Case("status 2000", answer("2000 X"), noHTTP),
            Case("no number", answer("abc X"), noHTTP), Case("status 999", answer("999 X"), "999"),
        ]

        private static let bodies = [
            Case("no length", bytes("HTTP/1.1 200 OK\r\n\r\nhello"), "200"),
            Case("no length, and no end", stall("HTTP/1.1 200 OK\r\n\r\nhello"), "200", ofWhole: late),
            Case("fewer bytes than stated", bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), cut),
            Case(
                "more bytes than stated", bytes("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"), "200"),
            Case("fewer bytes, and nothing", stall("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), late),
            Case(
                "two lengths",
                bytes("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"), "200"),
            Case(
                "a negative length", bytes("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n"),
                "unreadable: Invalid Content-Length: value"),
            Case(
                "a length beyond numbers",
                bytes("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nabc"), "200"),
            Case(
                "a length, and chunks",
                bytes(
                    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                ), "200"),
            Case(
                "a body without end",
                endless("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "x", times: 65_536), "200",
                ofWhole: longBody),
            Case(
                "chunks without end", endless(chunked, "400\r\n\(String(repeating: "x", count: 1024))\r\n"),
                "200", ofWhole: longBody),
            Case("a wrong chunk", bytes(chunked + "zz\r\nx\r\n"), "200", ofWhole: broken),
            Case("an unknown coding", bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: snail\r\n\r\nxx"), "200"),
            Case(
                "trailers without end",
                endless(chunked + "1\r\nx\r\n0\r\n", "X: \(String(repeating: "y", count: 1000))\r\n"), "200",
                ofWhole: longHead),
            Case(
                "a bomb of gzip",
                endless(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\u{1f}\u{8b}\u{8}", "\u{0}",
                    times: 65_536), "200", ofWhole: longBody),
            Case("204 with a body", bytes("HTTP/1.1 204 N\r\nContent-Length: 5\r\n\r\nhello"), "204"),
            Case("304 without an end", stall("HTTP/1.1 304 N\r\n\r\n"), "304"),
            Case("two answers", bytes(ok + "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n"), "200"),
        ]

        private static let others = [
            Case("nothing", .close, "breaking: the connection was closed without an answer"),
            Case("nothing, for ever", .silence, late),
            Case("the preface of HTTP/2", bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), noHTTP),
            Case("a frame of HTTP/2", .stall([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0x64]), noHTTP),
            Case("HTTP/9.9", bytes("HTTP/9.9 200 OK\r\n\r\n"), noHTTP),
            Case("HTTP/0.9", bytes("hello\n"), noHTTP),
            Case("SSH", stall("SSH-2.0-OpenSSH_9.2\r\n"), noHTTP),
            Case("an alert of TLS", .bytes([0x15, 3, 1, 0, 2, 2, 0x46]), noHTTP),
            Case("zeros for ever", endless("", "\u{0}", times: 4096), noHTTP),
            Case("empty lines for ever", endless("", "\r\n", times: 4096), noHTTP),
        ]

        static let cases = interim + redirects + heads + bodies + others

        @Test(arguments: cases) func `of any answer, the status counts or the reason is told`(
            _ value: Case
        ) async throws {
            let found = try await result(value, .status(short: 65_536))
            #expect(found == value.expected)
        }

        @Test(arguments: cases) func `an answer is read as a whole, within its bound`(_ value: Case)
            async throws
        {
            let found = try await result(value, .whole(100_000))
            #expect(found == value.ofWhole ?? value.expected)
        }

        private func result(_ value: Case, _ limit: AnswerLimit) async throws -> String {
            let server = try ScriptedServer(value.behaviour)
            let message = HTTPMessage(
                method: "POST", url: "http://127.0.0.1:\(server.port)/", fields: [], body: [0x78],
                mayArriveTwice: true)
            // Whatever else this machine does, an answer that ends is there by then.
            let time = value.isEndless ? Duration.milliseconds(500) : .seconds(60)
            do throws(HTTPFailure) {
                let answer = try await HTTPClient(limit).answer(to: message, by: .now + time)
                #expect(server.requests == [[0x78]])
                return "\(answer.status)"
            } catch {
                return "\(error.cause): \(error.reason)"
            }
        }
    }
#endif
