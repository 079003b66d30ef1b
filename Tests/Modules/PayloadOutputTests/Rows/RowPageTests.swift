import Foundation
import PayloadOutput
import RepositoryFiles
import StoreKitVerify
import Testing

/// The page for analysts: the parts that are generated from the table of columns.
@Suite struct RowPageTests {
    private static let page = "Bindings/Engines/ForAnalysts.md"

    /// The SQL that makes the table and loads the file, lines of at most 100 characters.
    private static var schema: String {
        var lines = ["CREATE TABLE payloads ("]
        var line = "   "
        for (index, column) in RowColumn.all.enumerated() {
            let text = " \(column.name) \(column.type.sql)\(index + 1 < RowColumn.all.count ? "," : "")"
            if line.count + text.count > 100 {
                lines.append(line)
                line = "   "
            }
            line += text
        }
        lines += [line, ");"]
        lines.append(
            #"COPY payloads FROM 'rows.csv' (FORMAT csv, HEADER, DELIMITER ',', QUOTE '"', ESCAPE '"');"#)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A table of columns for each section.
    private static var columns: String {
        RowColumn.Section.allCases.map { section in
            let rows = RowColumn.all.filter { $0.section == section }.map { column in
                "| `\(column.name)` | \(column.type.rawValue) | \(column.summary) | "
                    + column.origins.joined(separator: "; ") + " |"
            }
            return "### \(section.rawValue)\n\n| Column | Type | Meaning | From |\n|---|---|---|---|\n"
                + rows.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }

    /// `UPDATE_GOLDEN=1` writes the generated parts into the page.
    @Test func `the page has the code's columns and their types in SQL`() throws {
        let text = try Repository.text(Self.page)
        let parts = text.components(separatedBy: "\n## Columns\n\n")
        #expect(parts.count == 2)
        let blocks = parts[0].components(separatedBy: "```sql\n")
        #expect(blocks.count > 6)
        let rest = try #require(blocks[1].range(of: "```")).lowerBound
        let expected =
            blocks[0] + "```sql\n" + Self.schema + blocks[1][rest...]
            + blocks.dropFirst(2).map { "```sql\n" + $0 }.joined() + "\n## Columns\n\n" + Self.columns
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try expected.write(to: Repository.file(Self.page), atomically: true, encoding: .utf8)
        } else {
            #expect(text == expected, "UPDATE_GOLDEN=1 writes the page anew")
        }
    }
}

extension RowColumn.ValueType {
    /// The type in SQL. Every number of thousandths in 64 bits fits the decimal.
    fileprivate var sql: String {
        switch self {
        case .text, .identifier, .json: "VARCHAR"
        case .integer: "BIGINT"
        case .boolean: "BOOLEAN"
        case .timestamp: "TIMESTAMPTZ"
        case .decimal: "DECIMAL(19, 3)"
        }
    }
}
