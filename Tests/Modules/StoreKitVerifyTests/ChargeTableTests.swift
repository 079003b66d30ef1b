import Foundation
import RepositoryFiles
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs every row of the table on the page "What was paid".
@Suite struct ChargeTableTests {
    static let rows = (try? Repository.text(path)).map(PageRow.all) ?? []

    private static let path = "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/WhatWasPaid.md"

    @Test func `the page has the rows`() { #expect(Self.rows.count == 36) }

    @Test(arguments: rows) func `a row of the page holds, in every order of arrival`(row: PageRow) throws {
        let expected = PageRow.items(row.cells[0]).filter { $0 != "nothing" }
        for offset in row.payloads.indices {
            var history = PurchaseHistory()
            for index in row.payloads.indices {
                try PageNotation(row.payloads[(index + offset) % row.payloads.count]).add(
                    row.kind, to: &history)
            }
            let lines = history.charges.map(Self.words)
            #expect(lines == expected, "from payload \(offset) on")
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
