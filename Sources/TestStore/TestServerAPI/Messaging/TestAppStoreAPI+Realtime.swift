internal import Essentials
internal import SignedPayloads
package import StoreKitTestSession
internal import WireFormats

/// A performance test whose requests are to be sent.
package struct PerformanceTestRun: Hashable, Sendable {
    /// The test's `requestId`.
    package let id: String
    /// The address of the app's server.
    package let target: String
    /// How many requests are to be sent, and how fast.
    package let plan: PerformanceTestPlan
    /// The subscription that the requests are about.
    package let originalTransactionID: UInt64
}

/// A request for a retention message, signed.
package struct RealtimeQuestion: Hashable, Sendable {
    /// The body of the App Store's request: `{"signedPayload":"…"}`.
    package let body: String
    /// The customer who is asked about.
    let customer: CustomerPlace
}

/// The requests for retention messages that the App Store sends to an app's server.
///
/// This module sends nothing: `storekit-test serve` takes the tests that were asked for, and tells of each request.
extension TestAppStoreAPI {
    /// Takes the performance tests that were asked for since the last call.
    package func takePerformanceTests() -> [PerformanceTestRun] {
        withState { state in
            let new = state.messaging.performanceTests.filter { !$0.value.isTaken }
            return new.map { id, test in
                state.messaging.performanceTests[id]?.isTaken = true
                return PerformanceTestRun(
                    id: id, target: test.target, plan: test.plan,
                    originalTransactionID: test.originalTransactionID)
            }
        }
    }

    /// Signs a request about a subscription, at the App Store's time.
    ///
    /// - Parameters:
    ///   - originalTransactionID: the subscription.
    ///   - locale: the customer's; `nil` for that of the `.storekit` file.
    /// - Throws: `SigningFailure` if there is no such subscription, or libcrypto fails.
    package func realtimeQuestion(
        about originalTransactionID: UInt64, locale: String? = nil
    ) throws(SigningFailure) -> RealtimeQuestion {
        try translating(
            try appStore.change { (simulation) throws(StoreRefusal) in
                try simulation.realtimeQuestion(about: originalTransactionID, locale: locale)
            }, SigningFailure.init(refusal:))
    }

    /// Keeps the result of a request of a performance test.
    ///
    /// - Parameter id: the test's `requestId`; an unknown one changes nothing.
    /// - Returns: the test's result as a line for people, after its last request.
    package func record(_ attempt: RealtimeAttempt, ofPerformanceTest id: String) -> String? {
        let now = appStore.read(\.now)
        return withState { state in
            state.messaging.performanceTests[id]?.add(attempt)
            guard let test = state.messaging.performanceTests[id], test.status(at: now) != .pending else {
                return nil
            }
            if test.status(at: now) == .pass { state.messaging.hasPassedPerformanceTest = true }
            return test.summary(at: now)
        }
    }

    /// Answers `GET /test/realtime-request?originalTransactionId=…`: a signed request, to be sent by hand. `userLocale` may
    /// be named too.
    func realtimeRequest(_ request: ServerAPIRequest) -> ServerAPIResponse {
        func value(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
        guard let identifier = value("originalTransactionId").flatMap({ UInt64($0) }) else {
            return Self.failure("the query has no originalTransactionId that is a number")
        }
        do throws(SigningFailure) {
            let question = try realtimeQuestion(about: identifier, locale: value("userLocale"))
            var response = ServerAPIResponse(status: 200)
            response.headers = [.init("Content-Type", "application/json")]
            response.body = Array(question.body.utf8)
            return response
        } catch {
            return Self.failure("\(error)")
        }
    }
}

extension Simulation {
    /// The payload is Apple's `DecodedRealtimeRequestBody`. Its members are in the order of Apple's page.
    fileprivate mutating func realtimeQuestion(
        about originalID: UInt64, locale: String?
    ) throws(StoreRefusal) -> RealtimeQuestion {
        let place = try purchases.place(of: originalID)
        guard let index = purchases[place].subscription, purchases[place].originalID == originalID
        else { throw .notAllowed("\(originalID) is not the first transaction of a subscription") }
        var payload = ObjectText()
        payload.add("originalTransactionId", String(originalID))
        payload.add("appAppleId", signer.app.appleID)
        payload.add("productId", purchases[purchases[index].latest].product.id)
        payload.add(
            "userLocale", locale ?? catalog.settings.localeIdentifier.replacing("_", with: "-"))
        payload.add("requestIdentifier", makeUUID().uuidString.lowercased())
        payload.add("signedDate", now)
        payload.add("environment", signer.environment.rawValue)
        return RealtimeQuestion(
            body: #"{"signedPayload":"\#(try signer.token(payload))"}"#,
            customer: purchases[place].customer)
    }
}
