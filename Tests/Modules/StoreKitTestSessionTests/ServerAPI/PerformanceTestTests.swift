import Foundation
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Performance tests whose requests are sent, as `storekit-test serve` does, and requests for retention messages.
@Suite struct PerformanceTestTests {
    private static let folder = "/inApps/v1/messaging"
    private static let message = "2b6d3c4e-4f3a-4d8b-9b1a-6f1d3a0c9e11"

    private func scene(_ environment: AppStore.Environment = .sandbox) throws -> ServerAPIScene {
        var options = TestAppStoreAPI.Options()
        options.sendsRealtimeRequests = true
        let scene = try ServerAPIScene(environment: environment, options: options)
        try scene.succeed(
            "PUT", "\(Self.folder)/realtime/url", #"{"realtimeURL":"http://127.0.0.1:8080/retain"}"#)
        return scene
    }

    private func start(_ scene: ServerAPIScene) throws -> PerformanceTestRun {
        let id = try scene.buy("$subscription")
        let started = try scene.succeed(
            "POST", "\(Self.folder)/performanceTest", #"{"originalTransactionId":"\#(id)"}"#)
        let runs = scene.api.takePerformanceTests()
        let run = try #require(runs.first)
        #expect(runs.count == 1 && run.id == started["requestId"] as? String)
        #expect(run.target == "http://127.0.0.1:8080/retain" && String(run.originalTransactionID) == id)
        #expect((started["config"] as? [String: Int])?["totalRequests"] == run.plan.totalRequests)
        #expect(scene.api.takePerformanceTests().isEmpty)
        return run
    }

    private func result(_ scene: ServerAPIScene, _ run: PerformanceTestRun) throws -> [String: Any] {
        try scene.get("\(Self.folder)/performanceTest/result/\(run.id)")
    }

    @Test func `a test waits for all of its requests, and passes with 95 right answers of 100`() throws {
        let scene = try scene()
        let run = try start(scene)
        for time in 1...99 {
            let isRight = time > 5
            let attempt = RealtimeAttempt(isRight ? .success : .timedOut, milliseconds: time)
            #expect(scene.api.record(attempt, ofPerformanceTest: run.id) == nil)
        }
        // The App Store's time does not end it.
        try scene.store.advance(to: scene.store.now.addingTimeInterval(86_400))
        let pending = try result(scene, run)
        pending.expect(["result": "PENDING", "numPending": 1])
        let request = #"{"originalTransactionId":"\#(run.originalTransactionID)"}"#
        try scene.refuses(4_000_213, "POST", "\(Self.folder)/performanceTest", request)
        let summary = scene.api.record(
            RealtimeAttempt(.success, milliseconds: 200), ofPerformanceTest: run.id)
        #expect(summary?.hasPrefix("PASS  performance test  95 of 100") == true)
        let passed = try result(scene, run)
        passed.expect(["result": "PASS", "successRate": 95])
        #expect(passed["failures"] as? [String: Int] == ["TIMED_OUT": 5])
        let times = ["average": 51, "p50": 50, "p90": 90, "p95": 95, "p99": 99]
        #expect(passed["responseTimes"] as? [String: Int] == times)
        try scene.succeed("POST", "\(Self.folder)/performanceTest", request)
    }

    @Test func `a test with more failures fails, and says the first of them`() throws {
        let scene = try scene()
        let run = try start(scene)
        var summary: String?
        for number in 1...100 {
            let attempt =
                number > 6
                ? RealtimeAttempt(.success, milliseconds: 1)
                : RealtimeAttempt(.invalidResponse, milliseconds: 1, reason: "reason \(number)")
            summary = scene.api.record(attempt, ofPerformanceTest: run.id)
        }
        #expect(summary?.hasPrefix("FAIL") == true && summary?.hasSuffix(": reason 1") == true)
        let failed = try result(scene, run)
        failed.expect(["result": "FAIL", "successRate": 94])
        #expect(scene.api.record(RealtimeAttempt(.success, milliseconds: 1), ofPerformanceTest: "x") == nil)
    }

    @Test func `a purchase that is no subscription has no performance test`() throws {
        let scene = try scene()
        let id = try scene.buy("com.example.garden.greenhouse")
        let request = #"{"originalTransactionId":"\#(id)"}"#
        try scene.refuses(4_000_211, "POST", "\(Self.folder)/performanceTest", request)
    }

    // MARK: - Requests

    @Test func `a request is signed by the App Store, about the subscription`() throws {
        let scene = try scene()
        let id = try #require(UInt64(scene.buy("$subscription")))
        let question = try scene.api.realtimeQuestion(about: id)
        let request = try StoreKitVerifier(scene.store.verifier)
            .realtimeRequest(body: question.body.utf8).payloadValue
        #expect(request.originalTransactionID == id && request.appAppleID == 1_234_567_890)
        #expect(request.productID == "com.example.garden.plus.monthly")
        #expect(request.userLocaleIdentifier == "en-US" && request.environment == .sandbox)
        #expect(request.signedDate == scene.store.now)
        #expect(throws: SigningFailure.self) { try scene.api.realtimeQuestion(about: 1) }
        let path = "/test/realtime-request?originalTransactionId="
        let local = scene.api.respond(
            to: ServerAPIRequest("GET", target: "\(path)\(id)&userLocale=de-AT"), at: ServerAPIScene.start)
        let other = try StoreKitVerifier(scene.store.verifier).realtimeRequest(body: local.body).payloadValue
        #expect(other.userLocaleIdentifier == "de-AT" && other.requestIdentifier != request.requestIdentifier)
        for wrong in ["", "x", "1"] {
            let answer = scene.api.respond(
                to: ServerAPIRequest("GET", target: path + wrong), at: ServerAPIScene.start)
            #expect(answer.status == 400)
        }
    }

    // MARK: - Answers

    private static let answers: [(String, String?)] = [
        (#"{}"#, nil), (#"{"message":{"messageIdentifier":"ID"}}"#, nil),
        (#"{"alternateProduct":{"messageIdentifier":"ID","productId":"p"}}"#, nil),
        (
            #"{"alternateProduct":{"messageIdentifier":"ID","productId":"p","billingPlanType":"MONTHLY"}}"#,
            nil
        ),
        (#"{"advancedCommerceInfo":{"messageIdentifier":"ID","advancedCommerceData":"e30="}}"#, nil),
        ("", "not a JSON object"), ("[]", "not a JSON object"),
        (#"{"message":{}}"#, "no messageIdentifier"),
        (#"{"message":{"messageIdentifier":"1"}}"#, "no messageIdentifier"),
        (#"{"message":{"messageIdentifier":"ID"},"alternateProduct":{}}"#, "more than one member"),
        (#"{"text":{"messageIdentifier":"ID"}}"#, "unknown member"),
        (#"{"alternateProduct":{"messageIdentifier":"ID"}}"#, "no productId"),
        (
            #"{"alternateProduct":{"messageIdentifier":"ID","productId":"p","billingPlanType":"YEARLY"}}"#,
            "billingPlanType"
        ),
        (#"{"advancedCommerceInfo":{"messageIdentifier":"ID","advancedCommerceData":"x"}}"#, "in base64"),
        (#"{"promotionalOffer":{"messageIdentifier":"ID"}}"#, "no signature"),
        (
            #"{"promotionalOffer":{"messageIdentifier":"ID","promotionalOfferSignatureV2":"a.b.c"}}"#,
            "not valid for the customer"
        ),
        (
            #"{"promotionalOffer":{"messageIdentifier":"ID","promotionalOfferSignatureV1":{}}}"#,
            "V1 is not valid"
        ),
        (
            #"{"promotionalOffer":{"messageIdentifier":"ID","promotionalOfferSignatureV1":{},"promotionalOfferSignatureV2":""}}"#,
            "two signatures"
        ),
    ]

    @Test(arguments: answers)
    func `an answer must have Apple's form`(_ answer: String, _ mistake: String?) throws {
        let scene = try scene()
        let id = try #require(UInt64(scene.buy("$subscription")))
        let question = try scene.api.realtimeQuestion(about: id)
        let body = Data(answer.replacing("ID", with: Self.message).utf8)
        let found = scene.api.mistake(inAnswer: body, to: question, at: ServerAPIScene.start)
        guard let mistake else {
            #expect(found == nil)
            return
        }
        #expect(found?.contains(mistake) == true, "\(found ?? "none")")
    }
}
