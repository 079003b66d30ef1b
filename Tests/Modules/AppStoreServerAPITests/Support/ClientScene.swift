#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import RequestSigning
    import SignedPayloads
    import StoreKitTestSession
    import TestServerAPI
    import StoreKitVerify
    import Testing

    /// A test store behind HTTP, and a client that asks it.
    struct ClientScene {
        static let bundleID = "com.example.garden"
        static let monthly = "com.example.garden.plus.monthly"
        static let premium = "com.example.garden.premium.monthly"
        static let seeds = "com.example.garden.seeds"

        let store: TestAppStore
        let key: ServerAPIKey
        let server: LoopbackServer
        let client: AppStoreServerAPIClient
        private let api: TestAppStoreAPI

        /// One for all tests: making keys takes time.
        private static let authority = Result { try TestAuthority.appStore("server API client tests") }

        /// - Parameters:
        ///   - ahead: by how many seconds the client's clock is ahead.
        ///   - bundleID: the app in the client's tokens.
        ///   - react: the server's reaction instead of the store's answer, if it is not `nil`.
        init(
            environment: AppStoreEnvironment = .sandbox, limits: Bool = false, ahead: Double = 0,
            bundleID: String = bundleID, keyID: String = ServerAPIKey.defaultKeyID,
            options: AppStoreServerAPIClient.Options = .unlimited, anchors: [TrustAnchor]? = nil,
            react: @escaping @Sendable (ReceivedRequest) -> Reaction? = { _ in nil }
        ) async throws {
            let start = Date(timeIntervalSince1970: 1_767_225_600)
            store = try TestAppStore(
                .example(), environment: environment, authority: Self.authority.get(), startingAt: start,
                seed: 1)
            key = try ServerAPIKey(of: store.authority)
            var settings = TestAppStoreAPI.Options()
            settings.hasNotificationURL = true
            settings.limitsRates = limits
            let api = TestAppStoreAPI(store, keys: [key], options: settings)
            self.api = api
            server = try await LoopbackServer { request in
                react(request) ?? Self.answer(request, api)
            }
            var policy = VerificationPolicy()
            policy.bundleIdentifiers = [Self.bundleID]
            policy.environments = [environment]
            let anchors = anchors ?? [store.authority.trustAnchor]
            client = try AppStoreServerAPIClient(
                for: RequestIssuer(keyID: keyID, issuerID: key.issuerID, bundleID: bundleID),
                signer: .key(SigningKey(pem: Array(key.pem.utf8))),
                server: .init(server.address, environment: environment),
                verifier: StoreKitVerifier(SignedPayloadVerifier(anchors: anchors, policy: policy)),
                options: options, now: { Date().addingTimeInterval(ahead) })
        }

        /// A key that signs requests.
        static func signing() throws -> ServerAPIKey { try ServerAPIKey(of: authority.get()) }

        /// The store's answer. It has a date, as answers of servers do.
        private static func answer(_ request: ReceivedRequest, _ api: TestAppStoreAPI) -> Reaction {
            let answer = api.respond(
                to: ServerAPIRequest(
                    request.method, target: request.target, headers: request.headers, body: request.body),
                at: Date())
            return .bytes(answer.status, answer.headers + [.init("Date", httpDate(Date()))], answer.body)
        }

        static func httpDate(_ date: Date) -> String {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return format.string(from: date)
        }

        /// Another client of the same server.
        func client(
            environments: Set<AppStoreEnvironment>, _ options: AppStoreServerAPIClient.Options
        ) throws -> AppStoreServerAPIClient {
            var policy = VerificationPolicy()
            policy.environments = environments
            let anchors = [store.authority.trustAnchor]
            return try AppStoreServerAPIClient(
                for: client.issuer, signer: .key(SigningKey(pem: Array(key.pem.utf8))), server: client.server,
                verifier: StoreKitVerifier(SignedPayloadVerifier(anchors: anchors, policy: policy)),
                options: options)
        }

        // MARK: - The store

        /// Sends a request to a local path of the store.
        @discardableResult
        func local(_ path: String, _ body: String) throws -> [String: Any] {
            let response = api.respond(
                to: ServerAPIRequest("POST", path, body: Array(body.utf8)), at: Date())
            try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
            let object = try? JSONSerialization.jsonObject(with: Data(response.body))
            return object as? [String: Any] ?? [:]
        }

        /// Tells the store of an attempt to send a notification.
        func tell(_ result: NotificationAttempt.Result, of uuid: UUID) {
            api.record(.init(at: store.now, result), of: uuid)
        }

        /// Has customers act. Returns the identifiers of the new transactions.
        @discardableResult
        func events(_ lines: String...) throws -> [String] {
            let answer = try local("/test/events", lines.joined(separator: "\n"))
            return (answer["transactions"] as? [[String: Any]] ?? []).compactMap {
                $0["transactionId"] as? String
            }
        }

        /// Has a customer buy something. Returns the transaction's identifier.
        func buy(_ product: String, _ customer: String = "anna", options: String = "") throws -> String {
            try #require(try events("\(customer): buy \(product) \(options)").last)
        }
    }

    extension AppStoreServerAPIClient.Options {
        /// No waiting for limits, and short waits before repetitions.
        static var unlimited: Self {
            var options = Self()
            options.limitsRate = false
            options.deadline = .seconds(120)
            options.retries.firstWait = .milliseconds(10)
            return options
        }
    }

    /// The error that a body throws.
    func failure<Value>(
        _ body: () async throws(AppStoreServerAPIError) -> Value
    ) async throws -> AppStoreServerAPIError {
        let value: Value
        do throws(AppStoreServerAPIError) {
            value = try await body()
        } catch {
            return error
        }
        throw UnexpectedValue(text: "\(value)")
    }

    struct UnexpectedValue: Error { let text: String }
#endif
