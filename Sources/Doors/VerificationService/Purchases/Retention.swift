#if Service
    internal import Foundation
    internal import Logging
    internal import PurchaseDatabase

    /// Drops the bodies of notifications whose time is over, once an hour, until its task is cancelled.
    struct Retention: Sendable {
        let app: String
        let database: AppDatabase
        let logger: Logger

        private static let pause = Duration.seconds(3600)

        func run() async {
            guard let time = database.keepsBodies else { return }
            repeat {
                await dropBodies(after: time / .seconds(1))
                try? await Task.sleep(for: Self.pause)
            } while !Task.isCancelled
        }

        /// A file that cannot be written is tried again in an hour: nothing depends on it.
        private func dropBodies(after seconds: Double) async {
            do throws(SQLiteStoreError) {
                let count = try await database.inbox.dropBodies(before: Date(timeIntervalSinceNow: -seconds))
                guard count > 0 else { return }
                logger.notice(
                    "bodies of notifications were dropped, because their time was over",
                    metadata: ["app": .string(app), "count": "\(count)"])
            } catch {
                logger.error(
                    "bodies of notifications could not be dropped",
                    metadata: ["app": .string(app), "reason": .string(error.description)])
            }
        }
    }
#endif
