internal import AppStoreTables
public import Essentials
public import StoreKitTestSession
internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

/// The App Store Server API of an App Store for tests: requests in, answers out, without HTTP.
///
/// ```swift
/// let api = TestAppStoreAPI(store, keys: [try ServerAPIKey(of: store.authority)])
/// let answer = api.respond(to: ServerAPIRequest("GET", "/inApps/v1/subscriptions/\(id)", headers: …), at: Date())
/// ```
///
/// Answers have Apple's members, statuses and error codes. A customer's action shows in the next answer.
public final class TestAppStoreAPI: Sendable {
    /// The settings that differ between apps and between tests.
    public struct Options: Hashable, Sendable {
        /// Whether an address for notifications is set. Without one there are no test notifications, as with Apple.
        public var hasNotificationURL = false
        /// Whether too many requests within a second are refused.
        public var limitsRates = false
        /// Whether something sends the requests of performance tests. Without it, a test passes after its duration.
        package var sendsRealtimeRequests = false

        /// Without an address for notifications, and without limits.
        public init() {}
    }

    /// The App Store.
    public let appStore: TestAppStore
    /// The settings that differ between apps and between tests.
    public let options: Options
    /// The keys that may sign requests.
    public let keys: [ServerAPIKey]

    /// Held for moments only. A run of a scenario takes `runs` first, and the state in between.
    private let state = Mutex(State())
    /// One run of a scenario at a time.
    let runs = Mutex(())
    let authorization: ServerAPIAuthorization

    /// The state that the API keeps beside the App Store's state.
    ///
    /// Nothing of it outlives the process.
    struct State {
        var rates = RateCounter()
        var messaging = Messaging()
        var massRequests: Set<String> = []
        var massExtensions: [MassExtension] = []
        /// The last body, by the identifier of the transaction.
        var consumption: [UInt64: [UInt8]] = [:]
        var testNotifications: Set<UUID> = []
        /// The customers of the local extension, by their names.
        var customers: [String: CustomerPlace] = [:]
        var reports = ExternalPurchaseReports()
        /// The answer that the next request fails with.
        var nextFailure: ServerAPIResponse?
    }

    /// Opens the API of an App Store. From now on, the App Store keeps its notifications for their history, and the keys may
    /// also sign requests that apps hand to StoreKit.
    ///
    /// - Parameters:
    ///   - appStore: the App Store.
    ///   - keys: the keys that may sign requests.
    ///   - options: what differs between apps and between tests.
    public init(_ appStore: TestAppStore, keys: [ServerAPIKey], options: Options = Options()) {
        self.appStore = appStore
        self.options = options
        self.keys = keys
        authorization = ServerAPIAuthorization(keys, bundleID: appStore.app.bundleID)
        appStore.change { simulation in
            simulation.output.beginHistory()
            simulation.requests.serverKeys += keys
        }
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - time: the real time, for the token and the rate limits. The App Store's own time does not change.
    public func respond(to request: ServerAPIRequest, at time: Date) -> ServerAPIResponse {
        // The local paths need no token: the server listens on the loopback address unless told otherwise.
        if request.path.hasPrefix("/test/") { return respondLocally(to: request) }
        let milliseconds = time.milliseconds
        // The token is checked before the path: a client without one learns nothing of the paths.
        guard authorization.accepts(request.header("authorization"), at: milliseconds / 1000) else {
            return ServerAPIResponse(status: 401)
        }
        let segments = PathTemplate.segments(of: request.path)
        let matches = AppStoreEndpoint.allCases.compactMap { endpoint in
            PathTemplate(endpoint.facts.path).parameters(of: segments).map { (endpoint, $0) }
        }
        let match = matches.first { $0.0.facts.method.rawValue == request.method }
        guard let (endpoint, parameters) = match else {
            // The path is known, its method is not (RFC 9110, section 15.5.6).
            return ServerAPIResponse(status: matches.isEmpty ? 404 : 405)
        }
        if options.limitsRates, !isWithinLimit(endpoint, milliseconds) {
            var response = ServerAPIResponse(ServerAPIError.rateLimitExceeded.entry)
            // The next second. Apple writes this header in milliseconds since 1970.
            response.headers.append(.init("Retry-After", String((milliseconds / 1000 + 1) * 1000)))
            return response
        }
        if let failure = takeNextFailure() { return failure }
        do throws(ServerAPIError) {
            return try ServerAPICall(api: self, request: request, parameters: parameters).answer(endpoint)
        } catch {
            return ServerAPIResponse(error.entry)
        }
    }

    /// The information that apps sent about the use of a purchase: the body of the last request, by the transaction.
    public func consumptionInformation(ofTransaction identifier: UInt64) -> [UInt8]? {
        withState { $0.consumption[identifier] }
    }

    /// - Parameter body: must not call the API or the App Store, whose locks are others.
    func withState<Success: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try state.withLock { (state) throws(Failure) in try body(&state) }
    }

    /// A request above the limit is counted too.
    private func isWithinLimit(_ endpoint: AppStoreEndpoint, _ milliseconds: Int) -> Bool {
        let limit = endpoint.limit(inProduction: appStore.environment == .production)
        return withState { $0.rates.count(endpoint, second: milliseconds / 1000) <= limit }
    }
}

/// Counts the requests to each endpoint within a second. Apple counts so too, but refuses requests by the hour.
struct RateCounter {
    private var counts: [AppStoreEndpoint: (second: Int, requests: Int)] = [:]

    /// Counts a request. Returns how many there were within the second.
    mutating func count(_ endpoint: AppStoreEndpoint, second: Int) -> Int {
        let before = counts[endpoint].flatMap { $0.second == second ? $0.requests : nil } ?? 0
        counts[endpoint] = (second, before + 1)
        return before + 1
    }
}
