#if SQLite
    /// Wakes the forwarders of a store while one of them runs: when time has passed, and when another process has
    /// written to the file. One question serves all addresses, so that an idle address reads nothing.
    struct FileWatch {
        let store: SQLiteTransactionStore

        /// How often the clock and the file are looked at.
        private static let tick = Duration.milliseconds(250)

        /// Wakes the forwarders from time to time, until the task is cancelled. It waits for nothing else: a
        /// delivery that is due must not wait for a process that keeps the file locked.
        func tick() async {
            while !Task.isCancelled {
                store.deliveries.tick()
                try? await Task.sleep(for: Self.tick)
            }
        }

        /// Wakes the forwarders after each write of another process, until the task is cancelled.
        func watch() async {
            var last: Int64?
            while !Task.isCancelled {
                // A file that cannot be asked is for the addresses to report.
                let version = try? await store.file.version()
                if version == nil || version != last { store.deliveries.wake() }
                last = version
                try? await Task.sleep(for: Self.tick)
            }
        }
    }
#endif
