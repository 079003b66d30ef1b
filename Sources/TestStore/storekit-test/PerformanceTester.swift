#if TestServer
    import CommandSupport
    import Foundation
    import StoreKitTestSession
    import TestServerAPI
    import WebhookDelivery

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Sends the requests of a performance test to an app's server, and measures the answers.
    ///
    /// The requests are spread evenly over the test's duration. A request waits while too many others have no answer.
    struct PerformanceTester: Sendable {
        private let api: TestAppStoreAPI
        private let run: PerformanceTestRun
        private let client: WebhookClient
        private let clock = ContinuousClock()

        init(api: TestAppStoreAPI, run: PerformanceTestRun) {
            (self.api, self.run) = (api, run)
            // A redirect is no answer: the App Store waits for the status 200.
            client = WebhookClient(
                timeout: .milliseconds(run.plan.responseTimeThreshold), followsRedirects: false,
                readsBodies: true)
        }

        /// Sends all requests, and writes the test's result to standard output.
        func send() async throws {
            // `setRealtimeURL` has checked it.
            guard let url = URL(string: run.target) else { return }
            let pause = Duration.milliseconds(run.plan.totalDuration) / max(1, run.plan.totalRequests)
            let start = clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<run.plan.totalRequests {
                    try await clock.sleep(until: start + pause * number)
                    if number >= run.plan.maxConcurrentRequests { try await group.next() }
                    group.addTask { try await tell(attempt(url)) }
                }
                try await group.waitForAll()
            }
        }

        /// Keeps the result of a request. The last one ends the test.
        private func tell(_ attempt: RealtimeAttempt) throws {
            guard let summary = api.record(attempt, ofPerformanceTest: run.id) else { return }
            try StandardOutput.write("\(summary)  \(run.id)\n")
        }

        /// Sends one request. Signing it does not count.
        private func attempt(_ url: URL) async -> RealtimeAttempt {
            let question: RealtimeQuestion
            do throws(SigningFailure) {
                question = try api.realtimeQuestion(about: run.originalTransactionID)
            } catch {
                return RealtimeAttempt(.other, milliseconds: 0, reason: "\(error)")
            }
            let start = clock.now
            func failure(_ result: NotificationAttempt.Result, _ reason: String) -> RealtimeAttempt {
                RealtimeAttempt(result, milliseconds: milliseconds(since: start), reason: reason)
            }
            do {
                let answer = try await client.answer(to: Data(question.body.utf8), at: url)
                let time = milliseconds(since: start)
                guard answer.status == 200 else {
                    return failure(
                        .unsuccessfulHTTPResponseCode, "the answer has the status \(answer.status)")
                }
                let mistake = api.mistake(inAnswer: answer.body, to: question, at: Date())
                return RealtimeAttempt(
                    mistake == nil ? .success : .invalidResponse, milliseconds: time, reason: mistake)
            } catch {
                // The client says the limit in seconds, and a plan of Apple's has it in milliseconds.
                let result = NotificationAttempt.Result((error as? URLError)?.code)
                return failure(
                    result,
                    result == .timedOut
                        ? "no answer within \(run.plan.responseTimeThreshold) ms"
                        : "no answer (\(error.localizedDescription))")
            }
        }

        /// Rounded up: no answer takes no time.
        private func milliseconds(since start: ContinuousClock.Instant) -> Int {
            Int(((clock.now - start) / .milliseconds(1)).rounded(.up))
        }
    }
#endif
