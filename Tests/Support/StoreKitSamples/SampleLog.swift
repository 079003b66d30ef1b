import Synchronization

/// Records what the samples did.
package enum SampleLog {
    @TaskLocal package static var current: SampleLog.Entries?

    package final class Entries: Sendable {
        private let lines = Mutex<[String]>([])

        package init() {}

        package func add(_ line: String) { lines.withLock { $0.append(line) } }

        package var all: [String] { lines.withLock(\.self) }
    }
}
