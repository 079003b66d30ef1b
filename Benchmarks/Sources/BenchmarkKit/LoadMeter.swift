internal import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Measures how much of the machine other processes use during a measurement, which makes figures doubtful.
package struct LoadMeter {
    private let busy: Double?
    private let own: Double
    private let time: ContinuousClock.Instant

    /// Begins the measurement.
    package init() {
        busy = Self.busySeconds(in: (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? "")
        own = Self.ownSeconds()
        time = .now
    }

    /// The share of all cores that others used from an earlier moment to this one. Others are other processes
    /// of the machine, and other machines on the same processor, if the system reports these. `nil` if the
    /// system has no `/proc/stat`.
    package func othersShare(since earlier: LoadMeter, cores: Int) -> Double? {
        guard let busy, let before = earlier.busy else { return nil }
        let elapsed = earlier.time.duration(to: time) / .seconds(1)
        guard elapsed > 0, cores > 0 else { return nil }
        return max(0, (busy - before - (own - earlier.own)) / (elapsed * Double(cores)))
    }

    /// The seconds for which cores were not idle, from the first line of Linux's `/proc/stat`. Its fields are
    /// user, nice, system, idle, waiting, interrupts (two kinds) and stolen, in hundredths of a second.
    package static func busySeconds(in text: String) -> Double? {
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.first == "cpu", fields.count >= 9 else { return nil }
        let ticks = fields[1...8].compactMap { Double($0) }
        guard ticks.count == 8 else { return nil }
        return (ticks.reduce(0, +) - ticks[3] - ticks[4]) / 100
    }

    /// The processor time of this process and of its children.
    private static func ownSeconds() -> Double {
        var seconds = 0.0
        // RUSAGE_SELF and RUSAGE_CHILDREN. In Glibc's module they have a type that getrusage does not accept.
        for kind: Int32 in [0, -1] {
            var usage = rusage()
            guard unsafe getrusage(kind, &usage) == 0 else { continue }
            for time in [usage.ru_utime, usage.ru_stime] {
                seconds += Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
            }
        }
        return seconds
    }
}
