internal import Essentials
internal import Libcrypto
internal import WireFormats

/// The instant at which a payload's certificates must be valid.
package struct EffectiveDate: Hashable, Sendable {
    /// Milliseconds since 1970, rounded down.
    package let milliseconds: Int64

    /// Seconds since 1970, rounded down, because certificate validity has a resolution of one second.
    var second: Int64 { Self.second(milliseconds: milliseconds) }

    /// Seconds since 1970, rounded down.
    static func second(milliseconds: Int64) -> Int64 { floor(milliseconds, 1000) }

    /// The date in the form of ISO 8601, with milliseconds.
    var iso8601: String { CalendarTime.iso8601(second, milliseconds: milliseconds - second * 1000) }

    /// Makes a date; `nil` outside the years 1 to 9999: no certificate can be valid then, and no calendar form in a
    /// message goes further.
    init?(milliseconds: Int64) {
        guard Self.isInRange(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// The date of an instant; `nil` outside the years 1 to 9999.
    init?(_ instant: Date) {
        let milliseconds = (instant.timeIntervalSince1970 * 1000).rounded(.down)
        guard let date = Int64(exactly: milliseconds).flatMap(Self.init(milliseconds:)) else { return nil }
        self = date
    }

    private static func isInRange(_ milliseconds: Int64) -> Bool {
        let second = floor(milliseconds, 1000)
        return second >= CalendarTime.firstSecond && second <= CalendarTime.lastSecond
    }

    private static func floor(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
