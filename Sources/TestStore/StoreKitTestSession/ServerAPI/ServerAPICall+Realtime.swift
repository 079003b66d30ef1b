internal import SignedPayloads
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The endpoints about the server that chooses retention messages, and about its performance.
extension ServerAPICall {
    /// Apple's limit.
    ///
    /// In characters (Apple's page "Configure Realtime URL").
    private static let longestURL = 256

    /// Apple posts to this address from its own servers, so only `https` will do.
    func setRealtimeURL() throws(ServerAPIError) -> ServerAPIResponse {
        guard let text = try object()["realtimeURL"]?.stringValue, text.count <= Self.longestURL,
            let url = URL(string: text), url.scheme == "https", url.host() != nil
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
        var object = ObjectText()
        object.add("realtimeURL", url)
        return ServerAPIResponse(object)
    }

    // MARK: - Performance tests

    /// Starts a performance test. No requests are sent: it passes after its duration, in the App Store's time.
    func startPerformanceTest() throws(ServerAPIError) -> ServerAPIResponse {
        guard let text = try object()["originalTransactionId"]?.stringValue else {
            throw .invalidPerformanceTestRequest
        }
        let identifier = try Self.identifier(text, else: .invalidPerformanceTestRequest)
        let (request, now) = try appStore.change { (simulation) throws(ServerAPIError) in
            guard let place = try? simulation.place(of: identifier),
                simulation.transactions[place].originalID == identifier
            else { throw .originalTransactionIDNotFound }
            return (simulation.makeUUID().uuidString.lowercased(), simulation.now)
        }
        try api.withState { (state) throws(ServerAPIError) in
            guard let url = state.messaging.realtimeURL else { throw .realtimeURLNotFound }
            guard state.messaging.performanceTests.values.allSatisfy({ $0.end <= now }) else {
                throw .existingPerformanceTestRun
            }
            state.messaging.performanceTests[request] = .init(target: url, end: now + Self.testDuration)
        }
        var object = ObjectText()
        object.add("config", Self.performanceTest)
        object.add("requestId", request)
        return ServerAPIResponse(object)
    }

    /// All numbers of a test without requests are zero, except the rate of success.
    func performanceTestResult() throws(ServerAPIError) -> ServerAPIResponse {
        guard UUID(canonicalForm: parameter("id")) != nil else { throw .invalidRequestID }
        let now = appStore.read(\.now)
        let test = api.withState { $0.messaging.performanceTests[parameter("id").lowercased()] }
        guard let test else { throw .performanceTestRunNotFound }
        var times = ObjectText()
        times.add("average", 0)
        times.add("p50", 0)
        times.add("p90", 0)
        times.add("p95", 0)
        times.add("p99", 0)
        var object = ObjectText()
        object.add("config", Self.performanceTest)
        object.add("target", test.target)
        object.add("result", test.end <= now ? "PASS" : "PENDING")
        object.add("successRate", 100)
        object.add("numPending", 0)
        object.add("responseTimes", times)
        object.add("failures", ObjectText())
        return ServerAPIResponse(object)
    }

    /// In milliseconds.
    private static let testDuration = 1000

    /// What a performance test would send, and demand. The numbers are those of this package.
    private static var performanceTest: ObjectText {
        var object = ObjectText()
        object.add("maxConcurrentRequests", 0)
        object.add("totalRequests", 0)
        object.add("totalDuration", testDuration)
        object.add("responseTimeThreshold", 0)
        object.add("successRateThreshold", 0)
        return object
    }
}
