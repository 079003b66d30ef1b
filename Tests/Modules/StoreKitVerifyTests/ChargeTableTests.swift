import Foundation
import RepositoryFiles
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs every row of the table on the page "What was paid".
@Suite struct ChargeTableTests {
    /// A row: the kind of product, the payloads, and the expected lines.
    struct Row: CustomTestStringConvertible {
        let kind: String
        let payloads: [String]
        let lines: [String]
        let testDescription: String
    }

    static let rows: [Row] = {
        guard let page = try? Repository.text(path) else { return [] }
        return page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("`#") }.compactMap(row)
    }()

    private static let path = "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/WhatWasPaid.md"

    private static func row(_ line: Substring) -> Row? {
        var cells = line.dropFirst().dropLast().split(separator: "|").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let kind = cells[0].hasPrefix("`") ? "Auto-Renewable Subscription" : cells.removeFirst()
        guard cells.count == 3 else { return nil }
        let parts = cells.prefix(2).map { cell in
            cell.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
        return Row(
            kind: kind, payloads: parts[0], lines: parts[1].filter { $0 != "nothing" },
            testDescription: String(line))
    }

    @Test func `the page has the rows`() { #expect(Self.rows.count == 35) }

    @Test(arguments: rows) func `a row of the page holds, in every order of arrival`(row: Row) throws {
        for offset in row.payloads.indices {
            var history = PurchaseHistory()
            for index in row.payloads.indices {
                try PageNotation(row.payloads[(index + offset) % row.payloads.count]).add(
                    row.kind, to: &history)
            }
            let lines = history.charges.map(Self.words)
            #expect(lines == row.lines, "from payload \(offset) on")
            // Never more comes back than was paid.
            for (id, charges) in Dictionary(grouping: history.charges, by: \.transaction.id) {
                let back = charges.dropFirst().compactMap(\.amount).reduce(0, +)
                #expect(back <= charges.first?.amount ?? back, "transaction \(id)")
            }
        }
    }

    /// A line in the page's notation, such as `refund 6.66 at 10`. Of an estimate it is `prorated about 5 at 10`.
    private static func words(_ charge: Charge) -> String {
        let amount = charge.amount.map { "\($0)" } ?? charge.estimate.map { "about \($0)" } ?? "?"
        let day = (charge.date.timeIntervalSince(Signed.instant(0)) / 86_400).rounded(.down)
        return "\(charge.kind) \(amount) at \(Int(day))"
    }
}
