#if Service
    internal import CoreMetrics
    internal import Metrics
    internal import PurchaseDatabase
    internal import RequestSigning
    internal import SignedPayloads
    internal import Synchronization

    /// The service's counters and gauges.
    ///
    /// The names are a promise to dashboards: one that changes is a breaking change.
    final class ServiceMetrics: Sendable {
        let registry: PrometheusRegistry
        let openConnections: Meter
        let timeouts: Counter
        /// Connections whose bytes were not HTTP.
        let malformed: Counter
        /// In files, of all batches.
        let spooledBytes: Meter
        /// Notifications to an address that names no app with a database.
        let misdirected: Counter

        private static let help = [
            "storekit_verify_requests_total": "Requests answered, by route and class of status.",
            "storekit_verify_request_seconds":
                "Time from a request's head to the beginning of its answer, by route.",
            "storekit_verify_verdicts_total": "Verdicts given, by app and error; ok is verified.",
            "storekit_verify_batch_lines_total": "Lines of batches that got a verdict, by app.",
            "storekit_verify_spooled_bytes": "Bytes of verdicts in files, which their clients have not read.",
            "storekit_verify_notifications_total":
                "Requests to the App Store's address, by app and outcome; misdirected ones name no app.",
            "storekit_verify_retention_messages_total":
                "Requests for a retention message, by app and answer.",
            "storekit_verify_reconciled_total":
                "Purchases that are the same at the App Store, differences, and refusals, by app.",
            "storekit_verify_reconciliation_failures_total":
                "Comparisons with the App Store that ended early, by app.",
            "storekit_verify_open_connections": "Connections that are open now.",
            "storekit_verify_malformed_total": "Connections ended because their bytes were not HTTP/1.1.",
            "storekit_verify_refusals_total": "Requests that came to no handler, by the reason.",
            "storekit_verify_timeouts_total": "Connections ended because the client was slow or silent.",
            "storekit_verify_delivery_attempts_total": "Attempts to forward notifications, by their outcome.",
            "storekit_verify_deliveries": "Deliveries that wait for an attempt, or were given up.",
            "storekit_verify_oldest_delivery_seconds":
                "How long ago the oldest notification came that waits to be forwarded; 0 if none waits.",
            "storekit_verify_database_bytes": "The size of the database, and of SQLite's log beside it.",
            "storekit_verify_build_info": "1; the label has the version.",
            "process_resident_memory_bytes": "Memory in use.",
            "process_open_fds": "Open descriptors.",
            "process_start_time_seconds": "When the process started, in seconds since 1970.",
        ]

        /// One counter for each reason from the start, so that a rate can be computed before the first event.
        private let refusals: [Problem.Refusal: Counter]
        /// By app, address and outcome. Addresses are those of the configuration.
        private let attempts = Mutex<[String: Counter]>([:])
        /// By the names of the configuration. An app that a reload has left out keeps its numbers.
        private let apps = Mutex<[String: AppMetrics]>([:])

        init() {
            let registry = PrometheusRegistry(help: Self.help)
            self.registry = registry
            func counter(_ name: String, _ dimensions: [(String, String)] = []) -> Counter {
                Counter(label: name, dimensions: dimensions, factory: registry)
            }
            refusals = Dictionary(
                uniqueKeysWithValues: Problem.Refusal.allCases.map {
                    ($0, counter("storekit_verify_refusals_total", [("reason", $0.rawValue)]))
                })
            misdirected = counter("storekit_verify_notifications_total", [("outcome", "misdirected")])
            spooledBytes = Meter(label: "storekit_verify_spooled_bytes", dimensions: [], factory: registry)
            malformed = counter("storekit_verify_malformed_total")
            timeouts = counter("storekit_verify_timeouts_total")
            openConnections = Meter(
                label: "storekit_verify_open_connections", dimensions: [], factory: registry)
        }

        /// Counts a request that came to no handler.
        func refuse(_ refusal: Problem.Refusal) { refusals[refusal]?.increment() }

        /// The counters of an app.
        ///
        /// - Parameter name: a name of the configuration, never a text that a client sent.
        func app(_ name: String) -> AppMetrics {
            apps.withLock { apps in
                if let metrics = apps[name] { return metrics }
                let metrics = AppMetrics(name, registry)
                apps[name] = metrics
                return metrics
            }
        }

        /// Counts an attempt to forward a notification.
        func attempt(app: String, address: String, _ outcome: ForwardingEvent.Outcome) {
            let counter = attempts.withLock { attempts in
                let key = "\(app) \(address) \(outcome)"
                if let counter = attempts[key] { return counter }
                let counter = Counter(
                    label: "storekit_verify_delivery_attempts_total",
                    dimensions: [("app", app), ("address", address), ("outcome", outcome.rawValue)],
                    factory: registry)
                attempts[key] = counter
                return counter
            }
            counter.increment()
        }

        /// The counters of a route.
        ///
        /// - Parameter path: the route's path as it was declared, never a text that a client sent.
        func route(_ path: String) -> RouteMetrics { RouteMetrics(path, registry) }
    }

    /// The counters of one app.
    final class AppMetrics: Sendable {
        let batchLines: Counter
        /// One counter for each outcome from the start, so that a rate can be computed before the first event.
        private let received: [Receipt: Counter]
        private let retention: [String: Counter]
        private let reconciled: [Comparison: Counter]
        private let failedReconciliations: Counter
        private let verified: Counter
        private let failed: [PayloadError.Code: Counter]

        fileprivate init(_ app: String, _ registry: PrometheusRegistry) {
            func counter(_ name: String, _ dimensions: (String, String)...) -> Counter {
                Counter(label: name, dimensions: [("app", app)] + dimensions, factory: registry)
            }
            verified = counter("storekit_verify_verdicts_total", ("error", "ok"))
            failed = Dictionary(
                uniqueKeysWithValues: PayloadError.Code.allCases.map {
                    ($0, counter("storekit_verify_verdicts_total", ("error", $0.rawValue)))
                })
            received = Dictionary(
                uniqueKeysWithValues: Receipt.allCases.map {
                    ($0, counter("storekit_verify_notifications_total", ("outcome", $0.rawValue)))
                })
            let choices = RetentionOutcome.all.map(\.name)
            retention = Dictionary(
                uniqueKeysWithValues: choices.map {
                    ($0, counter("storekit_verify_retention_messages_total", ("outcome", $0)))
                })
            reconciled = Dictionary(
                uniqueKeysWithValues: Comparison.allCases.map {
                    ($0, counter("storekit_verify_reconciled_total", ("outcome", $0.rawValue)))
                })
            failedReconciliations = counter("storekit_verify_reconciliation_failures_total")
            batchLines = counter("storekit_verify_batch_lines_total")
        }

        /// Outcomes of received notifications.
        enum Receipt: String, CaseIterable {
            case accepted, duplicate, refused
            /// It is verified, and the configuration refuses it: it is of another app, environment or root.
            case foreign
            /// The file did not keep it.
            case failed
        }

        /// The outcome of comparing a subscription with the App Store.
        enum Comparison: String, CaseIterable {
            case same, different, refused
        }

        /// Counts subscriptions that the App Store was asked about.
        func reconciled(_ outcome: Comparison, _ count: Int = 1) {
            reconciled[outcome]?.increment(by: count)
        }

        /// Counts a comparison with the App Store that ended early.
        func reconciliationFailed() { failedReconciliations.increment() }

        /// The outcome of a request for a retention message.
        enum RetentionOutcome {
            case answered(RetentionRules.Choice)
            case refused
            /// An offer could not be signed.
            case failed

            static var all: [RetentionOutcome] {
                RetentionRules.Choice.allCases.map { .answered($0) } + [.refused, .failed]
            }

            /// The label's value.
            var name: String {
                switch self {
                case .answered(let choice): choice.rawValue
                case .refused: "refused"
                case .failed: "failed"
                }
            }
        }

        /// Counts a request for a retention message.
        func retention(_ outcome: RetentionOutcome) { retention[outcome.name]?.increment() }

        /// Counts a received notification.
        func notifications(_ outcome: Receipt) { received[outcome]?.increment() }

        /// Counts a verdict.
        func record(_ failure: PayloadError?) {
            guard let failure else { return verified.increment() }
            failed[failure.code]?.increment()
        }
    }

    /// The counters of one route.
    struct RouteMetrics: Sendable {
        /// By the first digit of the status, from 1 to 5.
        private let requests: [Counter]
        private let times: Timer

        fileprivate init(_ path: String, _ registry: PrometheusRegistry) {
            requests = (1...5).map { status in
                Counter(
                    label: "storekit_verify_requests_total",
                    dimensions: [("route", path), ("status", "\(status)xx")], factory: registry)
            }
            times = Timer(
                label: "storekit_verify_request_seconds", dimensions: [("route", path)], factory: registry)
        }

        /// Counts a request.
        func record(_ status: Int, _ time: Duration) {
            requests[min(max(status / 100, 1), 5) - 1].increment()
            times.recordNanoseconds(Int64(time / .nanoseconds(1)))
        }
    }
#endif
