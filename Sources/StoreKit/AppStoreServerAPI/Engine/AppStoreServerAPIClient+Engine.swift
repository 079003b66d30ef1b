#if ServerAPI
    internal import Libcurl
    internal import RequestSigning
    internal import Essentials

    /// The engine: the common part of all requests.
    extension AppStoreServerAPIClient {
        /// Sends a request.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - server: the server to ask; `nil` asks as the options say.
        /// - Returns: the answer with its whole body.
        /// - Throws: ``AppStoreServerAPIError``, whatever failed, also if the task is cancelled.
        public func response<Answer>(
            to request: APIRequest<Answer>, from server: Server? = nil
        ) async throws(AppStoreServerAPIError) -> APIResponse<Answer> {
            // A year stands for "never": the sum stays within the type.
            let deadline = ContinuousClock().now + min(options.deadline, .seconds(365 * 86_400))
            do {
                return try await response(to: request, of: server ?? self.server, deadline)
            } catch {
                guard let other = options.fallback, server == nil, error.code == .transactionIDNotFound else {
                    throw error
                }
                return try await response(to: request, of: other, deadline)
            }
        }

        /// Asks one server, and repeats the request where `APICall.mayRepeat(after:)` allows it.
        private func response<Answer>(
            to request: APIRequest<Answer>, of server: Server, _ deadline: ContinuousClock.Instant
        ) async throws(AppStoreServerAPIError) -> APIResponse<Answer> {
            let call = try APICall(request, at: server)
            var repetition = 0
            // If one attempt may have been executed, the error of a later attempt must say so.
            var mayHaveBeenExecuted = false
            while true {
                do {
                    let answer = try await attempt(call, deadline)
                    return try value(of: answer, request, call)
                } catch {
                    var error = error
                    mayHaveBeenExecuted = mayHaveBeenExecuted || error.mayHaveBeenExecuted
                    error.mayHaveBeenExecuted = mayHaveBeenExecuted
                    // All requests to the endpoint wait, repeated or not. An error without an answer is from a pause that
                    // is known already.
                    if let pause = error.retryWait, error.status != nil {
                        await limiter.pause(call.key, until: ContinuousClock().now + pause)
                    }
                    guard repetition < options.retries.maximum, call.mayRepeat(after: error) else {
                        throw error
                    }
                    try await wait(before: repetition, after: error, call, deadline)
                    repetition += 1
                }
            }
        }

        /// Sends a request once, in its turn.
        ///
        /// - Returns: the answer, whose status is one of success.
        private func attempt(
            _ call: APICall, _ deadline: ContinuousClock.Instant
        ) async throws(AppStoreServerAPIError) -> HTTPAnswer {
            // The token is signed first: signing elsewhere takes time, and turns are for sending.
            let token = try await token(for: call)
            try await waitForTurn(call, deadline)
            let answer: HTTPAnswer
            do throws(HTTPFailure) {
                answer = try await http.answer(to: call.message(token: token.text), by: deadline)
            } catch {
                throw call.error(error)
            }
            if (200..<300).contains(answer.status) { return answer }
            if answer.status == 401 { await tokens.forget(token) }
            throw AppStoreServerAPIError(answer, call, issuer, token, now: now())
        }

        /// Waits for the request's turn.
        ///
        /// - Throws: an error of the kind `cancelled`, or `deadline` or `rateLimited` if the turn comes after the deadline.
        private func waitForTurn(
            _ call: APICall, _ deadline: ContinuousClock.Instant
        ) async throws(AppStoreServerAPIError) {
            let turn: RateLimiter.Turn
            do throws(CancellationError) {
                let limit = options.limitsRate ? call.limit : nil
                turn = try await limiter.turn(call.key, limit: limit, deadline: deadline)
            } catch {
                throw call.unsentError(.cancelled, "the task was cancelled")
            }
            switch turn {
            case .now: break
            case .tooLate:
                throw call.unsentError(.deadline, "the request would get its turn after its deadline")
            case .paused(let instant):
                var error = call.unsentError(
                    .rateLimited, "the App Store asked for no request before this one's deadline")
                error.wait(ContinuousClock().now.duration(to: instant), from: now())
                throw error
            }
        }

        private func token(for call: APICall) async throws(AppStoreServerAPIError) -> TokenSource.Token {
            do {
                return try await tokens.token()
            } catch {
                if Task.isCancelled { throw call.unsentError(.cancelled, "the task was cancelled") }
                throw call.error(.unsigned, "the token was not signed: \(error)")
            }
        }

        /// The value of an answer of success.
        private func value<Answer>(
            of answer: HTTPAnswer, _ request: APIRequest<Answer>, _ call: APICall
        ) throws(AppStoreServerAPIError) -> APIResponse<Answer> {
            do throws(AnswerError) {
                let value = try request.value(answer.body, verifier)
                return APIResponse(value: value, body: Data(answer.body), server: call.server)
            } catch {
                throw call.error(error, status: answer.status)
            }
        }

        /// Waits before a repetition.
        ///
        /// - Throws: the error that led here, if the repetition would come after the deadline.
        private func wait(
            before repetition: Int, after failure: AppStoreServerAPIError, _ call: APICall,
            _ deadline: ContinuousClock.Instant
        ) async throws(AppStoreServerAPIError) {
            let clock = ContinuousClock()
            var instant = clock.now + options.retries.wait(before: repetition)
            if let pause = failure.retryWait { instant += pause }
            guard instant < deadline else { throw failure }
            do {
                try await clock.sleep(until: instant)
            } catch {
                var cancellation = call.unsentError(.cancelled, "the task was cancelled")
                cancellation.mayHaveBeenExecuted = failure.mayHaveBeenExecuted
                throw cancellation
            }
        }
    }
#endif
