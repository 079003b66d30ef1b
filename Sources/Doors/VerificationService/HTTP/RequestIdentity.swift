#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Logging

    /// What a request is called in logs: by the `X-Request-ID` that a proxy gave it, or by a new UUID; and by the trace of
    /// `traceparent` (W3C Trace Context), if it has one.
    struct RequestIdentity: Sendable {
        /// The field that it comes in, and that each answer has.
        static let field = HTTPField.Name("X-Request-ID")
        private static let traceField = HTTPField.Name("traceparent")

        let text: String
        private let trace: String?

        /// Longer ones, and those with other characters, are replaced: they would fill the log.
        private static let longest = 128

        init(_ headers: HTTPFields) {
            let given = Self.field.flatMap { headers[$0] }.flatMap { text in
                let isRight =
                    (1...Self.longest).contains(text.utf8.count)
                    && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
                return isRight ? text : nil
            }
            text = given ?? UUID().uuidString.lowercased()
            trace = Self.traceField.flatMap { headers[$0] }.flatMap(Self.trace)
        }

        /// The trace's identifier: of `00-TRACE-PARENT-FLAGS`, 32 hexadecimal digits.
        private static func trace(_ text: String) -> String? {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count >= 4, parts[1].utf8.count == 32, parts[1].allSatisfy(\.isHexDigit) else {
                return nil
            }
            return String(parts[1])
        }

        var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = ["requestID": .string(text)]
            metadata["traceID"] = trace.map { .string($0) }
            return metadata
        }
    }
#endif
