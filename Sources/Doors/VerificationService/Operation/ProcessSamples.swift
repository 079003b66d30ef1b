#if Service
    internal import Foundation
    internal import Platform

    /// Linux's figures about this process, by the names that Prometheus's own clients use.
    struct ProcessSamples: Sendable {
        private let start = Date()

        /// A figure that cannot be read is left out.
        var samples: [MetricSample] {
            var samples = [
                MetricSample(
                    "process_start_time_seconds", [], Int(start.timeIntervalSince1970.rounded(.down)))
            ]
            if let pages = Self.residentPages {
                samples.append(MetricSample("process_resident_memory_bytes", [], pages * Self.pageBytes))
            }
            if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                samples.append(MetricSample("process_open_fds", [], open.count))
            }
            return samples
        }

        private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

        /// The second number of `/proc/self/statm` (proc(5)).
        private static var residentPages: Int? {
            let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }
#endif
