internal import WireFormats

/// Writes rows as CSV (RFC 4180): the names of the columns first, then one record a row.
///
/// Null is an empty field. Texts are always in quotes: many readers guess from the first lines whether there are quotes, and
/// an empty text is not null. Values are written as in JSON, without JSON's escapes.
package struct RowCSVWriter: Sendable {
    /// The line with the names of the columns.
    package static let header = Array((RowColumn.all.map(\.name).joined(separator: ",") + "\r\n").utf8)

    private let commas = [UInt8](repeating: UInt8(ascii: ","), count: RowColumn.all.count)

    /// Makes a writer.
    package init() {}

    /// Appends a row, as a record.
    package func append(_ row: borrowing RowReader, to output: inout [UInt8]) {
        var last = 0
        let texts = row.bytes
        row.forEachValue { column, value in
            output.append(commas.span.extracting(first: column - last))
            last = column
            switch value {
            case .text(let utf8, let json) where json.count == utf8.count + 2:
                // Without escapes, and so without quotes: JSON and CSV write it alike.
                output.append(texts.span.extracting(json))
            case .text(let utf8, _): Self.append(quoting: texts.span.extracting(utf8), to: &output)
            case .integer(let number): appendDecimal(Int(number), to: &output)
            case .boolean(let flag): _ = output.append(literal: flag ? "true" : "false")
            case .timestamp(let milliseconds): output.append(iso8601: milliseconds)
            case .decimal(let thousandths): output.append(thousandths: thousandths)
            }
        }
        output.append(commas.span.extracting(first: commas.count - 1 - last))
        _ = output.append(literal: "\r\n")
    }

    /// Appends a text in quotes (RFC 4180, section 2, rules 5 to 7).
    private static func append(quoting text: Span<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for index in text.indices {
            if text[index] == UInt8(ascii: "\"") { output.append(UInt8(ascii: "\"")) }
            output.append(text[index])
        }
        output.append(UInt8(ascii: "\""))
    }
}
