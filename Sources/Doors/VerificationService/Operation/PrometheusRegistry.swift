#if Service
    internal import CoreMetrics
    internal import Synchronization

    /// Keeps the values of swift-metrics, and writes them as Prometheus text (exposition format 0.0.4).
    ///
    /// The service's labels are few: those of the configuration, and constants. So memory is bounded: nothing that a
    /// client sends becomes a label.
    final class PrometheusRegistry: MetricsFactory {
        private enum Metric: Sendable {
            case counter(CountedValue)
            case gauge(GaugeValue)
            case histogram(HistogramValue)

            var type: String {
                switch self {
                case .counter: "counter"
                case .gauge: "gauge"
                case .histogram: "histogram"
                }
            }
        }

        private struct Entry: Sendable {
            let name: String
            let labels: String
            let metric: Metric
        }

        /// In the order in which the metrics were made.
        private let entries = Mutex<[Entry]>([])
        private let help: [String: String]

        /// - Parameter help: a sentence for each name.
        init(help: [String: String]) { self.help = help }

        // MARK: - The factory

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            let value = CountedValue()
            add(label, dimensions, .counter(value))
            return value
        }

        func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
            let value = GaugeValue()
            add(label, dimensions, .gauge(value))
            return value
        }

        /// Recorders are histograms too; the service has none.
        func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool)
            -> any RecorderHandler
        {
            let value = HistogramValue()
            add(label, dimensions, .histogram(value))
            return value
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            let value = HistogramValue()
            add(label, dimensions, .histogram(value))
            return value
        }

        // The service makes its metrics once and keeps them.
        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyMeter(_ handler: any MeterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}

        private func add(_ name: String, _ dimensions: [(String, String)], _ metric: Metric) {
            let labels = Self.text(of: dimensions)
            entries.withLock { $0.append(Entry(name: name, labels: labels, metric: metric)) }
        }

        /// Labels as the text has them: a backslash, a quote and a line break are escaped.
        private static func text(of labels: [(String, String)]) -> String {
            labels.map { name, value in
                let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                    .replacing("\n", with: "\\n")
                return "\(name)=\"\(escaped)\""
            }.joined(separator: ",")
        }

        // MARK: - The text

        /// All metrics, those of one name together.
        ///
        /// - Parameter samples: gauges that are found at the moment.
        /// - Complexity: linear in the metrics for each name. There are some dozens.
        func text(_ samples: [MetricSample]) -> String {
            let counted = entries.withLock(\.self)
            let found = samples.map { sample in
                let value = GaugeValue()
                value.set(Int64(sample.value))
                return Entry(name: sample.name, labels: Self.text(of: sample.labels), metric: .gauge(value))
            }
            let entries = counted + found
            var names: [String] = []
            for entry in entries where !names.contains(entry.name) { names.append(entry.name) }
            var text = ""
            for name in names {
                let group = entries.filter { $0.name == name }
                if let help = help[name] { text += "# HELP \(name) \(help)\n" }
                if let type = group.first?.metric.type { text += "# TYPE \(name) \(type)\n" }
                for entry in group { Self.write(entry, to: &text) }
            }
            return text
        }

        private static func write(_ entry: Entry, to text: inout String) {
            let labels = entry.labels.isEmpty ? "" : "{\(entry.labels)}"
            switch entry.metric {
            case .counter(let value): text += "\(entry.name)\(labels) \(value.count)\n"
            case .gauge(let value): text += "\(entry.name)\(labels) \(value.number)\n"
            case .histogram(let value): value.write(entry.name, entry.labels, to: &text)
            }
        }
    }

    /// A number that only grows.
    ///
    /// Relaxed order is enough: each value is read by itself, and no other memory depends on it.
    private final class CountedValue: CounterHandler {
        private let value = Atomic<Int64>(0)

        var count: Int64 { value.load(ordering: .relaxed) }

        func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
        func reset() { value.store(0, ordering: .relaxed) }
    }

    /// A whole number that goes up and down.
    private final class GaugeValue: MeterHandler {
        private let value = Atomic<Int64>(0)

        var number: Int64 { value.load(ordering: .relaxed) }

        func set(_ value: Int64) { self.value.store(value, ordering: .relaxed) }
        func set(_ value: Double) { set(Int64(value)) }
        func increment(by amount: Double) { value.wrappingAdd(Int64(amount), ordering: .relaxed) }
        func decrement(by amount: Double) { value.wrappingSubtract(Int64(amount), ordering: .relaxed) }
    }

    /// How often values were within bounds. Times are recorded in nanoseconds and written in seconds.
    private final class HistogramValue: TimerHandler, RecorderHandler {
        /// From 50 µs, a warm verdict, to 10 s, more than a request may take.
        ///
        /// In nanoseconds.
        private static let bounds: [Int64] = [
            50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
            100_000_000,
            1_000_000_000, 10_000_000_000,
        ]

        /// One lock, so that the buckets, the count and the sum of an answer fit each other.
        private let state = Mutex<(counts: [Int], count: Int, sum: Int64)>(
            (Array(repeating: 0, count: HistogramValue.bounds.count), 0, 0))

        func recordNanoseconds(_ duration: Int64) {
            state.withLock { state in
                if let place = Self.bounds.firstIndex(where: { duration <= $0 }) { state.counts[place] += 1 }
                state.count += 1
                state.sum &+= duration
            }
        }

        func record(_ value: Int64) { recordNanoseconds(value) }
        func record(_ value: Double) { recordNanoseconds(Int64(value)) }

        /// Prometheus counts a value in every bucket that it fits, so the totals add up.
        func write(_ name: String, _ labels: String, to text: inout String) {
            let (counts, count, sum) = state.withLock(\.self)
            let start = labels.isEmpty ? "" : labels + ","
            var total = 0
            for (bound, count) in zip(Self.bounds, counts) {
                total += count
                text += "\(name)_bucket{\(start)le=\"\(Double(bound) / 1e9)\"} \(total)\n"
            }
            let braces = labels.isEmpty ? "" : "{\(labels)}"
            text += "\(name)_bucket{\(start)le=\"+Inf\"} \(count)\n"
            text += "\(name)_sum\(braces) \(Double(sum) / 1e9)\n\(name)_count\(braces) \(count)\n"
        }
    }
#endif
