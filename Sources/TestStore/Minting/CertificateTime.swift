internal import WireFormats

/// A time in UTC, to the second, in a certificate's form.
package struct CertificateTime: Sendable, Equatable {
    package var secondsSince1970: Int

    package init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

    /// `CertificateTime(2025, 9, 19, 19, 44, 51)`. A time that does not exist becomes the last one of the year 9999.
    package init(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
    ) {
        let seconds = CalendarTime.seconds(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        secondsSince1970 = Int(seconds ?? CalendarTime.lastSecond)
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
        return ("1950"..<"2050").contains(text)
            ? DER.utcTime(String(text.dropFirst(2))) : DER.generalizedTime(text)
    }

    /// `20250919194451Z`.
    package var digits: String { iso8601.filter { $0.isNumber } + "Z" }

    /// `2025-09-19T19:44:51Z`, the form of the command's options.
    package var iso8601: String { CalendarTime.iso8601(Int64(secondsSince1970)) }
}
