import Foundation
import Synchronization

/// Listeners that are cancelled while they are sent something.
///
/// A task that is cancelled is locked while its streams end, and a task that is sent something is locked, too. Who sends
/// under a lock that the end of a stream needs waits for ever.
package enum CancellationRace {
    private static let rounds = 4_000

    private final class Progress: Sendable {
        private let count = Mutex(0)
        var rounds: Int { count.withLock(\.self) }
        var isDone: Bool { rounds == CancellationRace.rounds }
        func advance() { count.withLock { $0 += 1 } }
    }

    /// Sends in one thread, and cancels listeners in another. This one blocks: where tasks wait for ever, nothing would go
    /// on after an `await`.
    ///
    /// - Parameter listen: ends when its task is cancelled.
    /// - Returns: whether both went on to the end. If nothing happens for twenty seconds, they stand still.
    package static func ends(
        sending send: @escaping @Sendable () -> Void,
        listening listen: @escaping @Sendable () async -> Void
    ) -> Bool {
        let progress = Progress()
        let sender = Thread { while !progress.isDone { send() } }
        let canceller = Thread {
            while !progress.isDone {
                let tasks = (0..<4).map { _ in Task { await listen() } }
                usleep(20)
                for task in tasks { task.cancel() }
                progress.advance()
            }
        }
        sender.start()
        canceller.start()
        var (before, patience) = (-1, 20)
        while !progress.isDone, patience > 0 {
            let now = progress.rounds
            (before, patience) = (now, now == before ? patience - 1 : 20)
            sleep(1)
        }
        return progress.isDone
    }
}
