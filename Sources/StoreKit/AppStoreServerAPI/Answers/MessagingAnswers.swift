#if ServerAPI
    public import Essentials

    /// Whether Apple approved an image or a message (Apple's `imageState` and `messageState`).
    public struct ReviewState: RawRepresentable, Hashable, Sendable {
        /// Apple's name.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Apple has not decided.
        public static let pending = ReviewState(rawValue: "PENDING")
        /// It may be shown.
        public static let approved = ReviewState(rawValue: "APPROVED")
        /// It may not be shown.
        public static let rejected = ReviewState(rawValue: "REJECTED")
    }

    /// The use of an image in a retention message (Apple's `imageSize`).
    public struct ImageSize: RawRepresentable, Hashable, Sendable {
        /// Apple's name.
        public let rawValue: String

        /// Makes a value from its raw form, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The large image of a message.
        public static let fullSize = ImageSize(rawValue: "FULL_SIZE")
        /// The small image beside a line of a message.
        public static let bulletPoint = ImageSize(rawValue: "BULLET_POINT")
    }

    /// An image that was uploaded (Apple's `GetImageListResponseItem`).
    public struct UploadedImage: Hashable, Sendable {
        /// The identifier that the uploader chose.
        public let imageIdentifier: UUID
        /// Whether Apple approved it.
        public let state: ReviewState
        /// Its use.
        public let size: ImageSize?

        init(_ answer: AnswerObject) throws(AnswerError) {
            imageIdentifier = try answer.uuid("imageIdentifier")
            state = ReviewState(rawValue: try answer.text("imageState"))
            size = try answer.optionalText("imageSize").map { ImageSize(rawValue: $0) }
        }
    }

    /// A message that was uploaded (Apple's `GetMessageListResponseItem`).
    public struct UploadedMessage: Hashable, Sendable {
        /// The identifier that the uploader chose.
        public let messageIdentifier: UUID
        /// Whether Apple approved it.
        public let state: ReviewState

        init(_ answer: AnswerObject) throws(AnswerError) {
            messageIdentifier = try answer.uuid("messageIdentifier")
            state = ReviewState(rawValue: try answer.text("messageState"))
        }
    }

    /// The demands of a performance test on the server that answers realtime requests (Apple's `PerformanceTestConfig`).
    public struct PerformanceTestConfiguration: Hashable, Sendable {
        /// How many requests there are at a time.
        public let maximumConcurrentRequests: Int?
        /// How many requests there are.
        public let totalRequests: Int?
        /// How long the test takes, in milliseconds.
        public let totalDuration: Int?
        /// The longest time for an answer, in milliseconds.
        public let responseTimeThreshold: Int?
        /// How many of a hundred requests must succeed.
        public let successRateThreshold: Int?

        init(_ answer: AnswerObject) throws(AnswerError) {
            maximumConcurrentRequests = try answer.optionalNumber("maxConcurrentRequests")
            totalRequests = try answer.optionalNumber("totalRequests")
            totalDuration = try answer.optionalNumber("totalDuration")
            responseTimeThreshold = try answer.optionalNumber("responseTimeThreshold")
            successRateThreshold = try answer.optionalNumber("successRateThreshold")
        }
    }

    /// A performance test that was started (Apple's `PerformanceTestResponse`).
    public struct StartedPerformanceTest: Hashable, Sendable {
        /// The identifier for the question about the result.
        public let requestID: String
        /// The demands of the test.
        public let configuration: PerformanceTestConfiguration

        init(_ answer: AnswerObject) throws(AnswerError) {
            requestID = try answer.text("requestId")
            configuration = try PerformanceTestConfiguration(answer.object("config"))
        }
    }

    /// The result of a performance test (Apple's `PerformanceTestResultResponse`).
    public struct PerformanceTestResult: Hashable, Sendable {
        /// How the test ended.
        public struct Status: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// It has not ended.
            public static let pending = Status(rawValue: "PENDING")
            /// The server was fast enough.
            public static let pass = Status(rawValue: "PASS")
            /// It was not.
            public static let fail = Status(rawValue: "FAIL")
        }

        /// The demands of the test.
        public let configuration: PerformanceTestConfiguration
        /// The address that was tested.
        public let target: String?
        /// How the test ended.
        public let result: Status
        /// How many of a hundred requests succeeded.
        public let successRate: Int?
        /// How many requests have no answer yet.
        public let pendingCount: Int?
        /// Times in milliseconds, by Apple's names: `average`, `p50`, `p90`, `p95`, `p99`.
        public let responseTimes: [String: Int]
        /// How often each attempt failed.
        public let failures: [SendAttemptResult: Int]

        init(_ answer: AnswerObject) throws(AnswerError) {
            configuration = try PerformanceTestConfiguration(answer.object("config"))
            target = try answer.optionalText("target")
            result = Status(rawValue: try answer.text("result"))
            successRate = try answer.optionalNumber("successRate")
            pendingCount = try answer.optionalNumber("numPending")
            responseTimes = try answer.numbers("responseTimes")
            let failures = try answer.numbers("failures")
            self.failures = .init(
                failures.map { (SendAttemptResult(rawValue: $0.key), $0.value) }, uniquingKeysWith: +)
        }
    }
#endif
