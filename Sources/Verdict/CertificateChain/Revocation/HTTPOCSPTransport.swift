internal import Libcrypto
internal import Platform

/// Asks OCSP responders over HTTP (RFC 6960, appendix A.1).
///
/// OpenSSL's HTTP client writes the request and reads the head of the answer. The connection is a socket of
/// this library's, for two reasons: one time-out holds for the whole exchange, and a peer that closes raises
/// no SIGPIPE.
///
/// - Only `http` is spoken. Answers are signed, so that TLS would add no trust. Apple's responders all use
///   `http`.
/// - Redirections are not followed, and no request is sent twice.
/// - No proxy is used, and no environment variable (`http_proxy`, `no_proxy`) is read.
/// - An answer may have 64 KiB, and its head 16 KiB.
public struct HTTPOCSPTransport: OCSPTransport {
    let libcrypto = BackgroundLibcrypto()

    /// Makes a transport. It holds no connection between two requests.
    public init() {}

    /// Sends a request and waits for the answer.
    ///
    /// This keeps its thread. `RevocationChecker` calls it on a thread of its own; call it on no thread that
    /// Swift's tasks share. A name is looked up by the system's resolver, which may take longer than the
    /// time-out; the request then fails when the resolver has ended.
    ///
    /// - Throws: `OCSPHTTPError`.
    public func response(
        to request: [UInt8], from url: String, timeout: Duration, maximumBytes: Int
    ) async throws -> [UInt8] {
        let deadline = Deadline(after: timeout)
        let address = try ResponderAddress(url)
        let post = HTTPPost(
            host: address.hostHeader, path: address.path, contentType: "application/ocsp-request",
            acceptedType: "application/ocsp-response", body: request, maximumBytes: maximumBytes)
        let message = try inLibcrypto { () throws(LibcryptoError) in try post.message() }
        let connection = try Self.send(message, to: address, within: deadline)
        return try answer(to: post, on: connection, maximumBytes: maximumBytes, within: deadline)
    }

    private static func send(
        _ message: [UInt8], to address: ResponderAddress, within deadline: Deadline
    ) throws(OCSPHTTPError) -> TCPConnection {
        do throws(ConnectionError) {
            let connection = try TCPConnection.open(host: address.host, port: address.port, within: deadline)
            try connection.sendAll(message, within: deadline)
            return connection
        } catch {
            throw OCSPHTTPError(error)
        }
    }

    private func answer(
        to post: HTTPPost, on connection: borrowing TCPConnection, maximumBytes: Int,
        within deadline: Deadline
    ) throws(OCSPHTTPError) -> [UInt8] {
        var bytes: [UInt8] = []
        var head = HTTPHead()
        while !head.isComplete(bytes) {
            guard bytes.count < HTTPPost.headBytes else {
                throw .head("its head is longer than \(HTTPPost.headBytes) bytes")
            }
            let room = HTTPPost.headBytes - bytes.count
            guard try connection.read(into: &bytes, maximum: room, within: deadline) else {
                throw .head("the connection ended before the end of its head")
            }
        }
        let (start, status) = (Array(bytes[..<head.count]), HTTPHead.status(of: bytes))
        if let status, status != 200 { throw .status(status) }
        let length = try inLibcrypto { () throws(LibcryptoError) in try post.contentLength(inHead: start) }
        var body = Array(bytes[head.count...])
        // Without a stated length, the body ends with the connection (RFC 9112, section 6.3).
        let end = length ?? maximumBytes + 1
        while body.count < end {
            guard try connection.read(into: &body, maximum: end - body.count, within: deadline) else {
                break
            }
        }
        guard body.count <= maximumBytes || length != nil else { throw .tooLong(limit: maximumBytes) }
        if let length, body.count < length { throw .cutShort(bytes: body.count, stated: length) }
        return Array(body.prefix(end))
    }

    /// Calls libcrypto, one caller at a time.
    private func inLibcrypto<Value>(
        _ body: () throws(LibcryptoError) -> Value
    ) throws(OCSPHTTPError) -> Value {
        try libcrypto.run(orIfClosed: .closed) {
            Result(catching: body).mapError { OCSPHTTPError.head($0.description) }
        }
        .get()
    }
}

extension TCPConnection {
    /// Waits for bytes, and appends at most `maximum` of them. False at the end of the connection.
    fileprivate func read(
        into bytes: inout [UInt8], maximum: Int, within deadline: Deadline
    ) throws(OCSPHTTPError) -> Bool {
        do throws(ConnectionError) {
            return try receive(into: &bytes, maximum: maximum, within: deadline)
        } catch {
            throw OCSPHTTPError(error)
        }
    }
}

extension OCSPHTTPError {
    fileprivate init(_ error: ConnectionError) {
        self =
            switch error {
            case .name(let reason): .name(reason)
            case .call(let action, let reason): .connection("\(action): \(reason)")
            case .timeout: .timeout
            case .cancelled: .cancelled
            }
    }
}

/// Finds the end of an answer's head while its bytes arrive.
struct HTTPHead {
    /// The bytes up to and including the first empty line, once the head is complete.
    private(set) var count = 0
    /// The bytes in which no empty line begins.
    private var searched = 0

    /// Whether the bytes hold a whole head. Each call gets the bytes of the call before, and more behind
    /// them.
    ///
    /// A line ends with LF, or CR and LF (RFC 9112, section 2.2).
    mutating func isComplete(_ bytes: [UInt8]) -> Bool {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        while let end = bytes[searched...].firstIndex(of: lineFeed) {
            var next = end + 1
            if next < bytes.count, bytes[next] == carriageReturn { next += 1 }
            guard next < bytes.count else {
                // The rest of the line is still to come.
                searched = end
                return false
            }
            if bytes[next] == lineFeed {
                count = next + 1
                return true
            }
            searched = end + 1
        }
        searched = bytes.count
        return false
    }

    /// The status of an answer that begins with `HTTP/1.x`, a space and three digits, for a message.
    static func status(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 12, bytes.starts(with: Array("HTTP/1.".utf8)), bytes[8] == UInt8(ascii: " ")
        else {
            return nil
        }
        return Int(String(decoding: bytes[9..<12], as: UTF8.self))
    }
}
