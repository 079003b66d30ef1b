internal import WireFormats

/// Writes rows as CSV (RFC 4180): the names of the columns first, then one record a row.
///
/// Null is an empty field; an empty text is a quoted one. Values are written as in JSON, without JSON's quotes and escapes.
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
            case .text(let utf8, _): Self.append(texts.span.extracting(utf8), to: &output)
            case .integer(let number): appendDecimal(Int(number), to: &output)
            case .boolean(let flag): _ = output.append(literal: flag ? "true" : "false")
            case .timestamp(let milliseconds): output.append(iso8601: milliseconds)
            case .decimal(let thousandths): output.append(thousandths: thousandths)
            }
        }
        output.append(commas.span.extracting(first: commas.count - 1 - last))
        _ = output.append(literal: "\r\n")
    }

    /// Appends a text, in quotes if it needs them (RFC 4180, section 2, rules 5 to 7).
    private static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
        guard text.isEmpty || text.indices.contains(where: { needsQuotes(text[$0]) }) else {
            return output.append(text)
        }
        output.append(UInt8(ascii: "\""))
        for index in text.indices {
            if text[index] == UInt8(ascii: "\"") { output.append(UInt8(ascii: "\"")) }
            output.append(text[index])
        }
        output.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}
