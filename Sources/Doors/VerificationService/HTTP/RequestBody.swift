#if Service
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import WireFormats

    /// Reads bodies within their limits.
    struct BodyReader: Sendable {
        let maximumBytes: Int
        /// The memory that the bodies of all requests may take together.
        let memory: ByteBudget

        /// A body of this many bytes does not count: connections are bounded already.
        private static let freeBytes = 16_384

        /// A media type that is not listed is refused, so that a multipart upload is not taken for a token.
        private static let types: Set<String> = [
            "application/json", "application/jose", "application/jwt", "application/octet-stream",
            "application/x-ndjson",
            "application/jsonl", "application/x-pkcs7-signature", "text/plain",
            // curl says this of every body if it is not told otherwise. The service reads the body as it is.
            "application/x-www-form-urlencoded",
        ]

        /// Refuses a body in a form that is not read.
        func checkForm(of request: Request) throws(Problem) {
            if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
                throw Problem(
                    .unsupportedMediaType, "The body has a Content-Encoding; send it uncompressed.",
                    headers: [.acceptEncoding: "identity"], closes: true, refusal: .form)
            }
            guard let type = request.headers[.contentType] else { return }
            let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
            guard Self.types.contains(name) else {
                throw Problem(
                    .unsupportedMediaType,
                    "The body's Content-Type is not one of \(Self.types.sorted().joined(separator: ", ")).",
                    closes: true, refusal: .form)
            }
        }

        /// The whole body, which `use` gets. Its memory is given back when that has ended.
        ///
        /// - Throws: `Problem` for a body that is too long or in another form, `BodyTimeout`, or the error of
        ///   `use`.
        func withBytes<Result>(
            of route: RouteRequest, _ use: ([UInt8]) async throws -> Result
        ) async throws -> Result {
            let request = route.request
            try checkForm(of: request)
            // Refused before a byte is read. Without the field, the count below decides.
            if let text = request.headers[.contentLength], let length = Int(text), length > maximumBytes {
                throw tooLong
            }
            route.inviteBody()
            var (bytes, taken): ([UInt8], Int) = ([], 0)
            defer { memory.give(taken) }
            for try await part in request.body {
                let count = bytes.count + part.readableBytes
                guard count <= maximumBytes else { throw tooLong }
                if count > Self.freeBytes {
                    guard memory.take(count - taken) else {
                        throw Problem(
                            .serviceUnavailable,
                            "Other requests have all the memory for bodies; send this one again.",
                            headers: [.retryAfter: "1"], closes: true, refusal: .memory)
                    }
                    taken = count
                }
                if bytes.isEmpty { bytes = Array(buffer: part) } else { bytes += part.readableBytesView }
            }
            return try await use(bytes)
        }

        /// The members of a body that is one JSON object.
        func members(of route: RouteRequest) async throws -> [JSONTree.Member] {
            try await withBytes(of: route) { bytes in
                do throws(JSONError) {
                    return try JSONTree.members(of: bytes.span)
                } catch {
                    throw Problem(.badRequest, "The body is not a JSON object: \(error).")
                }
            }
        }

        /// A body that is text.
        func text(of route: RouteRequest) async throws -> String {
            try await withBytes(of: route) { bytes in
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw Problem(.badRequest, "The body is not text in UTF-8.")
                }
                return text
            }
        }

        private var tooLong: Problem {
            Problem(
                .contentTooLarge,
                "The body is longer than \(maximumBytes) bytes; for many tokens, there is /v1/verify/batch.",
                closes: true, refusal: .length)
        }
    }
#endif
