internal import WireFormats

extension Product {
    /// A length of time by the calendar: a number of days, weeks, months or years.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// The unit of time.
        public enum Unit: Hashable, Sendable, CaseIterable {
            /// A day of the calendar.
            case day
            /// Seven days of the calendar.
            case week
            /// A month of the calendar.
            case month
            /// Twelve months of the calendar.
            case year
        }

        /// The number of units.
        public let value: Int
        /// The unit of time.
        public let unit: Unit

        /// - Parameters:
        ///   - value: the number of units.
        ///   - unit: the unit of time.
        public init(value: Int, unit: Unit) {
            self.value = value
            self.unit = unit
        }

        /// Reads an ISO 8601 duration (section 5.5.2.2) of one unit, such as `P1M` or `P3D`. Other forms
        /// return `nil`; the App Store does not write them.
        public init?(iso8601 text: String) {
            guard let period = ISO8601Period(text),
                let unit = Unit.allCases.first(where: { $0.wireUnit == period.unit })
            else { return nil }
            self.init(value: period.value, unit: unit)
        }

        /// The duration in ISO 8601 form, such as `P1M`.
        public var iso8601: String { ISO8601Period(value: value, unit: unit.wireUnit).text }
    }
}

extension Product.SubscriptionPeriod.Unit {
    fileprivate var wireUnit: ISO8601Period.Unit {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The duration in ISO 8601 form.
    public var debugDescription: String { iso8601 }
}
