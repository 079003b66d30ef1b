internal import WireFormats

/// A column of the rows for analysts: its name, its type, and the source of its value.
///
/// `RowColumn.all` is the one list. The reader of payloads, the writers of JSON and CSV and the schema of Arrow are made of
/// it. The page ForAnalysts.md says what each column means, and a test compares the page with the list.
package struct RowColumn: Sendable {
    /// The types of columns, which every database of the pages has.
    package enum ValueType: String, Sendable, CaseIterable {
        /// A text.
        case text
        /// A text of decimal digits: as a number, many readers would lose digits of it.
        case identifier
        /// A whole number of 64 bits.
        case integer
        /// True or false.
        case boolean
        /// An instant in UTC, in milliseconds, of the years 1 to 9999.
        case timestamp
        /// A decimal with three digits behind the point.
        case decimal
        /// A JSON text: an array or an object.
        case json
    }

    /// The name, which is unique, also without regard to upper and lower case.
    package let name: String
    /// The type, by which Arrow, CSV and the page's table show the values.
    package let type: ValueType
    /// The members that may give the value, in the order in which they are asked.
    package let sources: [RowSource]
    /// The property of an app receipt that gives the value.
    package let receipt: ReceiptSource?

    /// A column that no payload's member gives.
    static func other(_ name: String, _ type: ValueType, receipt: ReceiptSource? = nil) -> Self {
        Self(name: name, type: type, sources: [], receipt: receipt)
    }

    /// A column of members, whose rule gives the type.
    static func member(_ name: String, _ sources: RowSource..., receipt: ReceiptSource? = nil) -> Self {
        Self(name: name, type: sources.first?.rule.type ?? .text, sources: sources, receipt: receipt)
    }

    /// A number that stands for a name, as two columns: the name, which is null for an unknown number, and the number.
    static func enumeration(
        _ name: String, _ names: NumberNames, _ part: RowPart, _ member: String
    ) -> [Self] {
        [
            .member(name, RowSource(part, member, .name(names))),
            .member(name + "Number", .of(part, member, as: .integer)),
        ]
    }

    /// All columns, in the order of a row.
    package static let all: [RowColumn] =
        line + notification + common + transaction + renewalInfo + app + others + surroundings

    /// The place of a column in a row; `nil` for a name that no column has.
    package static func index(of name: String) -> Int? { all.firstIndex { $0.name == name } }
}
