#if Service
    import HTTPTypes
    import Synchronization
    import Testing
    import VerificationService

    /// Questions that wait for a place.
    @Suite(.timeLimit(.minutes(10))) struct QuestionPlacesTests {
        private let places = QuestionPlaces()

        /// Holds places until it is told to end.
        private final class Holders: Sendable {
            private let ends = Mutex<[CheckedContinuation<Void, Never>]>([])

            var count: Int { ends.withLock(\.count) }

            func hold() async {
                await withCheckedContinuation { end in ends.withLock { $0.append(end) } }
            }

            func end() {
                let all = ends.withLock { ends in
                    defer { ends = [] }
                    return ends
                }
                for end in all { end.resume() }
            }
        }

        private func until(_ condition: () -> Bool) async {
            while !condition() { await Task.yield() }
        }

        /// Takes all places.
        private func occupy(_ holders: Holders) async -> [Task<Void, any Error>] {
            let tasks = (0..<QuestionPlaces.maximumRunning).map { _ in
                Task { [places] in try await places.withPlace { await holders.hold() } }
            }
            await until { holders.count == QuestionPlaces.maximumRunning }
            return tasks
        }

        @Test func `a question that is cancelled while it waits ends at once`() async throws {
            let holders = Holders()
            let running = await occupy(holders)
            let waiting = Task { [places] in try await places.withPlace { true } }
            await until { places.waiting == 1 }
            waiting.cancel()
            // All places are still taken.
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(places.waiting == 0 && holders.count == QuestionPlaces.maximumRunning)
            holders.end()
            for task in running { try await task.value }
            #expect(try await places.withPlace { 5 } == 5)
        }

        @Test func `a question whose task was cancelled before takes no place`() async throws {
            let gate = Holders()
            let task = Task { [places] in
                await gate.hold()
                return try await places.withPlace { true }
            }
            await until { gate.count == 1 }
            task.cancel()
            gate.end()
            await #expect(throws: CancellationError.self) { try await task.value }
            let holders = Holders()
            let running = await occupy(holders)
            holders.end()
            for task in running { try await task.value }
        }

        @Test func `places go to those that have waited longest, and cancelled ones are passed over`()
            async throws
        {
            let holders = Holders()
            let running = await occupy(holders)
            let served = Served()
            var waiting: [Task<Void, any Error>] = []
            for number in 0..<6 {
                waiting.append(
                    Task { [places] in try await places.withPlace { served.add(number) } })
                await until { places.waiting == number + 1 }
            }
            waiting[1].cancel()
            waiting[4].cancel()
            await until { places.waiting == 4 }
            holders.end()
            for task in running { try await task.value }
            for (number, task) in waiting.enumerated() where ![1, 4].contains(number) { try await task.value }
            #expect(served.all.sorted() == [0, 2, 3, 5])
        }

        @Test func `more than can wait are refused`() async throws {
            let holders = Holders()
            let running = await occupy(holders)
            let waiting = (0..<QuestionPlaces.maximumWaiting).map { _ in
                Task { [places] in try await places.withPlace {} }
            }
            await until { places.waiting == QuestionPlaces.maximumWaiting }
            let problem = await #expect(throws: Problem.self) { try await places.withPlace {} }
            #expect(problem?.status == .serviceUnavailable)
            holders.end()
            for task in running + waiting { try await task.value }
        }
    }

    /// The numbers of the questions that got a place.
    private final class Served: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }
#endif
