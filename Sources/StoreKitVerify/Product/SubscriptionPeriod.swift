extension Product {
    /// A length of time by the calendar: so many days, weeks, months or years.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// What is counted.
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

        /// How many units.
        public let value: Int
        /// What is counted.
        public let unit: Unit

        /// - Parameters:
        ///   - value: how many units.
        ///   - unit: what is counted.
        public init(value: Int, unit: Unit) {
            self.value = value
            self.unit = unit
        }

        /// Reads a duration in the form of ISO 8601 (section 5.5.2.2) that has one unit: `P1M`, `P3D`. Others,
        /// which the App Store does not write, give `nil`.
        public init?(iso8601 text: String) {
            let units: [Character: Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
            guard text.first == "P", let unit = text.last.flatMap({ units[$0] }) else { return nil }
            let digits = text.dropFirst().dropLast()
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits) else {
                return nil
            }
            self.init(value: value, unit: unit)
        }

        /// The duration in the form of ISO 8601: `P1M`.
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
    /// The duration in the form of ISO 8601.
    public var debugDescription: String { iso8601 }
}
