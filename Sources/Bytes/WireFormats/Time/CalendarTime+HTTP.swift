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

    #if ServerAPI
        /// Reads a date in a field of HTTP, an IMF-fixdate (RFC 9110, section 5.6.7).
        ///
        /// - Returns: seconds since 1970; `nil` if the text is not in the form of ``httpDate(_:)``.
        package static func seconds(http text: String) -> Int64? {
            let words = text.split(separator: " ")
            guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
            let number = (month < 9 ? "0" : "") + "\(month + 1)"
            guard let second = seconds(iso8601: "\(words[3])-\(number)-\(words[1])T\(words[4])Z"),
                httpDate(Int64(second)) == text
            else { return nil }
            return Int64(second)
        }
    #endif
}
