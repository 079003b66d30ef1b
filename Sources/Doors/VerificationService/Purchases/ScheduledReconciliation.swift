#if Service
    package import AppStoreServerAPI
    internal import Foundation
    internal import Logging
    internal import PurchaseDatabase
    internal import Reconciliation

    /// When an app's database is compared with the App Store.
    package struct ReconciliationPlan: Sendable {
        /// Asks the App Store. Its verifier is that of the app.
        let client: AppStoreServerAPIClient
        /// The time between two comparisons. A purchase whose newest payload is younger is left out.
        let pause: Duration

        package init(_ client: AppStoreServerAPIClient, every pause: Duration) {
            (self.client, self.pause) = (client, pause)
        }
    }

    /// Compares an app's database with the App Store, again and again, until its task is cancelled.
    ///
    /// The first comparison is at the start: it finds payloads that were sent while the service was down.
    struct ScheduledReconciliation: Sendable {
        let app: String
        let database: AppDatabase
        let metrics: AppMetrics
        let logger: Logger

        /// How many customers are asked about at a time. No client waits for the comparison, so most of Apple's limit stays for
        /// the app's other requests.
        private static let jobs = 2

        /// After a failure, which may be an outage of minutes.
        private static let pauseAfterFailure = Duration.seconds(600)

        func run() async {
            guard let plan = database.reconciliation else { return }
            while !Task.isCancelled {
                let isDone = await reconcile(plan)
                try? await Task.sleep(for: isDone ? plan.pause : min(plan.pause, Self.pauseAfterFailure))
            }
        }

        private func reconcile(_ plan: ReconciliationPlan) async -> Bool {
            let now = Date()
            let reconciliation = Reconciliation(database.store, plan.client, applies: true)
            do throws(Reconciliation.Failure) {
                let counts = try await reconciliation.run(
                    silentSince: now - plan.pause / .seconds(1), at: now, jobs: Self.jobs, tell: tell)
                // A run that was cancelled between two parts of the file has not compared all of it.
                guard !Task.isCancelled else { return false }
                metrics.reconciled(.same, counts.compared - counts.differing)
                logger.notice(
                    "the database was compared with the App Store",
                    metadata: [
                        "app": .string(app), "purchases": "\(counts.compared)",
                        "differ": "\(counts.differing)",
                        "refused": "\(counts.refused)",
                    ])
                return true
            } catch {
                guard !Task.isCancelled else { return false }
                let reason =
                    switch error {
                    case .store(let error): error.description
                    case .server(let error): error.description
                    }
                metrics.reconciliationFailed()
                logger.error(
                    "the database could not be compared with the App Store",
                    metadata: ["app": .string(app), "reason": .string(reason)])
                return false
            }
        }

        private func tell(_ report: Reconciliation.Report) {
            switch report {
            case .finding(let finding):
                metrics.reconciled(.different)
                logger.warning(
                    "the App Store says something else about a purchase than the database",
                    metadata: [
                        "app": .string(app), "originalTransactionId": "\(finding.originalTransactionID)",
                        "because": .string(finding.reason.sentence),
                        "members": .string(finding.differences.map(\.member).joined(separator: ",")),
                        "kept": "\(finding.isApplied)",
                    ])
            case .refusal(let id, let message):
                metrics.reconciled(.refused)
                logger.warning(
                    "the App Store gave no answer about a purchase",
                    metadata: [
                        "app": .string(app), "originalTransactionId": .string(id), "reason": .string(message),
                    ])
            }
        }
    }
#endif
