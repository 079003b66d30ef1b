#if SQLite
    internal import Foundation

    /// A forwarder as the owner of a lease, with the process that it runs in: another one on the same system sees
    /// at once that the process has ended, and need not wait for the end of the lease.
    package struct LeaseOwner: Equatable, Sendable {
        /// As the file has it: a UUID, and where Linux tells them, the system, the process's number and its start.
        package let text: String

        /// A new owner in this process.
        package init() {
            let uuid = UUID().uuidString
            let number = ProcessInfo.processInfo.processIdentifier
            if let system = Self.system, let process = Self.process(number) {
                text = "\(uuid) \(system) \(number) \(process.start)"
            } else {
                text = uuid
            }
        }

        /// An owner that the file has.
        package init(text: String) { self.text = text }

        /// Whether the owner's process has certainly ended. A process of another machine or container cannot be
        /// seen from here, so its lease lasts.
        package var hasEnded: Bool {
            let parts = text.split(separator: " ")
            guard parts.count == 4, let number = Int32(parts[2]), number > 0,
                Self.system.map({ $0 == parts[1] }) ?? false
            else { return false }
            // Signal 0 is not delivered. The call only tells whether the process exists, also if another user owns it.
            if kill(number, 0) != 0 && errno == ESRCH { return true }
            // The number may be another process's by now, and a process that was killed has one until its parent asks.
            guard let process = Self.process(number) else { return false }
            return process.start != parts[3] || process.state == "Z"
        }

        /// The kernel's run, and the namespace in which it numbers processes.
        private static var system: String? {
            guard
                let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
                let numbers = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
            else { return nil }
            let system = boot.trimmingCharacters(in: .whitespacesAndNewlines) + "/" + numbers
            return system.contains(" ") ? nil : system
        }

        /// A process's state, and when it started, from `/proc/PID/stat` (proc(5)): the fields 3 and 22. The second
        /// one is the name in parentheses, which may have spaces.
        private static func process(_ number: Int32) -> (state: Substring, start: Substring)? {
            guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
                let name = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: name)...].split(separator: " ")
            return fields.count > 19 ? (fields[0], fields[19]) : nil
        }
    }
#endif
