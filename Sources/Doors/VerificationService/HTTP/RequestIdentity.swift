#if Service
    internal import HTTPTypes
    internal import Logging
    internal import Synchronization

    /// A request's name in logs: the `X-Request-ID` that a proxy gave it, or a new identifier; and the trace
    /// of `traceparent` (W3C Trace Context), if it has one.
    struct RequestIdentity: Sendable {
        /// The field that it comes in, and that each answer has.
        static let field = HTTPField.Name("X-Request-ID")
        private static let traceField = HTTPField.Name("traceparent")

        let text: String
        private let headers: HTTPFields

        /// Longer ones, and those with other characters, are replaced: they would fill the log.
        private static let longest = 128

        init(_ headers: HTTPFields, _ identifiers: RequestIdentifiers) {
            let given = Self.field.flatMap { headers[$0] }.flatMap { text in
                let isRight =
                    (1...Self.longest).contains(text.utf8.count)
                    && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
                return isRight ? text : nil
            }
            text = given ?? identifiers.next()
            self.headers = headers
        }

        /// The trace's identifier: of `00-TRACE-PARENT-FLAGS`, 32 hexadecimal digits.
        private var trace: String? {
            let parts = Self.traceField.flatMap { headers[$0] }?.split(
                separator: "-", omittingEmptySubsequences: false)
            guard let parts, parts.count >= 4, parts[1].utf8.count == 32, parts[1].allSatisfy(\.isHexDigit)
            else {
                return nil
            }
            return String(parts[1])
        }

        /// Its members in a line of the log. Most requests have no line, so this is made when one is written.
        var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = ["requestID": .string(text)]
            metadata["traceID"] = trace.map { .string($0) }
            return metadata
        }
    }

    /// New identifiers: sixteen random digits for the process, and the number of the request. A random one for each
    /// request would cost a tenth of a verdict.
    final class RequestIdentifiers: Sendable {
        private let prefix: String
        private let count = Atomic<UInt64>(0)

        init() {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            prefix = String(repeating: "0", count: 16 - digits.count) + digits + "-"
        }

        func next() -> String { prefix + String(count.add(1, ordering: .relaxed).newValue) }
    }
#endif
