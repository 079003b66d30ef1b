/// A duration of one calendar unit in ISO 8601's form (section 5.5.2.2), such as `P1M` or `P3D`.
///
/// The App Store writes no other form.
package struct ISO8601Period: Hashable, Sendable {
    /// The unit of time, by its letter.
    package enum Unit: Character, Sendable {
        case day = "D"
        case week = "W"
        case month = "M"
        case year = "Y"
    }

    /// The number of units.
    package let value: Int
    package let unit: Unit

    package init(value: Int, unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Reads a duration; `nil` for a text of any other form.
    package init?(_ text: some StringProtocol) {
        guard text.first == "P", let unit = text.last.flatMap(Unit.init(rawValue:)) else { return nil }
        let digits = text.dropFirst().dropLast()
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits) else {
            return nil
        }
        self.init(value: value, unit: unit)
    }

    /// The duration as it is written.
    package var text: String { "P\(value)\(unit.rawValue)" }
}
