#if SQLite
    import Foundation
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitVerify
    import Synchronization

    /// Processes that the database's tests kill, and that benchmarks measure.
    ///
    /// - `apply-lines DATABASE ROOT` applies each transaction of standard input to a store, and writes the number of its
    ///   line when the store has returned.
    /// - `apply-lines receive DATABASE ROOT TASKS [ADDRESS ...]` gives each line to an inbox, in so many tasks, and writes
    ///   the line's number and outcome when the inbox has returned. At the end, it writes the time to standard error.
    /// - `apply-lines forward DATABASE ROOT SECRET ADDRESS ...` sends what is queued until it is killed, with short pauses.
    @main
    enum ApplyLines {
        static func main() async throws {
            var arguments = Array(CommandLine.arguments.dropFirst())
            let mode = arguments.count > 2 ? arguments.removeFirst() : "apply"
            let root = try Data(contentsOf: URL(filePath: arguments[1]))
            let verifier = try SignedPayloadVerifier(anchors: [TrustAnchor(der: Array(root))])
            let store = try SQLiteTransactionStore(path: arguments[0], verifier: verifier)
            switch mode {
            case "receive":
                let addresses = arguments.dropFirst(3).compactMap { URL(string: $0) }
                try await receive(
                    NotificationInbox(store, forwardingTo: addresses), tasks: Int(arguments[2]) ?? 1)
            case "forward":
                let addresses = arguments.dropFirst(3).compactMap { URL(string: $0) }
                try await forward(store, to: addresses, secret: ForwardingSecret(contentsOf: arguments[2]))
            default: try await apply(to: store)
            }
        }

        private static func apply(to store: SQLiteTransactionStore) async throws {
            var number = 0
            while let line = readLine() {
                number += 1
                try await store.apply(StoreKitVerifier(store.verifier).transaction(line))
                FileHandle.standardOutput.write(Data("\(number)\n".utf8))
            }
        }

        private static func receive(_ inbox: NotificationInbox, tasks: Int) async throws {
            let input = try FileHandle.standardInput.readToEnd() ?? Data()
            let lines = Array(input).split(separator: UInt8(ascii: "\n"))
            let counter = Counter()
            let (start, cpuStart) = (ContinuousClock.now, cpuSeconds())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        while true {
                            let index = counter.next()
                            guard index < lines.count else { return }
                            let outcome = try await inbox.receive(lines[index], at: Date())
                            FileHandle.standardOutput.write(Data("\(index + 1) \(name(of: outcome))\n".utf8))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let message = "\(lines.count) in \(seconds) s, CPU \(cpuSeconds() - cpuStart) s\n"
            FileHandle.standardError.write(Data(message.utf8))
        }

        /// The processor time of this process until now.
        private static func cpuSeconds() -> Double {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        /// Numbers from 0.
        private final class Counter: Sendable {
            private let value = Mutex(0)

            func next() -> Int {
                value.withLock { value in
                    defer { value += 1 }
                    return value
                }
            }
        }

        private static func name(of outcome: NotificationInbox.Outcome) -> String {
            switch outcome {
            case .accepted: "accepted"
            case .duplicate: "duplicate"
            case .refused(let error): error.code.rawValue
            }
        }

        private static func forward(
            _ store: SQLiteTransactionStore, to addresses: [URL], secret: ForwardingSecret
        ) async throws {
            var schedule = ForwardingSchedule()
            schedule.firstPause = .milliseconds(20)
            schedule.longestPause = .milliseconds(200)
            try await NotificationForwarder(store, to: addresses, secret: secret, schedule: schedule).run()
        }
    }
#endif
