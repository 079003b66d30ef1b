internal import Essentials
internal import WireFormats

/// Text for a terminal of 80 columns: labels in one column, values wrapped in the other.
enum TextLayout {
    /// The width of a terminal: most have had 80 columns since the VT100.
    static let columns = 80
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
}

extension TextLayout {
    /// An amount that is written in thousandths of its unit; `nil` if it is not a decimal number.
    static func thousandths(_ written: String, _ unit: String?) -> String? {
        guard let number = Decimal(string: written), !number.isNaN else { return nil }
        return ShownText.amount(number / 1000, unit)
    }
}
