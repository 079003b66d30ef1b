#if Service
    internal import Foundation
    internal import Logging
    internal import PurchaseDatabase
    internal import Synchronization

    /// Writes the outcomes of an app's deliveries into the log and the metrics.
    ///
    /// An address is shown without its path's parameters, its user and its password, which may be secrets.
    final class DeliveryMonitor: Sendable {
        private let app: String
        private let metrics: ServiceMetrics
        private let logger: Logger
        /// When the log last said that an address fails. One that accepts every other notification would fill it.
        private let failing = Mutex<[String: ContinuousClock.Instant]>([:])

        private static let pause = Duration.seconds(60)

        init(app: String, _ metrics: ServiceMetrics, _ logger: Logger) {
            (self.app, self.metrics, self.logger) = (app, metrics, logger)
        }

        func tell(_ event: ForwardingEvent) {
            switch event {
            case .attempt(let address, let outcome):
                metrics.attempt(app: app, address: Self.shown(address), outcome)
            case .failing(let address, let reason):
                guard isNews(address) else { return }
                log(
                    .warning, "an address does not accept notifications", address, ["reason": .string(reason)]
                )
            case .recovered(let address, let failures):
                guard failing.withLock({ $0.removeValue(forKey: address) }) != nil else { return }
                log(.notice, "an address accepts notifications again", address, ["failures": "\(failures)"])
            case .givenUp(let address, let uuid, let attempts, let reason):
                log(
                    .error, "a delivery is given up", address,
                    ["notificationUUID": .string(uuid), "attempts": "\(attempts)", "reason": .string(reason)])
            case .standsBy(let address, let standsBy):
                log(
                    .notice,
                    standsBy
                        ? "another service on the same file forwards to the address; this one stands by"
                        : "this service forwards to the address now", address, [:])
            }
        }

        private func isNews(_ address: String) -> Bool {
            failing.withLock { failing in
                let now = ContinuousClock.now
                if let last = failing[address], now - last < Self.pause { return false }
                failing[address] = now
                return true
            }
        }

        private func log(
            _ level: Logger.Level, _ message: Logger.Message, _ address: String, _ details: Logger.Metadata
        ) {
            let place: Logger.Metadata = ["app": .string(app), "address": .string(Self.shown(address))]
            logger.log(level: level, message, metadata: place.merging(details) { $1 })
        }

        /// The waiting and given-up deliveries of an app, for the metrics.
        ///
        /// - Parameters:
        ///   - counts: those that have not succeeded.
        ///   - addresses: those of the configuration, which have a series even if nothing waits.
        static func samples(
            _ counts: [DeliveryCount], to addresses: [URL], of app: String, at instant: Date
        ) -> [MetricSample] {
            // Addresses that differ in hidden parts alone are one series.
            var series = Dictionary(grouping: counts) { shown($0.address) }
            for address in addresses { series[shown(address.absoluteString), default: []] += [] }
            return series.sorted { $0.key < $1.key }.flatMap { address, counts -> [MetricSample] in
                let labels = [("app", app), ("address", address)]
                let age = counts.compactMap(\.oldestWaiting).min().map {
                    max(0, instant.timeIntervalSince($0))
                }
                return [
                    MetricSample(
                        "storekit_verify_deliveries", labels + [("state", "waiting")],
                        counts.reduce(0) { $0 + $1.waiting }),
                    MetricSample(
                        "storekit_verify_deliveries", labels + [("state", "givenUp")],
                        counts.reduce(0) { $0 + $1.givenUp }),
                    MetricSample("storekit_verify_oldest_delivery_seconds", labels, Int(age ?? 0)),
                ]
            }
        }

        /// An address as the log and the metrics show it.
        static func shown(_ address: String) -> String {
            guard var parts = URLComponents(string: address) else { return "an address that cannot be shown" }
            (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
            return parts.string ?? "an address that cannot be shown"
        }
    }
#endif
