package import Essentials
internal import WireFormats

/// A value of a table.
package enum TableValue: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int)
    case decimal(Decimal)
    case date(Date)
    /// A text, because many readers would lose digits of a number.
    case identifier(UInt64)
    case boolean(Bool)

    package init(_ text: String?) { self = text.map(Self.text) ?? .null }
    package init(unlessEmpty text: String) { self = text.isEmpty ? .null : .text(text) }
    package init(_ number: Int?) { self = number.map(Self.integer) ?? .null }
    package init(_ number: Decimal?) { self = number.map(Self.decimal) ?? .null }
    /// A date outside the years 1 to 9999 is null, as in rows.
    package init(_ date: Date?) {
        self = date?.calendarMilliseconds == nil ? .null : date.map(Self.date) ?? .null
    }
    package init(_ identifier: UInt64?) { self = identifier.map(Self.identifier) ?? .null }
}

/// A column of a table whose lines are values of one type.
package struct TableColumn<Line>: Sendable {
    let name: String
    let value: @Sendable (Line) -> TableValue

    init(_ name: String, _ value: @escaping @Sendable (Line) -> TableValue) {
        (self.name, self.value) = (name, value)
    }
}

/// The form of a table.
package enum TableForm: Sendable { case ndjson, csv }

/// Writes the lines of a table, in the forms of rows: JSON with every column in each line, or CSV (RFC 4180) in which null is
/// an empty field.
package struct TableWriter<Line>: Sendable {
    private let columns: [TableColumn<Line>]
    private let format: TableForm

    package init(_ columns: [TableColumn<Line>], _ format: TableForm) {
        (self.columns, self.format) = (columns, format)
    }

    /// What comes before the first line.
    package var header: String { format == .csv ? columns.map(\.name).joined(separator: ",") + "\r\n" : "" }

    /// The lines, each with its end.
    package func text(of lines: some Sequence<Line>) -> String {
        var output: [UInt8] = []
        for line in lines { append(line, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    private func append(_ line: Line, to output: inout [UInt8]) {
        var object = ObjectText()
        for (place, column) in columns.enumerated() {
            let value = column.value(line)
            if format == .ndjson {
                object.add(column.name, json: value.json)
                continue
            }
            if place > 0 { output.append(UInt8(ascii: ",")) }
            output += value.field
        }
        output += format == .ndjson ? object.utf8 + [UInt8(ascii: "\n")] : Array("\r\n".utf8)
    }
}

extension TableValue {
    fileprivate var json: [UInt8] {
        switch self {
        case .null: return Array("null".utf8)
        case .integer(let number): return Array(String(number).utf8)
        case .boolean(let flag): return Array((flag ? "true" : "false").utf8)
        case .text, .decimal, .date, .identifier:
            var output: [UInt8] = []
            appendJSON(text ?? "", to: &output)
            return output
        }
    }

    /// A field of CSV. Texts are always in quotes: an empty one is not null.
    fileprivate var field: [UInt8] {
        switch self {
        case .null: []
        case .text(let text): Array("\"\(text.replacing("\"", with: "\"\""))\"".utf8)
        case .integer, .boolean: json
        case .decimal, .date, .identifier: Array((text ?? "").utf8)
        }
    }

    /// The value as a text, of those that JSON has in a string.
    private var text: String? {
        switch self {
        case .text(let text): text
        case .decimal(let number): number.description
        case .date(let date): date.typedText
        case .identifier(let number): String(number)
        case .null, .integer, .boolean: nil
        }
    }
}
