/// Formats figures.
package enum Figure {
    /// Three significant digits, with thousands separators: `0.97`, `3.42`, `71.3`, `11,400`, `812,000`.
    package static func text(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let magnitude = value.magnitude
        guard magnitude >= 0.001 else { return "0" }
        // The value of the last of three digits: 0.01 below 10, 0.1 below 100, 1 below 1,000, then 10 and so
        // on. The number is rounded first: one that rounds to 10 counts as 10.
        var exponent = -2
        while (magnitude / power(exponent)).rounded() >= 1000, exponent < 12 { exponent += 1 }
        let digits = Int((magnitude / power(exponent)).rounded())
        let sign = value < 0 ? "-" : ""
        guard exponent < 0 else { return sign + grouped(digits * Int(power(exponent))) }
        let scale = Int(power(-exponent))
        let fraction = String(digits % scale)
        let padding = String(repeating: "0", count: -exponent - fraction.count)
        return sign + grouped(digits / scale) + "." + padding + fraction
    }

    /// A count, with thousands separators.
    package static func text(_ count: Int) -> String { grouped(count) }

    /// `68.2–73.0`.
    package static func range(_ spread: Spread) -> String {
        "\(text(spread.minimum))–\(text(spread.maximum))"
    }

    private static func power(_ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent.magnitude { result *= 10 }
        return exponent < 0 ? 1 / result : result
    }

    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }
}
