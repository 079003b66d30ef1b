#if Service
    internal import Synchronization
    internal import WireFormats
    internal import Essentials

    /// The value of the Date field (RFC 9110, section 6.6.1), which is written once a second.
    ///
    /// The lock is held for a comparison, and once a second for the formatting.
    final class DateField: Sendable {
        private let last = Mutex<(second: Int, text: String)>((0, ""))

        var value: String {
            let now = Date()
            let second = Int(now.timeIntervalSince1970)
            return last.withLock { last in
                if last.second != second { last = (second, CalendarTime.httpDate(Int64(second))) }
                return last.text
            }
        }
    }
#endif
