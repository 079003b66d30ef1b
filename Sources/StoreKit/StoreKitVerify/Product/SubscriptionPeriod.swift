extension Product {
    /// A length of time by the calendar: a number of days, weeks, months or years.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// The unit of time.
        public enum Unit: Hashable, Sendable, CaseIterable {
            /// Days.
            case day
            /// Weeks.
            case week
            /// Months.
            case month
            /// Years.
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
            let units: [Character: Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
            guard text.first == "P", let unit = text.last.flatMap({ units[$0] }) else { return nil }
            let digits = text.dropFirst().dropLast()
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits) else {
                return nil
            }
            self.init(value: value, unit: unit)
        }

        /// The duration in ISO 8601 form, such as `P1M`.
        public var iso8601: String {
            switch unit {
            case .day: "P\(value)D"
            case .week: "P\(value)W"
            case .month: "P\(value)M"
            case .year: "P\(value)Y"
            }
        }
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The duration in ISO 8601 form.
    public var debugDescription: String { iso8601 }
}
