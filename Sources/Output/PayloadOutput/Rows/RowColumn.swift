internal import WireFormats

/// A column of the rows for analysts: its name, its type, its meaning, and the source of its value.
///
/// `RowColumn.all` is the one list. The reader of payloads, the writers of JSON and CSV, the schema of Arrow and the
/// table in the documentation are made of it.
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

    /// The subject of a column.
    package enum Section: String, Sendable, CaseIterable {
        /// The line of input and its verdict.
        case line = "The line and its verdict"
        /// The event of a notification.
        case notification = "The notification"
        /// Members that most payloads have, under one name for all of them.
        case common = "App, customer and product"
        /// The transaction, alone or inside a notification.
        case transaction = "The transaction"
        /// The renewal information, alone or inside a notification.
        case renewalInfo = "The renewal information"
        /// The app transaction, alone or inside a notification, or the app receipt.
        case app = "The app transaction or app receipt"
        /// The other payloads.
        case others = "Other payloads"
        /// Members around the payload.
        case surroundings = "Around the payload"
    }

    /// The name, which is unique, also without regard to upper and lower case.
    package let name: String
    /// The type, by which Arrow, CSV and the page's table show the values.
    package let type: ValueType
    /// The subject of the column, which groups it in the documentation.
    package let section: Section
    /// The meaning of the column, in a sentence.
    package let summary: String
    /// The members that may give the value, in the order in which they are asked.
    let sources: [RowSource]
    /// The property of an app receipt that gives the value.
    let receipt: ReceiptSource?

    /// A column that no payload's member gives.
    static func other(
        _ name: String, _ type: ValueType, _ section: Section, _ summary: String,
        receipt: ReceiptSource? = nil
    ) -> Self {
        Self(
            name: name, type: type, section: section, summary: summary, sources: [], receipt: receipt)
    }

    /// A column of members, whose rule gives the type.
    static func member(
        _ name: String, _ section: Section, _ summary: String, _ sources: RowSource...,
        receipt: ReceiptSource? = nil
    ) -> Self {
        Self(
            name: name, type: sources.first?.rule.type ?? .text, section: section, summary: summary,
            sources: sources, receipt: receipt)
    }

    /// A number that stands for a name, as two columns: the name, which is null for an unknown number, and the number.
    static func enumeration(
        _ name: String, _ section: Section, _ summary: String, _ names: NumberNames, _ part: RowPart,
        _ member: String
    ) -> [Self] {
        [
            .member(name, section, summary, RowSource(part, member, .name(names))),
            .member(
                name + "Number", section, "The number of `\(name)` in the payload.",
                RowSource(part, member, .form(.integer))),
        ]
    }

    /// All columns, in the order of a row.
    package static let all: [RowColumn] =
        line + notification + common + transaction + renewalInfo + app + others + surroundings

    /// The place of a column in a row; `nil` for a name that no column has.
    package static func index(of name: String) -> Int? { all.firstIndex { $0.name == name } }

    /// Where the value comes from, as the documentation says it: the part of the payload and the member's name in Apple's
    /// JSON, one for each source.
    package var origins: [String] {
        sources.map(\.origin) + (receipt.map { ["`\($0.property)` of the app receipt"] } ?? [])
    }
}
