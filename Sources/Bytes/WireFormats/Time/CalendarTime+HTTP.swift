extension CalendarTime {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A date in a field of HTTP, an IMF-fixdate (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter second: a second of the years 1 to 9999.
    package static func httpDate(_ second: Int64) -> String {
        let text = iso8601(second)
        let day = day(of: Int(second))
        let date = date(ofDay: day)
        return "\(weekdays[weekday(ofDay: day)]), \(text.dropFirst(8).prefix(2)) \(months[date.month - 1]) "
            + "\(text.prefix(4)) \(text.dropFirst(11).prefix(8)) GMT"
    }

    /// Reads a date in a field of HTTP, an IMF-fixdate (RFC 9110, section 5.6.7).
    ///
    /// - Returns: seconds since 1970; `nil` if the text has another form.
    package static func seconds(http text: String) -> Int64? {
        let parts = text.split(whereSeparator: { " :".contains($0) })
        guard parts.count == 8, parts[7] == "GMT",
            let month = months.firstIndex(where: { $0 == parts[2] }),
            let day = Int(parts[1]), let year = Int(parts[3]), let hour = Int(parts[4]),
            let minute = Int(parts[5]), let second = Int(parts[6])
        else { return nil }
        return seconds(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }
}
