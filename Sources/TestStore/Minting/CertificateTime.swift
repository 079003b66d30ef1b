/// A time in UTC, to the second, in a certificate's form. The calendar is separate from the verifier's, so that neither
/// hides the other's mistakes.
package struct CertificateTime: Sendable, Equatable {
    package var secondsSince1970: Int

    package init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

    /// `CertificateTime(2025, 9, 19, 19, 44, 51)`.
    package init(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
    ) {
        let days = Self.daysSince1970(year: year, month: month, day: day)
        secondsSince1970 = ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    /// The first millisecond of this second, in the unit of payloads.
    package var milliseconds: Int { secondsSince1970 * 1000 }

    /// The time `seconds` later.
    package func advanced(by seconds: Int) -> CertificateTime {
        CertificateTime(secondsSince1970: secondsSince1970 + seconds)
    }

    /// UTCTime through 2049, GeneralizedTime from 2050 on (RFC 5280, 4.1.2.5).
    ///
    /// The year 1950 is the first that two digits can name.
    package var der: [UInt8] {
        let text = digits
        return (1950..<2050).contains(year)
            ? DER.utcTime(String(text.dropFirst(2))) : DER.generalizedTime(text)
    }

    /// `20250919194451Z`.
    package var digits: String {
        let (year, month, day) = civil
        let second = Self.modulo(secondsSince1970, 86_400)
        let parts = [month, day, second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }
        return Self.padded(year, to: 4) + parts.joined() + "Z"
    }

    /// `2025-09-19T19:44:51Z`, the form of the command's options.
    package var iso8601: String {
        let text = Array(digits)
        let fields = [0..<4, 4..<6, 6..<8, 8..<10, 10..<12, 12..<14].map { String(text[$0]) }
        return fields[..<3].joined(separator: "-") + "T" + fields[3...].joined(separator: ":") + "Z"
    }

    private var year: Int { civil.year }

    /// The Gregorian date; the inverse of `daysSince1970`.
    private var civil: (year: Int, month: Int, day: Int) {
        // Years begin on 1 March here, so that the leap day ends a year. Eras have 400 years.
        // 719 468 days lie between 1 March of the year 0 and 1 January 1970.
        let days = (secondsSince1970 - Self.modulo(secondsSince1970, 86_400)) / 86_400 + 719_468
        // An era has 400 · 365 + 97 = 146 097 days.
        let dayOfEra = Self.modulo(days, 146_097)
        let era = (days - dayOfEra) / 146_097
        // The leap days are taken out first: one every 4 years, none at a century, one at the end of the era.
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // From March on, five months have 153 days: 31, 30, 31, 30, 31.
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let yearOfEra = modulo(marchYear, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (marchYear - yearOfEra) / 400 * 146_097 + dayOfEra - 719_468
    }

    /// The remainder from 0 to n - 1; Swift's `%` has the sign of `a`.
    private static func modulo(_ a: Int, _ n: Int) -> Int { (a % n + n) % n }

    private static func padded(_ number: Int, to count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
