#if ServerAPI
    import AppStoreServerAPI
    import CommandSupport
    import Platform
    import WireFormats
    import Essentials

    /// Fetches parts, several at a time.
    struct FetchRun: Sendable {
        /// The longest pause that the App Store may ask for at a time. It counts requests by the hour.
        private static let longestPause = Duration.seconds(2 * 3600)

        /// The errors for a page that the App Store does not know any more.
        private static let unknownPages: Set<APIErrorCode> = [
            .invalidPaginationToken, .paginationTokenExpired, .invalidRequestRevision,
        ]

        let client: AppStoreServerAPIClient
        let output: FetchOutput
        let options: ServerOptions

        /// How the parts ended.
        struct Outcome {
            /// How many parts the App Store refused.
            var refused = 0
            /// Why the run ended early; `nil` if it did not.
            var failure: FetchFailure?
        }

        /// Fetches all pages of all parts.
        ///
        /// - Parameter jobs: how many parts at a time.
        func fetch(_ parts: [FetchPart], jobs: Int) async -> Outcome {
            await withTaskGroup(of: Result<Bool, FetchFailure>.self) { group in
                var (outcome, rest) = (Outcome(), parts[...])
                for part in rest.prefix(jobs) { group.addTask { await result(of: part) } }
                rest = rest.dropFirst(jobs)
                while let result = await group.next() {
                    switch result {
                    case .success(let isRefused): outcome.refused += isRefused ? 1 : 0
                    case .failure(let failure):
                        // The first reason counts: the others end because of it.
                        if outcome.failure == nil { outcome.failure = failure }
                        group.cancelAll()
                        rest = []
                    }
                    if let part = rest.popFirst() { group.addTask { await self.result(of: part) } }
                }
                return outcome
            }
        }

        /// Fetches a part, for a task of the group.
        ///
        /// - Returns: whether the App Store refused the part.
        private func result(of part: FetchPart) async -> Result<Bool, FetchFailure> {
            do throws(FetchFailure) {
                return .success(try await fetch(part))
            } catch {
                return .failure(error)
            }
        }

        /// Fetches the pages of a part, from its first page or from the one that follows the state's.
        ///
        /// A refusal ends this part alone: one unknown customer must not end a fetch of thousands.
        ///
        /// - Returns: whether the App Store refused the part.
        private func fetch(_ part: FetchPart) async throws(FetchFailure) -> Bool {
            let place = output.place(of: part)
            var request = part.begin()
            var continuation = place?.next
            var server = place.flatMap { options.server(named: $0.environment) }
            // Only the first page of a run can have a token from an earlier run.
            var isBegun = continuation == nil
            while true {
                let response: APIResponse<TokenPage>
                do throws(AppStoreServerAPIError) {
                    response = try await client.response(to: request(continuation), from: server)
                } catch {
                    if try await hasWaited(after: error) { continue }
                    // The token of an earlier run may be too old.
                    if !isBegun, let code = error.code, Self.unknownPages.contains(code) {
                        output.say("\(part.name): the next page is not known any more: the part begins anew")
                        (request, continuation, server, isBegun) = (part.begin(), nil, nil, true)
                        continue
                    }
                    guard error.isRefusal else { throw failure(error) }
                    output.say("\(part.name): \(error.message) \(error.advice)")
                    return true
                }
                isBegun = true
                let next = response.value.hasMore ? response.value.continuation : nil
                if response.value.hasMore, next == nil || next == continuation {
                    output.say(
                        "\(part.name): the answer says that there is another page, and does not name it")
                    return true
                }
                try output.write(response, of: part, next: next)
                guard let next else { return false }
                (continuation, server) = (next, response.server)
            }
        }

        private func failure(_ error: AppStoreServerAPIError) -> FetchFailure {
            error.kind == .cancelled ? .stopped : .server(error)
        }

        /// Waits as long as the App Store asks for. Of the requests that follow, the client itself holds each one back until
        /// then.
        ///
        /// - Returns: whether it waited, and the request may be sent again.
        private func hasWaited(after error: AppStoreServerAPIError) async throws(FetchFailure) -> Bool {
            guard error.kind == .rateLimited, let pause = error.retryWait, pause < Self.longestPause else {
                return false
            }
            if pause > .seconds(1) {
                let seconds = Date().timeIntervalSince1970 + pause / .seconds(1)
                output.say(
                    "the App Store takes no requests until \(CalendarTime.iso8601(Int64(seconds))); waiting")
            }
            do {
                // At least a moment, so that an App Store which names the past is not asked without a pause.
                try await Task.sleep(for: max(.milliseconds(100), pause))
            } catch {
                throw .stopped
            }
            return true
        }
    }
#endif
