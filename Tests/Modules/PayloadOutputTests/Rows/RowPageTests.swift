import Foundation
import PayloadOutput
import RepositoryFiles
import StoreKitVerify
import Testing

/// The page for analysts: the parts that have to agree with the table of columns.
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

    /// The page's tables, with the types and the sources of the code. The rows and their sentences are the page's own.
    private static func columns(_ tables: String) -> String {
        let columns = Dictionary(uniqueKeysWithValues: RowColumn.all.map { ("| `\($0.name)`", $0) })
        let lines = tables.components(separatedBy: "\n").map { line in
            let cells = line.components(separatedBy: " | ")
            guard cells.count == 4, let column = columns[cells[0]] else { return line }
            let origins = column.origins.joined(separator: "; ")
            return "\(cells[0]) | \(column.type.rawValue) | \(cells[2]) | \(origins) |"
        }
        return lines.joined(separator: "\n")
    }

    @Test func `the page has a row with a sentence for each column, in the order of the code`() throws {
        let tables = try Repository.text(Self.page).components(separatedBy: "\n## Columns\n\n")[1]
        let rows = tables.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            .map { $0.components(separatedBy: " | ") }
        #expect(rows.map { $0[0] } == RowColumn.all.map { "| `\($0.name)`" })
        for row in rows { #expect(row.count == 4 && row[2].hasSuffix("."), "\(row[0])") }
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
            + blocks.dropFirst(2).map { "```sql\n" + $0 }.joined() + "\n## Columns\n\n"
            + Self.columns(parts[1])
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try expected.write(to: Repository.file(Self.page), atomically: true, encoding: .utf8)
        } else {
            #expect(text == expected, "UPDATE_GOLDEN=1 writes the page anew")
        }
    }
}

extension RowColumn {
    /// Where the value comes from, as the page says it: the part of the payload and the member's name in Apple's JSON, one for
    /// each source.
    var origins: [String] {
        sources.map { "`\($0.member)` of \($0.part.title)" }
            + (receipt.map { ["`\($0.property)` of the app receipt"] } ?? [])
    }
}

extension RowPart {
    /// The part, as the page names it.
    fileprivate var title: String {
        switch self {
        case .transaction: "the transaction"
        case .commitment: "the transaction's `commitmentInfo`"
        case .seats: "the transaction's `multiSeatInfo`"
        case .renewalInfo: "the renewal information"
        case .renewalCommitment: "the renewal information's `commitmentInfo`"
        case .renewalSeats: "the renewal information's `multiSeatInfo`"
        case .appTransaction: "the app transaction"
        case .realtimeRequest: "the realtime request"
        case .notification: "the notification"
        case .data: "the notification's `data`"
        case .summary: "the notification's `summary`"
        case .externalPurchaseToken: "the notification's `externalPurchaseToken`"
        case .appData: "the notification's `appData`"
        case .unclaimInfo: "the notification's `unclaimInfo`"
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
