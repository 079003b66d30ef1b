internal import Libcrypto
internal import StoreKitVerify
internal import WireFormats

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Text for a terminal of 80 columns: labels in one column, values wrapped in the other.
package enum TextLayout {
    /// The width of a terminal: most have had 80 columns since the VT100.
    static let columns = 80
    /// The most characters that a summary shows of one text from a payload. Identifiers are shorter, and
    /// three lines of a hostile text are enough.
    private static let maximumCharacters = 160

    /// The lines of a label with its value. Further lines of the value follow below its first line.
    static func row(_ label: String, _ value: String, labelWidth: Int, indent: Int) -> [String] {
        let lines = wrap(value, width: columns - indent - labelWidth)
        return lines.enumerated().map { index, line in
            spaces(indent) + padded(index == 0 ? label : "", labelWidth) + line
        }
    }

    /// The text in lines of at most `width` characters. Lines break at spaces, or within a word that is too
    /// long.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var lineCount = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var rest = word
            var restCount = rest.count
            if lineCount > 0, lineCount + 1 + restCount > width {
                lines.append(line)
                (line, lineCount) = ("", 0)
            } else if lineCount > 0 {
                line += " "
                lineCount += 1
            }
            while restCount > width {
                lines.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
                restCount -= width
            }
            line += rest
            lineCount += restCount
        }
        return lines + [line]
    }

    /// The text, padded with spaces. A text that is not empty gets at least one.
    static func padded(_ text: String, _ width: Int) -> String {
        text + spaces(max(text.isEmpty ? 0 : 1, width - text.count))
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// A text from a payload: cut if it is long, and without characters that control a terminal.
    static func shown(_ text: String) -> String { visible(text.abbreviated(to: maximumCharacters)) }

    /// A number with a comma before every three digits: `5,238`.
    static func grouped(_ number: Int) -> String {
        var digits = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { digits.append(",") }
            digits.append(digit)
        }
        return String(digits.reversed())
    }

    /// A number of bytes: `5,238 bytes`.
    static func bytes(_ count: Int) -> String { grouped(count) + (count == 1 ? " byte" : " bytes") }

    /// A date in the form of ISO 8601, with milliseconds only if they are not zero.
    static func date(_ date: Date) -> String {
        let text = date.typedText
        guard text.hasSuffix("Z") else { return "outside the years 1 to 9999" }
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }

    /// An amount of money: `9.99 EUR`. Whole amounts have no decimals, others at least two.
    package static func amount(_ amount: Decimal, _ currency: String?) -> String {
        var text = amount.description
        if let point = text.firstIndex(of: "."), text[point...].count == 2 { text += "0" }
        return text.abbreviated(to: 40) + (currency.map { " " + shown($0) } ?? "")
    }
}

extension TextLayout {
    /// An amount that is written in thousandths of its unit; `nil` if it is not a decimal number.
    static func thousandths(_ written: String, _ unit: String?) -> String? {
        guard let number = Decimal(string: written), !number.isNaN else { return nil }
        return amount(number / 1000, unit)
    }
}
