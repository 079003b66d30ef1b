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
}
