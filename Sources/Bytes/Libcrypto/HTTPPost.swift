internal import CLibcrypto

/// An HTTP `POST` request, which OpenSSL's HTTP client writes, and whose answer's head it reads.
///
/// The client gets no socket: it writes into memory and reads from memory, and the caller moves the bytes.
/// With a socket of its own, OpenSSL 3.0 would lose the first half of a line that arrives in two packets,
/// wait with `select(2)`, which cannot watch a descriptor above 1023, and raise SIGPIPE where the peer has
/// closed. A client that got its connection from the caller does not read the environment's proxy variables
/// either.
package struct HTTPPost: Sendable {
    /// The longest head of an answer. Genuine heads have less than 1000 bytes.
    package static let headBytes = 16_384

    private let host: String
    private let path: String
    private let contentType: String
    private let acceptedType: String
    private let body: [UInt8]
    private let maximumBytes: Int

    /// Describes a request. Nothing is escaped: the caller has checked that no text holds spaces or control
    /// characters.
    ///
    /// - Parameters:
    ///   - host: the value of the header `Host`.
    ///   - path: the path with its query; begins with a slash.
    ///   - contentType: the media type of the body.
    ///   - acceptedType: the media type of the answer, for the header `Accept`.
    ///   - body: the bytes to send.
    ///   - maximumBytes: the longest body of an answer.
    package init(
        host: String, path: String, contentType: String, acceptedType: String, body: [UInt8],
        maximumBytes: Int
    ) {
        self.host = host
        self.path = path
        self.contentType = contentType
        self.acceptedType = acceptedType
        self.body = body
        self.maximumBytes = maximumBytes
    }

    /// The bytes to send: an HTTP/1.0 request, so that the answer is neither chunked nor followed by another.
    ///
    /// - Throws: only if there is no memory, or OpenSSL refuses the request's texts.
    package func message() throws(LibcryptoError) -> [UInt8] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return try client().written
    }

    /// Reads the head of the answer, which must have the status 200.
    ///
    /// - Parameter head: the answer up to and including its first empty line.
    /// - Returns: the length that the header `Content-Length` states; `nil` where it states none, or 0.
    /// - Throws: the reason why OpenSSL refuses the head: another status, a redirection, or a stated length beyond
    ///   `maximumBytes`.
    package func contentLength(inHead head: [UInt8]) throws(LibcryptoError) -> Int? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return try client().contentLength(inHead: head)
    }

    /// A client of OpenSSL's that has written the request.
    ///
    /// Each step makes a client anew, so that nothing of OpenSSL's has to live between writing and reading.
    private func client() throws(LibcryptoError) -> HTTPClient {
        let client = try HTTPClient(pipe: BIOPair(sendBytes: body.count + 4096, receiveBytes: Self.headBytes))
        try client.setRequest(
            path: path, contentType: contentType, body: body, maximumBytes: maximumBytes,
            headers: [("Host", host), ("Accept", acceptedType)])
        return client
    }
}

/// Owns one `OSSL_HTTP_REQ_CTX`, and the pipe that it writes to and reads from.
@safe
private struct HTTPClient: ~Copyable {
    private let pointer: OpaquePointer
    private let pipe: BIOPair

    // The context refers to the pipe's near end, which was passed to it and which it does not free.
    deinit { unsafe OSSL_HTTP_REQ_CTX_free(pointer) }

    init(pipe: consuming BIOPair) throws(LibcryptoError) {
        // Without server, proxy, TLS and time-out: the connection is given, so these do not concern the client.
        guard
            let pointer = unsafe OSSL_HTTP_open(
                nil, nil, nil, nil, 0, pipe.near, pipe.near, nil, nil, 0, 0)
        else { throw LibcryptoError("making an HTTP client") }
        unsafe self.pointer = pointer
        self.pipe = pipe
    }

    func setRequest(
        path: String, contentType: String, body: [UInt8], maximumBytes: Int, headers: [(String, String)]
    ) throws(LibcryptoError) {
        guard let source = unsafe BIO_new(BIO_s_mem()) else { throw LibcryptoError("making an HTTP request") }
        // The client counts a reference of its own.
        defer { unsafe BIO_free(source) }
        let count = Int32(clamping: body.count)
        // The last 0 stands for a connection that ends with the answer; the one before for no time-out.
        guard unsafe BIO_write(source, body, count) == count,
            unsafe OSSL_HTTP_set1_request(
                pointer, path, nil, contentType, source, nil, 0, maximumBytes, 0, 0) == 1
        else { throw LibcryptoError("making an HTTP request") }
        for (name, value) in headers {
            guard unsafe OSSL_HTTP_REQ_CTX_add1_header(pointer, name, value) == 1 else {
                throw LibcryptoError("making an HTTP request")
            }
        }
        // The client writes all of the request. It then finds no answer, and -1 asks for another call.
        guard unsafe OSSL_HTTP_REQ_CTX_nbio(pointer) == -1 else {
            throw LibcryptoError("writing an HTTP request")
        }
    }

    /// The request.
    ///
    /// The pipe's far end is read at once: `sendBytes` has room for the whole request.
    var written: [UInt8] { pipe.written }

    func contentLength(inHead head: [UInt8]) throws(LibcryptoError) -> Int? {
        // Bytes that remain in the pipe would belong to the body: OpenSSL must end the head where the caller
        // did.
        guard pipe.deliver(head), unsafe OSSL_HTTP_REQ_CTX_nbio(pointer) == 1, pipe.isReadToEnd else {
            throw LibcryptoError("the head of the answer")
        }
        let length = unsafe OSSL_HTTP_REQ_CTX_get_resp_len(pointer)
        return length == 0 ? nil : Int(clamping: length)
    }
}

/// Two ends of a pipe in memory; owns both.
@safe
private struct BIOPair: ~Copyable {
    /// The client's end.
    let near: OpaquePointer
    /// Our end.
    private let far: OpaquePointer
    private let sendBytes: Int

    deinit {
        unsafe BIO_free(near)
        unsafe BIO_free(far)
    }

    /// - Parameters:
    ///   - sendBytes: how much the near end can write before the far end reads.
    ///   - receiveBytes: how much the far end can write before the near end reads.
    init(sendBytes: Int, receiveBytes: Int) throws(LibcryptoError) {
        var (near, far): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        guard unsafe BIO_new_bio_pair(&near, sendBytes, &far, receiveBytes) == 1,
            let near = unsafe near, let far = unsafe far
        else { throw LibcryptoError("making a pipe") }
        unsafe self.near = near
        unsafe self.far = far
        self.sendBytes = sendBytes
    }

    /// The bytes that the client has written.
    var written: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: sendBytes) { buffer, count in
            count = max(0, Int(unsafe BIO_read(far, buffer.baseAddress, Int32(clamping: buffer.count))))
        }
    }

    /// Lets the client read the bytes, if there is room for all of them.
    func deliver(_ bytes: [UInt8]) -> Bool {
        let count = Int32(clamping: bytes.count)
        return unsafe BIO_write(far, bytes, count) == count
    }

    /// Whether the client has read all that was delivered.
    var isReadToEnd: Bool { unsafe BIO_ctrl_pending(near) == 0 }
}
