import CertificateChain
import Foundation
import OCSPResponders
import Testing

/// The transport alone, against servers that misbehave.
@Suite(.ownThreads) struct TransportTests {
    private let request: [UInt8] = Array("a question".utf8)

    private func ask(
        _ url: String, timeout: Duration = .seconds(20), request: [UInt8]? = nil
    ) async -> Result<[UInt8], OCSPHTTPError> {
        do {
            return .success(
                try await HTTPOCSPTransport().response(
                    to: request ?? self.request, from: url, timeout: timeout, maximumBytes: 65_536))
        } catch let error as OCSPHTTPError {
            return .failure(error)
        } catch {
            Issue.record("an error of another kind: \(error)")
            return .failure(.address)
        }
    }

    /// Sends a request to a server with this behaviour. Its connection must be closed afterwards.
    private func ask(
        _ behaviour: ScriptedServer.Behaviour, timeout: Duration = .seconds(20)
    ) async throws -> Result<[UInt8], OCSPHTTPError> {
        let server = try ScriptedServer(behaviour)
        let answer = await ask(server.url, timeout: timeout)
        #expect(Sockets.connectionCount(to: server.port) == 0)
        #expect(server.requests == [request])
        return answer
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `the request is a POST of HTTP/1.0 that names host, types and length`() async throws {
        let server = try ScriptedServer(.reply([1]))
        #expect(await ask("http://127.0.0.1:\(server.port)/a/b?c=d") == .success([1]))
        let lines = try #require(server.heads.first).components(separatedBy: "\r\n")
        #expect(lines.first == "POST /a/b?c=d HTTP/1.0")
        let headers = [
            "Host: 127.0.0.1:\(server.port)", "Content-Type: application/ocsp-request",
            "Accept: application/ocsp-response", "Content-Length: 10",
        ]
        #expect(Set(lines.dropFirst().filter { !$0.isEmpty }) == Set(headers))
    }

    @Test func `the body ends at its stated length, or with the connection`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/ocsp-response\r\n"
        for (text, answer) in [
            (head + "Content-Length: 4\r\n\r\nbody", "body"), (head + "\r\nbody", "body"),
            (head + "\r\n", ""),
            (head + "Content-Length: 2\r\n\r\nbody", "bo"), ("HTTP/1.0 200 OK\n\nbody", "body"),
            // A request of HTTP/1.0 gets no chunked response. If chunks come, they are taken as content,
            // which is not DER.
            (head + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", "4\r\nbody\r\n0\r\n\r\n"),
        ] {
            #expect(try await ask(.bytes(bytes(text))) == .success(bytes(answer)), "\(text)")
        }
        #expect(
            try await ask(.bytes(bytes(head + "Content-Length: 9\r\n\r\nbody")))
                == .failure(.cutShort(bytes: 4, stated: 9)))
    }

    /// With a connection that a process of another test has inherited, the end would come when that process ends.
    @Test func `a body without a length ends with a connection that no other process has`() async throws {
        let inner = try ScriptedServer(.bytes(bytes("HTTP/1.0 200 OK\n\nbody")))
        let gate = Gate()
        let server = try ScriptedServer(.held(gate, inner.port))
        async let result = ask(server.url)
        try await eventually { server.requests.count == 1 }
        #expect(Sockets.sockets(ofServer: server.port) == (all: 2, inherited: 0))
        gate.open()
        #expect(await result == .success(bytes("body")))
    }

    @Test func `an answer in pieces is joined, wherever it is divided`() async throws {
        let answer = bytes("HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 4\r\n\r\nbody")
        #expect(try await ask(.pieces(answer.map { [$0] }, interval: 1)) == .success(bytes("body")))
        let lines = [Array(answer[..<20]), Array(answer[20..<40]), Array(answer[40...])]
        #expect(try await ask(.pieces(lines, interval: 200)) == .success(bytes("body")))
    }

    @Test func `an answer with another status is refused with its number`() async throws {
        for status in [100, 204, 301, 302, 307, 400, 404, 500, 503] {
            #expect(try await ask(.reply([1, 2, 3], status: status)) == .failure(.status(status)))
        }
    }

    @Test func `a redirection is not followed`() async throws {
        let elsewhere = try ScriptedServer(.reply([1]))
        for status in [301, 302, 303, 307, 308] {
            let headers = "Location: \(elsewhere.url)\r\n"
            #expect(try await ask(.reply([], status: status, headers: headers)) == .failure(.status(status)))
        }
        #expect(elsewhere.requests.isEmpty)
    }

