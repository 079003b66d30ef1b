#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import SignedPayloads
    import StoreKitVerify
    import StoreKitTestSession
    import Synchronization
    import Testing

    /// Servers that fail, and the client's patience.
    @Suite struct FaultTests {
        private static let list = #"{"messageIdentifiers":[]}"#

        /// A server that reacts once, and then with an empty list.
        private func once(_ reaction: Reaction) async throws -> ClientScene {
            let count = Clock()
            return try await ClientScene { _ in
                count.add(1)
                return count.value == 1 ? reaction : .answer(200, body: Self.list)
            }
        }

        private static let repeated: [Reaction] = [
            .drop, .half(#"{"message"#), .answer(500), .answer(503, body: "<html>"),
            .answer(500, body: #"{"errorCode":5000001,"errorMessage":"Try again."}"#),
            .answer(404, body: #"{"errorCode":4040002,"errorMessage":"Try again."}"#),
        ]

        @Test(arguments: repeated.indices) func `what only reads is repeated`(_ fault: Int) async throws {
            let scene = try await once(Self.repeated[fault])
            #expect(try await scene.client.send(.messageList).isEmpty)
            #expect(scene.server.requests.count == 2)
        }

        @Test(arguments: repeated.indices) func `what changes something is not repeated`(
            _ fault: Int
        ) async throws {
            let scene = try await once(Self.repeated[fault])
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.deleteMessage(UUID()))
            }
            #expect(error.isRetryable && scene.server.requests.count == 1)
        }

        @Test func `what an attempt may have done is told after its repetition, too`() async throws {
            let count = Clock()
            let scene = try await ClientScene { _ in
                count.add(1)
                return count.value == 1 ? .drop : .answer(404)
            }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.setRealtimeURL("https://example.com"))
            }
            #expect(error.status == 404 && error.mayHaveBeenExecuted)
            #expect(scene.server.requests.count == 2)
        }

        @Test func `repetitions are bounded`() async throws {
            let scene = try await ClientScene { _ in .answer(500) }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.kind == .refused && error.status == 500 && scene.server.requests.count == 4)
        }

        @Test(arguments: [#"{"errorCode":5000000,"errorMessage":"An unknown error occurred."}"#])
        func `an error that Apple does not call retryable is not repeated`(_ body: String) async throws {
            let scene = try await ClientScene { _ in .answer(500, body: body) }
            _ = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(scene.server.requests.count == 1)
        }

        @Test func `Retry-After in milliseconds is obeyed, also by what changes something`() async throws {
            let soon = Moment(.milliseconds(1200))
            let scene = try await once(
                .answer(
                    429, headers: ["Retry-After": soon.text],
                    body: #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#))
            try await scene.client.send(.setRealtimeURL("https://example.com"))
            let instants = scene.server.instants
            #expect(instants.count == 2 && instants[1] >= soon.instant)
        }

        @Test func `a Retry-After beyond the deadline is told instead of waited for`() async throws {
            let later = Int(Date().timeIntervalSince1970 * 1000) + 3_600_000
            let scene = try await ClientScene { _ in
                .answer(429, headers: ["Retry-After": String(later)])
            }
            let start = ContinuousClock().now
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.kind == .rateLimited && error.isRetryable)
            #expect(abs((error.retryAfter ?? Date()).timeIntervalSince1970 - Double(later) / 1000) < 1)
            #expect(start.duration(to: .now) < .seconds(600) && scene.server.requests.count == 1)
        }

        @Test(arguments: ["-1", "soon", "nan", "1e400", "99999999999999999999"])
        func `a Retry-After that is no time is survived`(_ value: String) async throws {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.retries.maximum = 0
            let scene = try await ClientScene(options: options) { _ in
                .answer(429, headers: ["Retry-After": value])
            }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.kind == .rateLimited)
        }

        private static let unreadable = [
            "", "[]", "null", "{", #"{"messageIdentifiers":{}}"#, #"{"messageIdentifiers":[1]}"#,
            #"{"messageIdentifiers":[{}]}"#, #"{"a":1,"a":2}"#, "\u{feff}{}",
            #"{"messageIdentifiers":[{"messageIdentifier":"x","messageState":"APPROVED"}]}"#,
        ]

        @Test(arguments: unreadable) func `wrong JSON is an error`(_ body: String) async throws {
            let scene = try await ClientScene { _ in .answer(200, body: body) }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.kind == .unreadable && error.status == 200)
            #expect(scene.server.requests.count == 1)
        }

        @Test func `an unknown value and an unknown member are kept`() async throws {
            let id = "11111111-2222-3333-4444-555555555555"
            let body =
                #"{"messageIdentifiers":[{"messageIdentifier":"\#(id)","messageState":"NEW","x":1}],"y":[]}"#
            let scene = try await ClientScene { _ in .answer(200, body: body) }
            let response = try await scene.client.response(to: .messageList)
            #expect(response.value.first?.state.rawValue == "NEW")
            #expect(String(decoding: response.body, as: UTF8.self) == body)
        }

        @Test func `an answer that is too long is not read to its end`() async throws {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.maximumAnswerBytes = 1000
            let body = String(repeating: " ", count: 1_000_000)
            let scene = try await ClientScene(options: options) { _ in .answer(200, body: body) }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.kind == .unreadable && error.message.contains("1000 bytes"))
        }

        @Test func `a redirection is not followed, as it would carry the token away`() async throws {
            let other = try await ClientScene()
            let address = other.server.address
            let scene = try await ClientScene { _ in .answer(302, headers: ["Location": address]) }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.status == 302 && other.server.requests.isEmpty)
        }

        @Test(arguments: [Reaction.late(.seconds(600), body: list), .stall].indices)
        func `a slow server ends with the deadline`(_ index: Int) async throws {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.deadline = .milliseconds(300)
            let scene = try await ClientScene(options: options) { _ in
                index == 0 ? .late(.seconds(600), body: Self.list) : .stall
            }
            let start = ContinuousClock().now
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.kind == .deadline && start.duration(to: .now) < .seconds(300))
        }

        @Test(arguments: [0, 1]) func `a task that is cancelled ends at once`(_ index: Int) async throws {
            let scene = try await ClientScene { _ in
                index == 0 ? .late(.seconds(600), body: Self.list) : .stall
            }
            let task = Task { try await scene.client.send(.messageList) }
            while scene.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let start = ContinuousClock().now
            task.cancel()
            let result = await task.result
            #expect(throws: AppStoreServerAPIError.self) { try result.get() }
            #expect(start.duration(to: .now) < .seconds(300))
        }

        @Test func `a server that is not there is an error`() async throws {
            let scene = try await ClientScene()
            var options = AppStoreServerAPIClient.Options.unlimited
            options.retries.maximum = 1
            let start = ContinuousClock().now
            let client = try AppStoreServerAPIClient(
                for: scene.client.issuer, signer: .elsewhere { _ in "x.y.z" },
                server: .init("http://127.0.0.1:1/", environment: .sandbox),
                verifier: .init(.init()), options: options)
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await client.send(.messageList)
            }
            #expect(error.kind == .unreachable, "\(error)")
            #expect(start.duration(to: .now) < .seconds(300))
        }

        @Test(arguments: ["", "example.com", "ftp://example.com", "https://", "file:///etc"])
        func `an address that is none is told before anything is sent`(_ address: String) async throws {
            let scene = try await ClientScene()
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.response(
                    to: .messageList, from: .init(address, environment: .sandbox)
                ).value
            }
            #expect(error.kind == .invalidRequest && !error.mayHaveBeenExecuted)
        }

        @Test func `options without bounds are bounded`() async throws {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.deadline = .seconds(Int64.max)
            options.retries.maximum = .max
            options.retries.longestWait = .seconds(Int64.max)
            options.retries.firstWait = .seconds(Int64.min)
            let count = Clock()
            let scene = try await ClientScene(options: options) { _ in
                count.add(1)
                return count.value < 40 ? .answer(500) : .answer(200, body: Self.list)
            }
            #expect(try await scene.client.send(.messageList).isEmpty)
        }

        @Test func `a sentence of the server is cut, and hidden characters show`() async throws {
            let long = String(repeating: "x", count: 100_000)
            let scene = try await ClientScene { _ in
                .answer(400, body: #"{"errorCode":4000000,"errorMessage":"a\u001b[31m\#(long)"}"#)
            }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.message.count < 2000 && !error.message.contains("\u{1b}"))
        }

        @Test func `a pause is for all requests to the endpoint, repeated or not`() async throws {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.retries.maximum = 0
            let soon = Moment(.milliseconds(1500))
            let count = Clock()
            let scene = try await ClientScene(options: options) { _ in
                count.add(1)
                return count.value == 1
                    ? .answer(429, headers: ["Retry-After": soon.text]) : .answer(200, body: Self.list)
            }
            _ = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(try await scene.client.send(.messageList).isEmpty)
            let instants = scene.server.instants
            #expect(instants.count == 2 && instants[1] >= soon.instant)
        }

        @Test func `a request that waits for its turn waits for a later pause, too`() async throws {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.limitsRate = true
            options.retries.maximum = 0
            let soon = Moment(.milliseconds(4500))
            let count = Clock()
            let scene = try await ClientScene(options: options) { _ in
                count.add(1)
                return count.value == 1
                    ? .answer(429, headers: ["Retry-After": soon.text]) : .answer(200, body: Self.list)
            }
            // In the Sandbox there is one of these each second: the last one waits for three seconds, until long after the
            // first is answered.
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try? await scene.client.send(.messageList) } }
            }
            let instants = scene.server.instants
            #expect(instants.count == 4 && instants[3] >= soon.instant)
        }

        @Test func `a pause beyond the deadline is told to the next request as such`() async throws {
            let later = Int(Date().timeIntervalSince1970 * 1000) + 3_600_000
            let scene = try await ClientScene { _ in
                .answer(429, headers: ["Retry-After": String(later)])
            }
            for _ in 0..<2 {
                let error = try await failure { () async throws(AppStoreServerAPIError) in
                    try await scene.client.send(.messageList)
                }
                #expect(error.kind == .rateLimited && !error.mayHaveBeenExecuted)
                #expect(abs((error.retryAfter ?? Date()).timeIntervalSince1970 - Double(later) / 1000) < 1)
            }
            #expect(scene.server.requests.count == 1)
        }

        @Test func `a refused payload does not keep back the rest of its page`() async throws {
            let first = try await ClientScene()
            let id = try first.buy(ClientScene.seeds)
            let good = try await first.client.send(.transactionInfo(of: id)).jwsRepresentation
            let body = #"{"signedTransactions":["x.y.z","\#(good)"],"hasMore":false}"#
            let scene = try await ClientScene(anchors: [first.store.authority.trustAnchor]) { _ in
                .answer(200, body: body)
            }
            let page = try await scene.client.send(.transactionHistory(of: id))
            #expect(page.transactions.map(\.jwsRepresentation) == [good])
            #expect(page.refusals.map(\.place) == ["signedTransactions[0]"])
            #expect(page.refusals.first?.jwsRepresentation == "x.y.z")
        }

        @Test func `a page that names itself ends the list`() async throws {
            let scene = try await ClientScene { _ in
                .answer(200, body: #"{"members":[],"hasMore":true,"paginationToken":"t"}"#)
            }
            var count = 0
            do {
                for try await _ in scene.client.groupMembers(of: "1") { count += 1 }
                Issue.record("the list ended")
            } catch {
                #expect(error.kind == .unreadable && count == 2)
            }
        }
    }

    /// A time from now on, as `Retry-After` and a clock have it.
    private struct Moment {
        let text: String
        /// Never later than the text, whatever comes between two clocks that are read: this one is read first. The text has no
        /// fractions of a millisecond.
        let instant: ContinuousClock.Instant

        init(_ wait: Duration) {
            instant = .now + wait - .milliseconds(1)
            text = String(Int((Date().timeIntervalSince1970 + wait / .seconds(1)) * 1000))
        }
    }
#endif
