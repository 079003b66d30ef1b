#if Service
    internal import Synchronization
    internal import WireFormats

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// The value of the Date field (RFC 9110, section 6.6.1), which is written once a second.
    final class DateField: Sendable {
        private let last = Mutex<(second: Int, text: String)>((0, ""))

        var value: String {
            let now = Date()
            let second = Int(now.timeIntervalSince1970)
            return last.withLock { last in
                if last.second != second { last = (second, Self.text(second)) }
                return last.text
            }
        }

        private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]

        /// The form of RFC 9110, section 5.6.7. 1 January 1970 was a Thursday.
        private static func text(_ second: Int) -> String {
            let (day, rest) = (second / 86_400, second % 86_400)
            let date = CalendarTime.date(ofDay: day)
            let time = [rest / 3_600, rest / 60 % 60, rest % 60].map(digits).joined(separator: ":")
            return
                "\(weekdays[day % 7]), \(digits(date.day)) \(months[date.month - 1]) \(date.year) \(time) GMT"
        }

        private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    }
#endif
