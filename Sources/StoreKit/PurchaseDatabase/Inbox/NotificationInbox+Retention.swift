#if SQLite
    public import Foundation

    /// The end of the time for which an inbox keeps bodies.
    extension NotificationInbox {
        /// Drops the bodies of older notifications, with the results of their deliveries. Their identifiers stay, so
        /// that a repetition is recognised. The purchases stay.
        ///
        /// A notification that still waits for a delivery is kept until that has ended. The file does not become
        /// smaller: new bodies take the room. Others may write between two transactions of some hundred notifications.
        ///
        /// - Parameter instant: bodies that came before it are dropped.
        /// - Returns: the number of bodies.
        /// - Throws: `SQLiteStoreError` if the file cannot be written.
        public func dropBodies(before instant: Date) async throws(SQLiteStoreError) -> Int {
            let milliseconds = instant.milliseconds
            var (count, last) = (0, Int64.min)
            while !Task.isCancelled {
                let dropped = try await store.commits.write { [last] db in
                    try Outbox(db).dropBodies(before: milliseconds, after: last)
                }
                count += dropped.count
                guard let end = dropped.last else { break }
                last = end
            }
            return count
        }
    }
#endif