    @Test func `a head that is endless, too long or malformed is refused`() async throws {
        let head = bytes("HTTP/1.1 200 OK\r\n")
        let isHead = { (answer: Result<[UInt8], OCSPHTTPError>) in
            if case .failure(.head) = answer { true } else { false }
        }
        #expect(isHead(try await ask(.endless(head, bytes("X-Header: 1\r\n")))))
        #expect(isHead(try await ask(.endless(head, bytes("x")))))
        #expect(isHead(try await ask(.endless([], [0]))))
        for text in ["", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\nServer:", "garbage\r\n\r\n", "\n\n"] {
            #expect(isHead(try await ask(.bytes(bytes(text)))), "\(text)")
        }
    }

    @Test func `a body beyond the limit is refused`() async throws {
        let head = "HTTP/1.1 200 OK\r\n"
        let endless = try await ask(.endless(bytes(head + "\r\n"), [UInt8](repeating: 7, count: 65_536)))
        #expect(endless == .failure(.tooLong(limit: 65_536)))
        for length in ["65537", "1073741824", "99999999999999999999", "-1", "x", "5x"] {
            let answer = try await ask(
                .endless(
                    bytes(head + "Content-Length: \(length)\r\n\r\n"), [UInt8](repeating: 7, count: 4_096)))
            guard case .failure(.head) = answer else {
                Issue.record("\(length): \(answer)")
                continue
            }
        }
        let longest = [UInt8](repeating: 7, count: 65_536)
        #expect(try await ask(.reply(longest)) == .success(longest))
        #expect(try await ask(.bytes(bytes(head + "\r\n") + longest)) == .success(longest))
    }

    @Test func `the whole exchange ends within its timeout, for every kind of slow server`() async throws {
        let head = bytes("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        let wasteful: [ScriptedServer.Behaviour] = [
            .silence, .drip([UInt8](repeating: 1, count: 1_000), interval: 100),
            .pieces(head.map { [$0] }, interval: 100),
        ]
        for behaviour in wasteful {
            let (answer, time) = try await timed { try await ask(behaviour, timeout: .seconds(1)) }
            #expect(answer == .failure(.timeout))
            #expect(time >= .seconds(1) && time < .seconds(10), "\(time)")
        }
    }

    @Test func `a request to a server that never reads ends at its timeout`() async throws {
        let server = try DeafServer()
        // The body is larger than the system's buffers, so that sending blocks.
        for request in [self.request, [UInt8](repeating: 1, count: 30_000_000)] {
            let (answer, time) = await timed {
                await ask(server.url, timeout: .milliseconds(300), request: request)
            }
            #expect(answer == .failure(.timeout))
            #expect(time < .seconds(5), "\(time)")
        }
        #expect(Sockets.connectionCount(to: server.port) == 0)
    }

    @Test func `a refused connection fails at once`() async throws {
        let (answer, time) = try await timed { await ask("http://127.0.0.1:\(try Sockets.deadPort())/") }
        guard case .failure(.connection(let reason)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reason == "no connection: Connection refused")
        #expect(time < .seconds(5), "\(time)")
    }

    @Test func `a host name without an address is an error with that reason`() async throws {
        guard case .failure(.name) = await ask("http://responder.invalid/") else {
            Issue.record("responder.invalid has an address")
            return
        }
    }

    @Test func `each address of a host name is tried`() async throws {
        // The server listens only on 127.0.0.1. The name may give ::1 first.
        let server = try ScriptedServer(.reply([1]))
        #expect(await ask("http://localhost:\(server.port)/") == .success([1]))
    }

    @Test func `a task that is cancelled ends soon`() async throws {
        let server = try ScriptedServer(.silence)
        let task = Task(executorPreference: ThreadExecutor()) { await ask(server.url, timeout: .seconds(60)) }
        try await eventually { !server.requests.isEmpty }
        let (answer, time) = await timed {
            task.cancel()
            return await task.value
        }
        #expect(answer == .failure(.cancelled))
        #expect(time < .seconds(5), "\(time)")
        try await eventually { Sockets.connectionCount(to: server.port) == 0 }
    }

