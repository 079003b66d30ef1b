internal import WireFormats

/// Writes rows as JSON: one flat object a line, with every column.
///
/// Dates have the form of ISO 8601, in UTC; decimals and identifiers are strings.
package struct RowJSONWriter: Sendable {
    /// A row in which every column is null.
    private let nulls: [UInt8]
    /// Where each column's null stands in it.
    private let places: [Int]

    /// Makes a writer.
    package init() {
        var (nulls, places): ([UInt8], [Int]) = ([], [])
        for column in RowColumn.all {
            nulls += "\(nulls.isEmpty ? "{" : ",")\"\(column.name)\":".utf8
            places.append(nulls.count)
            nulls += "null".utf8
        }
        nulls += "}\n".utf8
        (self.nulls, self.places) = (nulls, places)
    }

    /// Appends a row, as a line.
    package func append(_ row: borrowing RowReader, to output: inout [UInt8]) {
        // Everything up to the next value is one piece: the columns that are null, and the value's name.
        var written = 0
        let texts = row.bytes
        row.forEachValue { column, value in
            output.append(nulls.span.extracting(written..<places[column]))
            written = places[column] + 4
            switch value {
            case .text(_, let json): output.append(texts.span.extracting(json))
            case .integer(let number): appendDecimal(Int(number), to: &output)
            case .boolean(let flag): _ = output.append(literal: flag ? "true" : "false")
            case .timestamp(let milliseconds):
                output.append(UInt8(ascii: "\""))
                output.append(iso8601: milliseconds)
                output.append(UInt8(ascii: "\""))
            case .decimal(let thousandths):
                output.append(UInt8(ascii: "\""))
                output.append(thousandths: thousandths)
                output.append(UInt8(ascii: "\""))
            }
        }
        output.append(nulls.span.extracting(written...))
    }
}
