internal import Essentials
internal import SignedPayloads
internal import StoreKitTestSession
internal import WireFormats

/// The endpoints about the server that chooses retention messages, and about its performance.
extension ServerAPICall {
    /// Apple's limit.
    ///
    /// In characters (Apple's page "Configure Realtime URL").
    private static let longestURL = 256
    private static let loopback: Set = ["127.0.0.1", "localhost", "::1", "[::1]"]

    /// Apple posts to this address from its own servers, so only `https` will do. An address of this machine may lack it here.
    func setRealtimeURL() throws(ServerAPIError) -> ServerAPIResponse {
        guard let text = try object()["realtimeURL"]?.stringValue, text.count <= Self.longestURL,
            let url = URL(string: text), let host = url.host(), !host.isEmpty,
            url.scheme == "https" || url.scheme == "http" && Self.loopback.contains(host)
        else { throw .badRequestRealtimeURL }
        let isProduction = appStore.environment == .production
        return try api.withState { (state) throws(ServerAPIError) in
            guard !isProduction || state.messaging.hasPassedPerformanceTest else {
                throw .forbiddenNoPassingTest
            }
            state.messaging.realtimeURL = text
            return ServerAPIResponse(status: 200)
        }
    }

    /// Get and Delete Realtime URL: the address is deleted if asked for.
    func realtimeURL(isDeleted: Bool) throws(ServerAPIError) -> ServerAPIResponse {
        let url = api.withState { state in
            defer { if isDeleted { state.messaging.realtimeURL = nil } }
            return state.messaging.realtimeURL
        }
        guard let url else { throw .realtimeURLNotFound }
        guard !isDeleted else { return ServerAPIResponse(status: 200) }
        return ServerAPIResponse("realtimeURL", url)
    }

    // MARK: - Performance tests

    /// Starts a performance test. What sends its requests takes it from the API; see `takePerformanceTests()`.
    func startPerformanceTest() throws(ServerAPIError) -> ServerAPIResponse {
        guard let text = try object()["originalTransactionId"]?.stringValue else {
            throw .invalidPerformanceTestRequest
        }
        let identifier = try Self.identifier(text, else: .invalidPerformanceTestRequest)
        let (request, now) = try appStore.change { (simulation) throws(ServerAPIError) in
            guard let place = try? simulation.purchases.place(of: identifier),
                simulation.purchases[place].originalID == identifier
            else { throw .originalTransactionIDNotFound }
            // The messages are for subscribers.
            guard simulation.purchases[place].subscription != nil else {
                throw .invalidPerformanceTestRequest
            }
            return (simulation.makeUUID().uuidString.lowercased(), simulation.now)
        }
        let plan: PerformanceTestPlan = api.options.sendsRealtimeRequests ? .sending : .silent
        try api.withState { (state) throws(ServerAPIError) in
            guard let url = state.messaging.realtimeURL else { throw .realtimeURLNotFound }
            guard state.messaging.performanceTests.values.allSatisfy({ $0.status(at: now) != .pending })
            else { throw .existingPerformanceTestRun }
            state.messaging.performanceTests[request] = PerformanceTest(plan, of: url, identifier, at: now)
        }
        var object = ObjectText()
        object.add("config", plan.object)
        object.add("requestId", request)
        return ServerAPIResponse(object)
    }

    func performanceTestResult() throws(ServerAPIError) -> ServerAPIResponse {
        guard UUID(canonicalForm: parameter("id")) != nil else { throw .invalidRequestID }
        let now = appStore.read(\.now)
        let test = api.withState { $0.messaging.performanceTests[parameter("id").lowercased()] }
        guard let test else { throw .performanceTestRunNotFound }
        return ServerAPIResponse(test.object(at: now))
    }
}
