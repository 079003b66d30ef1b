#if Service
    internal import Foundation
    internal import Logging
    internal import PurchaseDatabase
    internal import ServiceLifecycle

    /// Forwards the queued notifications of the apps' databases, drops old bodies and compares with the App Store, until the service
    /// ends. After a reload, it goes on with the new configuration.
    ///
    /// Requests that are under way may end first. One that does not is interrupted, stays queued, and is sent again.
    struct AppRunner: Service {
        let apps: ServedApps
        let metrics: ServiceMetrics
        let logger: Logger

        /// - Throws: why a database cannot be read or written any more, which ends the service.
        func run() async throws {
            try await cancelWhenGracefulShutdown {
                var running: [Task<Void, Never>] = []
                do {
                    for try await _ in apps.changes {
                        // All counters are there before the first event, so that a rate can be computed.
                        for app in apps.all { _ = metrics.app(app.name) }
                        await Self.end(running)
                        running = start()
                    }
                } catch {
                    await Self.end(running)
                    throw error
                }
                await Self.end(running)
            }
        }

        private func start() -> [Task<Void, Never>] {
            apps.databases.flatMap { app, database in
                let monitor = DeliveryMonitor(app: app, metrics, logger)
                let reconciliation = ScheduledReconciliation(
                    app: app, database: database, metrics: metrics.app(app), logger: logger)
                return [
                    Task {
                        do { try await database.forwarder(monitor).run() } catch { apps.fail(error) }
                    },
                    Task { await Retention(app: app, database: database, logger: logger).run() },
                    Task { await reconciliation.run() },
                ]
            }
        }

        private static func end(_ tasks: [Task<Void, Never>]) async {
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
    }
#endif