    @Test func `a peer that closes before the request is written raises no signal`() async throws {
        let server = try DeafServer()
        let wasRaised = await withTaskExecutorPreference(ThreadExecutor()) {
            Thread.detachNewThread { server.closeNextConnection() }
            BrokenPipes.block()
            let answer = await ask(server.url, request: [UInt8](repeating: 1, count: 30_000_000))
            guard case .failure(.connection) = answer else {
                Issue.record("\(answer)")
                return true
            }
            return BrokenPipes.wasRaised
        }
        #expect(!wasRaised)
        // This proves that the test can detect a signal.
        let control = await withTaskExecutorPreference(ThreadExecutor()) {
            BrokenPipes.block()
            BrokenPipes.writeIntoBrokenPipe()
            return BrokenPipes.wasRaised
        }
        #expect(control)
    }

    @Test func `an https responder is not asked`() async throws {
        let server = try ScriptedServer(.reply([1]))
        let answer = await ask("https://127.0.0.1:\(server.port)/ocsp")
        #expect(answer == .failure(.scheme("https")))
        #expect(
            "\(OCSPHTTPError.scheme("https"))"
                == "the scheme is https, and responders are asked over http alone")
        #expect(server.requests.isEmpty)
    }

    @Test func `an invalid address is refused before a socket is opened`() async throws {
        let server = try ScriptedServer(.reply([1]))
        let port = server.port
        let addresses = [
            "", "http", "http:", "http:/", "http://", "http:///", "http://:\(port)/",
            "ftp://127.0.0.1:\(port)/",
            "127.0.0.1:\(port)/", " http://127.0.0.1:\(port)/", "http://user@127.0.0.1:\(port)/",
            "http://user:secret@127.0.0.1:\(port)/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/",
            "http://127.0.0.1:99999999999999999999/", "http://127.0.0.1:/", "http://127.0.0.1:+\(port)/",
            "http://127.0.0.1:-1/", "http://127.0.0.1:port/", "http://127.0.0.1:\(port):\(port)/",
            "http://127.0.0.1:\(port)/a b", "http://127.0.0.1:\(port)/\r\nX-Header:1",
            "http://127.0.0.1:\(port)/\n",
            "http://127.0.0.1\r\n:\(port)/", "http://127.0.0.1:\(port)/\t", "http://127.0.0.1:\(port)/\u{0}",
            "http://127.0.0.1:\(port)/é", "http://127.0.0.1:\(port)/#fragment",
            "http://127.0.0.1%00:\(port)/",
            "http://[::1", "http://[::1]\(port)/", "http://[]/", "http://[127.0.0.1]:\(port)/", "http://::1/",
            "http://[::1%25lo]/", "http://127.0.0.1:\(port)/" + String(repeating: "a", count: 256),
        ]
        for address in addresses { #expect(await ask(address) == .failure(.address), "\(address)") }
        #expect(server.requests.isEmpty)
        for address in [
            "HTTP://127.0.0.1:\(port)", "http://127.0.0.1:\(port)?a=b", "http://127.0.0.1:0\(port)/",
        ] {
            #expect(await ask(address) == .success([1]), "\(address)")
        }
    }

    @Test func `two hundred requests at once are all answered, and leave no descriptor open`() async throws {
        let server = try ScriptedServer(.reply([1, 2, 3]))
        let silent = try ScriptedServer(.silence)
        let (good, late) = await withTaskGroup(of: Result<[UInt8], OCSPHTTPError>.self) { group in
            let executor = ThreadExecutor()
            for _ in 0..<100 {
                group.addTask(executorPreference: executor) { await ask(server.url) }
                group.addTask(executorPreference: executor) {
                    await ask(silent.url, timeout: .milliseconds(500))
                }
            }
            return await group.reduce(into: (0, 0)) { counts, answer in
                if answer == .success([1, 2, 3]) { counts.0 += 1 }
                if answer == .failure(.timeout) { counts.1 += 1 }
            }
        }
        #expect(good == 100 && late == 100)
        #expect(Sockets.connectionCount(to: server.port) == 0)
        #expect(Sockets.connectionCount(to: silent.port) == 0)
    }

    /// The closure's value, and how long it took.
    private func timed<Value>(
        _ body: () async throws -> Value
    ) async rethrows -> (value: Value, time: Duration) {
        let start = ContinuousClock.now
        let value = try await body()
        return (value, start.duration(to: .now))
    }
}
