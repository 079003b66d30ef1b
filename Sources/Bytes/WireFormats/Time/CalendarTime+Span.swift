extension CalendarTime {
    /// Reads a span of time such as `90d`, in days, or `12h`, in hours. Weeks and months would need a calendar.
    ///
    /// - Returns: the seconds; `nil` for any other text, for nothing, and beyond 65,535 of a unit.
    package static func seconds(span text: String) -> Int? {
        let units: [Character: Int] = ["d": 86_400, "h": 3_600]
        guard let unit = text.last.flatMap({ units[$0] }), let count = UInt16(text.dropLast()), count > 0
        else { return nil }
        return Int(count) * unit
    }
}
