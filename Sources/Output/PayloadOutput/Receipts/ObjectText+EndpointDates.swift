internal import Essentials
internal import WireFormats

extension ObjectText {
    /// Adds a date in the three forms of `verifyReceipt`: in UTC, as milliseconds since 1970, and in Los Angeles.
    mutating func add(_ name: String, endpointForms date: Date?) {
        guard let date else { return }
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds) else { return }
        let second = Int64((milliseconds / 1000).rounded(.down))
        add(name, Self.text(second, zone: "Etc/GMT"))
        add(name + "_ms", "\(whole)")
        add(name + "_pst", Self.text(second + PacificTime.offset(at: second), zone: "America/Los_Angeles"))
    }

    /// A time in the form `2025-12-26 18:39:47 Etc/GMT`.
    private static func text(_ second: Int64, zone: String) -> String {
        let iso8601 = CalendarTime.iso8601(second)
        guard iso8601.hasSuffix("Z") else { return iso8601 }
        return iso8601.dropLast().replacing("T", with: " ") + " " + zone
    }
}
