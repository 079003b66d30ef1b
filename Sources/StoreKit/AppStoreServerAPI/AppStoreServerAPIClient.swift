#if ServerAPI
    internal import Libcurl
    public import RequestSigning
    public import StoreKitVerify
    public import Essentials

    /// Asks the App Store Server API, the Advanced Commerce API and the External Purchase Server API.
    ///
    /// ```swift
    /// let client = try AppStoreServerAPIClient(
    ///     for: RequestIssuer(
    ///         keyID: "2X9R4HXF34", issuerID: "57246542-96fe-1a63-e053-0824d011072a", bundleID: "com.example.shop"),
    ///     signer: .key(SigningKey(contentsOf: "SubscriptionKey_2X9R4HXF34.p8")),
    ///     verifier: StoreKitVerifier(SignedPayloadVerifier(policy: policy)))
    /// let transaction = try await client.send(.transactionInfo(of: "2000000123456789"))
    /// ```
    ///
    /// Make one and share it between tasks: it keeps connections and the token, and counts requests for Apple's limits. Signed
    /// members of an answer are verified before the answer is returned.
    public struct AppStoreServerAPIClient: Sendable {
        /// The signer of requests' tokens.
        public struct Signer: Sendable {
            enum Source: Sendable {
                case key(SigningKey)
                case closure(@Sendable (UnsignedJWS) async throws -> String)
            }

            let source: Source

            /// Signs with a key in this process, or with a hardware security module that answers at once.
            public static func key(_ key: SigningKey) -> Signer { Signer(source: .key(key)) }

            /// Signs elsewhere. The closure returns the complete JWS; see `UnsignedJWS.signed(with:as:)`.
            ///
            /// The request waits for the closure, beyond its deadline too. So the closure has to end in time, and when its
            /// task is cancelled.
            public static func elsewhere(
                _ sign: @escaping @Sendable (UnsignedJWS) async throws -> String
            ) -> Signer { Signer(source: .closure(sign)) }
        }

        /// The names of the key and of the app.
        public let issuer: RequestIssuer
        /// The server that is asked.
        public let server: Server
        /// Limits, deadlines and repetitions.
        public let options: Options
        let verifier: StoreKitVerifier
        let tokens: TokenSource
        let limiter = RateLimiter()
        let http: HTTPClient
        let now: @Sendable () -> Date

        /// - Parameters:
        ///   - issuer: the names of the key and of the app.
        ///   - signer: signs the tokens.
        ///   - server: the server to ask.
        ///   - verifier: verifies the signed members of answers. Let its policy name the app and the environments.
        ///   - options: limits, deadlines and repetitions.
        ///   - now: the time, for tokens and for `Retry-After`.
        public init(
            for issuer: RequestIssuer, signer: Signer, server: Server = .production,
            verifier: StoreKitVerifier,
            options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }
        ) {
            (self.issuer, self.server, self.options, self.now) = (issuer, server, options, now)
            self.verifier = verifier
            tokens = TokenSource(issuer, signer, now: now)
            // The engine repeats requests, within its bounds. A longer wait for a connection would take the whole deadline
            // for a wrong address.
            http = HTTPClient(
                .whole(options.maximumAnswerBytes), connecting: .seconds(10),
                trustedCertificates: options.trustedCertificates)
        }

        /// Sends a request.
        ///
        /// - Returns: the answer's value.
        /// - Throws: ``AppStoreServerAPIError``, whatever failed, also if the task is cancelled.
        public func send<Answer>(
            _ request: APIRequest<Answer>
        ) async throws(AppStoreServerAPIError) -> Answer { try await response(to: request).value }
    }

    /// An answer, with its whole body.
    public struct APIResponse<Answer: Sendable>: Sendable {
        /// The members that this version knows, with verified payloads.
        public let value: Answer
        /// The whole body, with the members that this version does not know.
        public let body: Data
        /// The server that answered.
        public let server: AppStoreServerAPIClient.Server
    }
#endif
