/// Dates in the form that receipts use (RFC 3339, section 5.6), for instance `2025-12-26T18:39:47Z`. Xcode
/// writes offsets without the colon, `+0100`.
package enum ReceiptDate {
    /// Milliseconds since 1970, rounded down; `nil` if the text is not a date in the years 1 to 9999.
    package static func milliseconds(_ text: Span<UInt8>) -> Int64? {
        guard text.count >= 20, text.count <= 40, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(text, 0..<4), let month = number(text, 5..<7), let day = number(text, 8..<10),
            let hour = number(text, 11..<13), let minute = number(text, 14..<16),
            let second = number(text, 17..<19),
            year >= 1, (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var position = 19
        guard let fraction = milliseconds(text, from: &position), let offset = offset(text, from: position)
        else { return nil }
        let seconds = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Int64(seconds) * 1_000 + Int64(fraction)
    }

    private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var number = 0
        for index in range {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// A fraction of a second, if there is one, in milliseconds.
    private static func milliseconds(_ text: Span<UInt8>, from position: inout Int) -> Int? {
        guard text[position] == UInt8(ascii: ".") else { return 0 }
        var (milliseconds, unit) = (0, 100)
        var index = position + 1
        while index < text.count, let digit = number(text, index..<index + 1) {
            milliseconds += digit * unit
            unit /= 10
            index += 1
        }
        guard index > position + 1, index < text.count else { return nil }
        position = index
        return milliseconds
    }

    /// The offset from UTC at the end of the text, in seconds.
    private static func offset(_ text: Span<UInt8>, from position: Int) -> Int? {
        let rest = text.count - position
        if rest == 1, text[position] == UInt8(ascii: "Z") { return 0 }
        let isColonThere = rest == 6 && text[position + 3] == UInt8(ascii: ":")
        guard rest == 5 || isColonThere,
            let hours = number(text, position + 1..<position + 3),
            let minutes = number(text, text.count - 2..<text.count), hours < 24, minutes < 60
        else { return nil }
        switch text[position] {
        case UInt8(ascii: "+"): return hours * 3_600 + minutes * 60
        case UInt8(ascii: "-"): return -hours * 3_600 - minutes * 60
        default: return nil
        }
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of days of the Gregorian calendar since 1970-01-01.
    ///
    /// This is arithmetic, because a receipt has four dates a purchase, and the C library's calendar takes
    /// longer than all other work on them. Years begin in March here, so that a leap day is the last day.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
