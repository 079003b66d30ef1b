#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import Testing

    /// Apple's limits.
    @Suite(.serialized) struct RateLimitTests {
        private static let list = #"{"messageIdentifiers":[]}"#

        private static var limited: AppStoreServerAPIClient.Options {
            var options = AppStoreServerAPIClient.Options()
            options.deadline = .seconds(120)
            return options
        }

        @Test func `no second has more requests than the Sandbox allows`() async throws {
            let scene = try await ClientScene(options: Self.limited)
            let id = try scene.buy(ClientScene.seeds)
            let start = ContinuousClock().now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask { _ = try await scene.client.send(.transactionInfo(of: id)) }
                }
                try await group.waitForAll()
            }
            let instants = scene.server.instants.sorted()
            #expect(instants.count == 12)
            // Five within a second. Two arrivals are not compared: on a busy computer the earlier one can come late.
            for index in 5..<12 {
                #expect(start.duration(to: instants[index]) >= .seconds(index / 5))
            }
        }

        @Test func `the store with Apple's limits refuses nothing`() async throws {
            let scene = try await ClientScene(limits: true, options: Self.limited)
            for _ in 0..<3 { _ = try await scene.client.send(.messageList) }
            #expect(scene.server.requests.count <= 4)
        }

        @Test func `endpoints do not wait for each other`() async throws {
            let scene = try await ClientScene(options: Self.limited) { _ in .answer(200, body: "{}") }
            // A busy computer may need a second for it, too, but not five times.
            var fastest = Duration.seconds(600)
            for _ in 0..<5 where fastest > .milliseconds(900) {
                try await Task.sleep(for: .seconds(1))
                let start = ContinuousClock().now
                _ = try await scene.client.send(.messageList)
                _ = try await scene.client.send(.imageList)
                _ = try await scene.client.send(.customerGroups(of: "1"))
                fastest = min(fastest, start.duration(to: .now))
            }
            #expect(fastest < .milliseconds(900))
        }

        @Test func `a request that waits for its turn is cancelled at once`() async throws {
            let scene = try await ClientScene(options: Self.limited) { _ in .answer(200, body: Self.list) }
            _ = try await scene.client.send(.messageList)
            // The last one's turn would be after half a minute.
            let tasks = (0..<30).map { _ in Task { try await scene.client.send(.messageList) } }
            try await Task.sleep(for: .milliseconds(100))
            let start = ContinuousClock().now
            for task in tasks { task.cancel() }
            var cancelled = 0
            for task in tasks {
                guard case .failure(let error as AppStoreServerAPIError) = await task.result else { continue }
                #expect(error.kind == .cancelled && !error.mayHaveBeenExecuted)
                cancelled += 1
            }
            #expect(cancelled > 20)
            #expect(start.duration(to: .now) < .seconds(20))
            #expect(scene.server.requests.count == 31 - cancelled)
            // The turns that were not used are free again.
            _ = try await scene.client.send(.messageList)
            #expect(start.duration(to: .now) < .seconds(25))
        }

        @Test func `a turn after the deadline is an error at once`() async throws {
            var options = Self.limited
            options.deadline = .milliseconds(4500)
            let scene = try await ClientScene(options: options) { _ in .answer(200, body: Self.list) }
            let results = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<12 {
                    group.addTask { (try? await scene.client.send(.messageList)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect((1...5).contains(results))
        }
    }
#endif
