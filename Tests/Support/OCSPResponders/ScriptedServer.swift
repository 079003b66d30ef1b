internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A server on loopback that counts requests and treats them as a test says. The test may change this at any
/// time.
package final class ScriptedServer: Sendable {
    /// What to do with a request.
    package enum Behaviour: Sendable {
        /// Pass it to another server on this machine, and pass its answer back after this many milliseconds.
        case forward(UInt16, delay: Int = 0)
        /// The same, when the gate is open.
        case held(Gate, UInt16)
        /// Answer with this body and this HTTP status.
        case reply([UInt8], status: Int = 200, headers: String = "")
        /// Answer with these bytes instead of HTTP.
        case bytes([UInt8])
        /// Answer with the body byte by byte, with this many milliseconds between bytes.
        case drip([UInt8], interval: Int)
        /// Answer with these pieces instead of HTTP, with this many milliseconds between them.
        case pieces([[UInt8]], interval: Int)
        /// Answer with the beginning, then repeat the other bytes until the client closes the connection.
        case endless([UInt8], [UInt8])
        /// Answer with these bytes, and keep the connection open.
        case stall([UInt8])
        /// Send nothing, and keep the connection open.
        case silence
        /// Close the connection.
        case close
    }

    /// The port on which it listens.
    package let port: UInt16
    private let listener: Int32
    private let state: Mutex<State>

    private struct State {
        var behaviour: Behaviour
        var requests: [[UInt8]] = []
        var heads: [String] = []
        var isStopped = false
    }

    /// Starts a server.
    package init(_ behaviour: Behaviour) throws {
        (listener, port) = try Sockets.listen()
        state = Mutex(State(behaviour: behaviour))
        let listener = listener
        Thread.detachNewThread { [weak self] in
            // Only this thread closes the listener. Otherwise another server could get its number while it
            // accepts.
            defer { Sockets.close(listener) }
            while true {
                let connection = Sockets.accept(listener)
                guard connection >= 0 else { return }
                guard let server = self else {
                    Sockets.close(connection)
                    return
                }
                Thread.detachNewThread { server.serve(connection) }
            }
        }
    }

    deinit { Sockets.endAccepting(on: listener) }

    /// The server's address, as a certificate names it.
    package var url: String { "http://127.0.0.1:\(port)/ocsp" }

    /// How requests are treated.
    package var behaviour: Behaviour {
        get { state.withLock(\.behaviour) }
        set { state.withLock { $0.behaviour = newValue } }
    }

    /// The bodies of the requests received.
    package var requests: [[UInt8]] { state.withLock(\.requests) }

    /// The heads of the requests received: the request line and the headers.
    package var heads: [String] { state.withLock(\.heads) }

    private func serve(_ connection: Int32) {
        defer { Sockets.close(connection) }
        // One connection may carry several requests, unless they are of HTTP/1.0 (RFC 9112, section 9.3).
        while let request = HTTPMessage.read(from: connection) {
            let behaviour = state.withLock { state in
                state.requests.append(request.body)
                state.heads.append(
                    String(decoding: request.bytes.dropLast(request.body.count), as: UTF8.self))
                return state.behaviour
            }
            guard answer(request, on: connection, behaviour), request.isPersistent else { return }
        }
    }

    /// Whether the connection can be used for another request.
    private func answer(_ request: HTTPMessage, on connection: Int32, _ behaviour: Behaviour) -> Bool {
        switch behaviour {
        case .forward(let port, let delay):
            Thread.sleep(forTimeInterval: Double(delay) / 1000)
            guard let answer = Sockets.exchange(request.bytes, with: port) else { return false }
            Sockets.send(answer, to: connection)
            return false
        case .held(let gate, let port):
            gate.wait()
            return self.answer(request, on: connection, .forward(port))
        case .reply(let body, let status, let headers):
            Sockets.send(HTTPMessage.response(body, status: status, headers: headers), to: connection)
            return true
        case .bytes(let bytes):
            Sockets.send(bytes, to: connection)
            return false
        case .drip(let body, let interval):
            Sockets.send(HTTPMessage.response([], count: body.count), to: connection)
            for byte in body {
                Thread.sleep(forTimeInterval: Double(interval) / 1000)
                guard Sockets.send([byte], to: connection) else { return false }
            }
            return true
        case .pieces(let pieces, let interval):
            for piece in pieces {
                Thread.sleep(forTimeInterval: Double(interval) / 1000)
                guard Sockets.send(piece, to: connection) else { return false }
            }
            return false
        case .endless(let beginning, let bytes):
            Sockets.send(beginning, to: connection)
            while Sockets.send(bytes, to: connection) {}
            return false
        case .stall(let bytes): return Sockets.send(bytes, to: connection)
        case .silence:
            // The loop ends when the other side closes the connection.
            return !Sockets.receive(from: connection).isEmpty
        case .close: return false
        }
    }
}

/// Blocks threads until it is opened.
package final class Gate: Sendable {
    private let group = DispatchGroup()

    package init() { group.enter() }

    /// Opens the gate for all threads, now and later. Call this only once.
    package func open() { group.leave() }

    func wait() { group.wait() }
}

/// An HTTP/1 message with a body of stated length.
struct HTTPMessage {
    let bytes: [UInt8]
    let body: [UInt8]
    /// Whether another request may follow on the connection.
    let isPersistent: Bool

    /// The next message on a connection; `nil` at its end.
    static func read(from connection: Int32) -> HTTPMessage? {
        var bytes: [UInt8] = []
        while true {
            if let message = HTTPMessage(bytes) { return message }
            let more = Sockets.receive(from: connection)
            guard !more.isEmpty else { return nil }
            bytes += more
        }
    }

    private init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let count = length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        let headCount = text[..<end.upperBound].utf8.count
        guard bytes.count >= headCount + count else { return nil }
        self.bytes = Array(bytes[..<(headCount + count)])
        body = Array(bytes[headCount..<(headCount + count)])
        isPersistent = head.prefix { $0 != "\r\n" }.hasSuffix("http/1.1")
    }

    static func response(_ body: [UInt8], status: Int = 200, headers: String = "", count: Int? = nil)
        -> [UInt8]
    {
        let head =
            "HTTP/1.1 \(status) Scripted\r\nContent-Type: application/ocsp-response\r\n\(headers)"
            + "Content-Length: \(count ?? body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
