#if Service
    package import HTTPTypes
    internal import Hummingbird
    internal import SignedPayloads
    internal import WireFormats

    /// Why a request is refused, as RFC 9457 has it: a status, its title, and a sentence with the remedy.
    ///
    /// A problem quotes at most 64 characters of a request's target.
    package struct Problem: Error {
        package let status: HTTPResponse.Status
        package let detail: String
        /// The code of the check that refused a payload; `nil` if the request itself is malformed.
        var code: String?
        var headers = HTTPFields()
        /// Whether the connection cannot be used any more, because the rest of the request was not read.
        var closes = false
        /// Why the request is refused before anything is done for it; `nil` if a handler has read it.
        var refusal: Refusal?

        /// The reasons for which a request comes to no handler, or its body does not. Metrics and the log name them.
        enum Refusal: String, CaseIterable {
            /// The Host field names no host of the service.
            case host
            /// A page of another origin has sent it.
            case origin
            /// The target is too long.
            case target
            /// There is nothing at the path.
            case path
            /// The path does not take the method.
            case method
            /// It lacks the token.
            case token
            /// The query is not percent-encoded UTF-8.
            case query
            /// The body is in a form that is not read.
            case form
            /// The body is too long.
            case length
            /// Other requests have the memory for bodies.
            case memory
            /// The body does not come in time.
            case slow
            /// The bytes are not HTTP/1.1.
            case head
        }

        /// The media type of RFC 9457, section 3.
        static let mediaType = "application/problem+json"

        init(
            _ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields = [:], closes: Bool = false,
            refusal: Refusal? = nil
        ) {
            (self.status, self.detail, self.headers, self.closes) = (status, detail, headers, closes)
            self.refusal = refusal
        }

        /// A payload that was refused. 503 says to callers that the same payload may pass later.
        init(_ error: PayloadError) {
            // A status that is made of a number alone has no title.
            let status: HTTPResponse.Status =
                switch error.httpStatus {
                case 400: .badRequest
                case 403: .forbidden
                case 413: .contentTooLarge
                case 421: .misdirectedRequest
                default: .serviceUnavailable
                }
            self.init(status, error.message)
            code = error.code.rawValue
            if error.isRetryable { headers[.retryAfter] = "60" }
        }

        /// The object. Its type is `about:blank`: the status says all that a program needs.
        var json: [UInt8] {
            var object = ObjectText()
            object.add("type", "about:blank")
            object.add("title", message: status.reasonPhrase)
            object.add("status", status.code)
            object.add("detail", message: detail)
            object.add("error", message: code)
            return object.utf8 + [UInt8(ascii: "\n")]
        }

        /// The fields of the response's head.
        var fields: HTTPFields {
            var fields = headers
            fields[.contentType] = Self.mediaType
            if closes { fields[.connection] = "close" }
            return fields
        }

        var response: Response {
            Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: json)))
        }
    }
#endif
