#if SQLite
    import CommandSupport
    import Platform
    import Synchronization
    import Essentials

    /// Tells a fetch how many of its lines are in the database. The fetch writes into this command's standard input. If both
    /// are killed, it fetches the pipe's content again.
    ///
    /// The fetch is found by the number of the pipe that both hold, so that the next fetch does not count these lines.
    final class KeptLines: Sendable {
        private struct Report: ~Copyable {
            /// The run, and the file beside its state; `nil` before the first report.
            var run: String?
            var file: FileDescriptor?
            var isSilent = false
        }

        private let state: FileName
        private let report = Mutex(Report())

        init(_ state: FileName) { self.state = state }

        /// Notes that so many lines of standard input, the first ones, are kept. A failure is said once: the import goes on.
        func say(_ lines: Int) {
            report.withLock { report in
                if report.isSilent { return }
                do throws(FetchLog.Failure) {
                    if report.run == nil { report.run = try self.run() }
                    let run = report.run ?? ""
                    // As long each time, because it is written over the last one.
                    let count = String(repeating: "0", count: max(0, 19 - "\(lines)".count)) + "\(lines)"
                    try FetchLog.Failure.ofSystem { () throws(SystemError) in
                        if report.file == nil { report.file = try .update(FetchLog.keptName(state)) }
                        try report.file?.write(Array("\(run) \(count)\n".utf8), at: 0)
                    }
                } catch {
                    report.isSilent = true
                    StandardError.say(
                        "--state \(state.text): \(error.message); nothing is marked as kept, and will be fetched again"
                    )
                }
            }
        }

        /// The run that writes into this pipe.
        private func run() throws(FetchLog.Failure) -> String {
            let content = try FetchLog.Failure.ofSystem { () throws(SystemError) in
                try state.read(maximumBytes: FetchLog.maximumBytes)
            }
            guard let pipe = FileDescriptor(borrowing: FileDescriptor.standardInput).pipeNumber else {
                throw FetchLog.Failure("standard input is not a pipe")
            }
            for (entry, _) in try FetchLog(content).entries.reversed() {
                if case .run(let id, .pipe(pipe)) = entry { return id }
            }
            throw FetchLog.Failure("no fetch with this state writes into this pipe")
        }
    }
#endif
