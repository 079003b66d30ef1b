import Foundation
import Testing

/// Runs each test of a suite on threads of its own.
///
/// Synchronous verification blocks its thread until there is an answer. Swift's tasks share only a few
/// threads. A test that blocked one of them would delay the other tests.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// Each test runs on threads of its own.
    static var ownThreads: OwnThreads { OwnThreads() }
}

/// Starts a thread for every piece of work.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
