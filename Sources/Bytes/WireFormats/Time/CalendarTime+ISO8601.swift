extension CalendarTime {
    /// The seconds since 1970 of a date of ISO 8601 as people write it: `2025-10-11`, or `2025-10-11T19:51:52Z`. Seconds
    /// and their fraction are optional, and an offset may stand in place of the `Z`.
    ///
    /// A time without a zone is refused, because its meaning would depend on the machine. A day or an hour that does not
    /// exist is refused too.
    package static func seconds(iso8601 text: String) -> Double? {
        let form =
            /(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d)))?/
        // The digits of other scripts are none here.
        guard let fields = text.wholeMatch(of: form.asciiOnlyDigits())?.output else { return nil }
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        let (hours, minutes) = (number(fields.9), number(fields.10))
        let seconds = seconds(
            year: number(fields.1), month: number(fields.2), day: number(fields.3), hour: number(fields.4),
            minute: number(fields.5), second: number(fields.6))
        guard let seconds, hours < 24, minutes < 60 else { return nil }
        let offset = Double(hours * 3600 + minutes * 60) * (fields.8 == "-" ? -1 : 1)
        let fraction = fields.7.flatMap { Double("0.\($0)") } ?? 0
        return Double(seconds) + fraction - offset
    }
}
