package import Essentials

/// The two spellings of ISO 8601 that are read: people's in options, and receipts'. No other text is a date. A day or an
/// hour that does not exist is refused in both.
extension CalendarTime {
    /// The seconds since 1970 of a date as people write it: `2025-10-11`, or `2025-10-11T19:51:52Z`. Seconds and their
    /// fraction, of at most nine digits, are optional, and an offset may stand in place of the `Z`.
    ///
    /// A time without a zone is refused, because its meaning would depend on the machine.
    package static func seconds(iso8601 text: String) -> Double? {
        let text = text.utf8Span.span
        var position = 0
        guard let date = date(text, &position) else { return nil }
        if position == text.count { return seconds(date, (0, 0, 0)).map { Double($0) } }
        guard let clock = time(text, &position, areSecondsOptional: true),
            let second = seconds(date, clock.fields), clock.fractionDigits <= 9,
            let offset = offset(text, from: position, isColonOptional: false)
        else { return nil }
        return Double(second) + Double(clock.nanoseconds) / 1_000_000_000 - Double(offset)
    }

    /// The milliseconds since 1970, rounded down, of a date as receipts write it (RFC 3339, section 5.6), for instance
    /// `2025-12-26T18:39:47Z`. Xcode writes offsets without the colon, `+0100`.
    ///
    /// It allocates nothing. A receipt has four dates a purchase.
    package static func milliseconds(receiptDate text: Span<UInt8>) -> Int64? {
        guard text.count <= 40 else { return nil }
        var position = 0
        guard let date = date(text, &position),
            let clock = time(text, &position, areSecondsOptional: false),
            let second = seconds(date, clock.fields),
            let offset = offset(text, from: position, isColonOptional: true)
        else { return nil }
        return (second - Int64(offset)) * 1000 + Int64(clock.nanoseconds / 1_000_000)
    }

    // MARK: - Parts, each read from a position that is then moved behind it

    private static func date(_ text: Span<UInt8>, _ position: inout Int) -> (Int, Int, Int)? {
        guard let year = number(text, &position, digits: 4), skip("-", text, &position),
            let month = number(text, &position, digits: 2), skip("-", text, &position),
            let day = number(text, &position, digits: 2)
        else { return nil }
        return (year, month, day)
    }

    private static func time(
        _ text: Span<UInt8>, _ position: inout Int, areSecondsOptional: Bool
    ) -> (fields: (Int, Int, Int), nanoseconds: Int, fractionDigits: Int)? {
        guard skip("T", text, &position), let hour = number(text, &position, digits: 2),
            skip(":", text, &position), let minute = number(text, &position, digits: 2)
        else { return nil }
        guard skip(":", text, &position) else { return areSecondsOptional ? ((hour, minute, 0), 0, 0) : nil }
        guard let second = number(text, &position, digits: 2) else { return nil }
        let fields = (hour, minute, second)
        guard skip(".", text, &position) else { return (fields, 0, 0) }
        let start = position
        var (nanoseconds, unit) = (0, 100_000_000)
        while let digit = number(text, &position, digits: 1) {
            nanoseconds += digit * unit
            unit /= 10
        }
        return position == start ? nil : (fields, nanoseconds, position - start)
    }

    /// The offset from UTC in seconds, with which the text must end.
    private static func offset(_ text: Span<UInt8>, from start: Int, isColonOptional: Bool) -> Int? {
        var position = start
        if skip("Z", text, &position) { return position == text.count ? 0 : nil }
        let isWest = skip("-", text, &position)
        guard isWest || skip("+", text, &position), let hours = number(text, &position, digits: 2),
            skip(":", text, &position) || isColonOptional,
            let minutes = number(text, &position, digits: 2), position == text.count, hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private static func seconds(_ date: (Int, Int, Int), _ time: (Int, Int, Int)) -> Int64? {
        seconds(
            year: date.0, month: date.1, day: date.2, hour: time.0, minute: time.1, second: time.2)
    }

    /// A number of exactly so many digits. Otherwise the position stays.
    private static func number(_ text: Span<UInt8>, _ position: inout Int, digits: Int) -> Int? {
        guard digits <= text.count - position else { return nil }
        var number = 0
        for index in position..<position + digits {
            guard isDigit(text[index]) else { return nil }
            number = number * 10 + Int(text[index] - UInt8(ascii: "0"))
        }
        position += digits
        return number
    }

    /// Moves behind a character, if it is the next one.
    private static func skip(_ character: UnicodeScalar, _ text: Span<UInt8>, _ position: inout Int) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}

extension Date {
    /// Reads a date as people write it; see `CalendarTime.seconds(iso8601:)`.
    package init?(iso8601 text: String) {
        guard let seconds = CalendarTime.seconds(iso8601: text) else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }
}
