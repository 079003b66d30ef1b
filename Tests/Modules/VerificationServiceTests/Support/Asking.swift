#if Service
    import HTTPTypes
    import NIOCore
    import Testing
    import WireFormats

    /// Asks a service: its routes directly, or over a connection.
    struct Client: Sendable {
        private let answer: @Sendable (HTTPRequest, ByteBuffer) async throws -> Answer

        init(_ answer: @escaping @Sendable (HTTPRequest, ByteBuffer) async throws -> Answer) {
            self.answer = answer
        }

        func get(
            _ target: String, _ fields: HTTPFields = [:], host: String = "localhost"
        ) async throws -> Answer {
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: host, path: target, headerFields: fields)
            return try await answer(head, ByteBuffer())
        }

        func post(_ target: String, _ body: String = "", _ fields: HTTPFields = [:]) async throws -> Answer {
            try await send(.post, target, Array(body.utf8), fields)
        }

        /// A body is sent with its length, unless the fields say that it comes in chunks.
        func send(
            _ method: HTTPRequest.Method, _ target: String, _ body: [UInt8] = [], _ fields: HTTPFields = [:]
        ) async throws -> Answer {
            var fields = fields
            if fields[.transferEncoding] == nil { fields[.contentLength] = "\(body.count)" }
            let head = HTTPRequest(
                method: method, scheme: "http", authority: "localhost", path: target, headerFields: fields)
            return try await answer(head, ByteBuffer(bytes: body))
        }
    }

    /// A service's answer.
    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let bytes: [UInt8]

        init(_ head: HTTPResponse, _ body: ByteBuffer) {
            (status, headers, bytes) = (head.status, head.headerFields, Array(buffer: body))
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The body, which must be JSON, of an answer with the status 200.
        func object(at location: SourceLocation = #_sourceLocation) throws -> JSONTree {
            #expect(status == .ok, "\(text)", sourceLocation: location)
            return try JSONTree(bytes.span)
        }

        /// The body's lines, each of which must be JSON.
        func lines() throws -> [JSONTree] {
            try text.split(separator: "\n").map { line in
                let bytes = Array(line.utf8)
                return try JSONTree(bytes.span)
            }
        }

        /// The sentence of a problem (RFC 9457), which must have this status, and the code of a refused payload.
        @discardableResult
        func problem(
            _ expected: HTTPResponse.Status, _ code: String? = nil,
            at location: SourceLocation = #_sourceLocation
        ) throws -> String {
            #expect(status == expected, "\(text)", sourceLocation: location)
            #expect(headers[.contentType] == "application/problem+json", sourceLocation: location)
            let problem = try JSONTree(bytes.span)
            #expect(problem["status"]?.wholeNumber == expected.code, sourceLocation: location)
            #expect(problem["title"]?.stringValue == expected.reasonPhrase, sourceLocation: location)
            #expect(problem["error"]?.stringValue == code, sourceLocation: location)
            return try #require(problem["detail"]?.stringValue, sourceLocation: location)
        }
    }

    extension JSONTree {
        /// The texts of an array.
        var texts: [String] { elements?.compactMap(\.stringValue) ?? [] }
    }
#endif
