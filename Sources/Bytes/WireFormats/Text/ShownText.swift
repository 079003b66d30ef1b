package import Essentials

/// Text for people. Characters are escaped that could move a terminal's cursor, reverse the direction of its
/// text, or be invisible.
package func visible(_ text: String) -> String { HiddenCharacters.escaped(in: text) }

/// Values of a payload as people read them.
package enum ShownText {
    /// The most characters that are shown of one text from a payload. Identifiers are shorter, and three
    /// lines of a hostile text are enough.
    private static let maximumCharacters = 160

    /// A text from a payload: cut if it is long, and without characters that control a terminal.
    package static func text(_ text: String) -> String { visible(text.abbreviated(to: maximumCharacters)) }

    /// An amount of money: `9.99 EUR`. Whole amounts have no decimals, others at least two.
    package static func amount(_ amount: Decimal, _ currency: String?) -> String {
        var text = amount.description
        if let point = text.firstIndex(of: "."), text[point...].count == 2 { text += "0" }
        return text.abbreviated(to: 40) + (currency.map { " " + Self.text($0) } ?? "")
    }
}
