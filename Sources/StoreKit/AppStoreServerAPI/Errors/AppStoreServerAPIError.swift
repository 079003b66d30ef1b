#if ServerAPI
    public import SignedPayloads
    public import Essentials

    /// Why a request has no value: the one error of the client.
    public struct AppStoreServerAPIError: Error, Sendable {
        /// Where the request failed.
        public enum Kind: Hashable, Sendable {
            /// The App Store refused the request, with a code or with a status alone.
            case refused
            /// The App Store refused the token (401); ``AppStoreServerAPIError/suspect`` says where to look.
            case unauthorized
            /// There were more requests than Apple allows (429).
            case rateLimited
            /// There was no connection, so that nothing was sent.
            case unreachable
            /// The connection broke. It is unknown whether the App Store executed the request.
            case connection
            /// There was no answer in time, or no turn.
            case deadline
            /// The task was cancelled.
            case cancelled
            /// The answer is too long, is not JSON, or lacks a member.
            case unreadable
            /// A signed member was refused, as ``AppStoreServerAPIError/payloadError`` says.
            case unverified
            /// The request cannot be sent.
            case invalidRequest
            /// The token was not signed.
            case unsigned
        }

        /// The suspect after a token was refused; `nil` after other errors.
        public enum Suspect: Hashable, Sendable {
            /// This computer's clock, which differs from the App Store's by so many seconds; negative if it is behind.
            case clock(seconds: Int)
            /// The key identifier does not have the form of one.
            case keyID
            /// The issuer identifier is not a UUID.
            case issuerID
            /// The bundle identifier does not have the form of one.
            case bundleID
            /// All have their forms. The key may be revoked, or belong to another issuer.
            case revokedKeyOrOtherIssuer
        }

        /// An error of a report of external purchases. A report may have several.
        public struct ReportError: Hashable, Sendable {
            /// Apple's code.
            public let code: APIErrorCode
            /// Apple's sentence.
            public let message: String
            /// The member of the report or of the line.
            public let fieldName: String?
            /// The `lineItemId` of the line in the report; `nil` if the error is about the report itself.
            public let lineItemID: String?
        }

        /// Where the request failed.
        public let kind: Kind
        /// The endpoint of the failed request, with its limit.
        public let endpoint: APIEndpoint
        /// The HTTP status; `nil` if there was no answer.
        public internal(set) var status: Int?
        /// Apple's code, known or not; `nil` if the answer does not have it.
        public internal(set) var code: APIErrorCode?
        /// Apple's sentence, or this client's if Apple gives none.
        public let message: String
        /// Whether the App Store may have executed the request although there is no value: the answer of an attempt was
        /// lost, or could not be read.
        public internal(set) var mayHaveBeenExecuted: Bool
        /// The errors of a report of external purchases.
        public internal(set) var reportErrors: [ReportError] = []
        /// The suspect after a token was refused; `nil` after other errors.
        public internal(set) var suspect: Suspect?
        /// Why a signed member was refused.
        public internal(set) var payloadError: PayloadError?
        /// When the App Store takes requests again (`Retry-After`).
        public internal(set) var retryAfter: Date?
        /// The time until then, by the App Store's own clock if the answer has a date. Waits use this time,
        /// because the two clocks may differ.
        package internal(set) var retryWait: Duration?
        /// The advice on a refused token, with the names of the key and of the app.
        var tokenAdvice: String?

        init(_ kind: Kind, _ endpoint: APIEndpoint, _ message: String) {
            (self.kind, self.endpoint, self.message) = (kind, endpoint, message)
            mayHaveBeenExecuted =
                [.connection, .deadline, .cancelled, .unreadable, .unverified].contains(kind)
        }

        /// Apple's name of the code; `nil` if there is no code, or this version does not know it.
        public var name: String? { code?.name(in: endpoint.family) }

        /// Whether the error is about this request alone: the App Store has decided against it (4xx), or a signed member of
        /// the answer was refused. All other errors would meet the next request, too.
        package var isRefusal: Bool { kind == .unverified || kind == .refused && (status ?? 500) < 500 }

        /// Whether the same request may succeed later. The client repeats idempotent requests by itself.
        public var isRetryable: Bool {
            switch kind {
            case .rateLimited, .unreachable, .connection, .deadline: true
            case .refused:
                code?.isRetryable ?? ((status ?? 0) >= 500)
            case .unauthorized, .cancelled, .unreadable, .unverified, .invalidRequest, .unsigned: false
            }
        }
    }

    extension AppStoreServerAPIError: CustomStringConvertible {
        /// One line for a log: the failure and the remedy.
        public var description: String {
            let number = code.map { " \($0.rawValue)" } ?? status.map { " \($0)" } ?? ""
            let name = self.name.map { " \($0)" } ?? ""
            return "\(endpoint.method.rawValue) \(endpoint.path):\(number)\(name): \(message) \(advice)"
        }
    }
#endif
