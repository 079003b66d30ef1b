#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import WireFormats

    /// Values of the query that several routes read.
    extension RouteRequest {
        /// A date; `nil` if the query does not give it.
        ///
        /// - Throws: a `Problem` for another text.
        func date(_ name: String) throws(Problem) -> Date? {
            guard let text = query(name) else { return nil }
            guard let date = Date(iso8601: text) else {
                throw Problem(
                    .badRequest, "\"\(name)\" is not a date of ISO 8601, such as 2025-10-11T19:51:52Z.")
            }
            return date
        }

        /// How many entries a page has at most.
        ///
        /// - Throws: a `Problem` for a text that is no number of the range.
        func limit(_ range: ClosedRange<Int>, default limit: Int) throws(Problem) -> Int {
            guard let text = query("limit") else { return limit }
            guard let number = Int(text), range.contains(number) else {
                throw Problem(
                    .badRequest, "?limit= is a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }

        /// The place behind which a page begins; `nil` for the first page.
        ///
        /// - Throws: a `Problem` for a place that no answer gave.
        func cursor<Place>(_ place: (String) -> Place?) throws(Problem) -> Place? {
            guard let text = query("after") else { return nil }
            guard let place = place(text) else {
                throw Problem(
                    .badRequest,
                    "?after= is the \"next\" of the page before; leave it out for the first page.")
            }
            return place
        }
    }

    extension Problem {
        /// A name that leads to no customer.
        static var customerName: Problem {
            Problem(
                .badRequest,
                "A customer's name is a UUID (appAccountToken), app-transaction:ID or original-transaction:ID."
            )
        }
    }
#endif
