import Foundation
import RepositoryFiles
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs every row of the tables on the page "When is a customer entitled?".
@Suite struct EntitlementTableTests {
    static let rows = (try? Repository.text(path)).map(PageRow.all) ?? []

    private static let path = "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/WhenIsACustomerEntitled.md"

    @Test func `the page has the rows`() { #expect(Self.rows.count == 91) }

    @Test(arguments: rows) func `a row of the page holds, in every order of arrival`(row: PageRow) throws {
        for offset in row.payloads.indices {
            let history = try Self.history(row, from: offset)
            let instant = Signed.instant(try #require(Int(row.cells[0])))
            let entitled = row.cells[1].split(separator: " ").compactMap { UInt64($0) }
            #expect(history.currentEntitlements(at: instant).map(\.id) == entitled)
            // Products that do not renew have no column for the state.
            let state = row.cells.count > 3 ? row.cells[2].components(separatedBy: ", ") : []
            let states = history.statuses(at: instant).map { $0.state.localizedDescription.lowercased() }
            #expect(states == state)
        }
    }

    /// The purchases of a row, whose payloads come in their order from a given one on.
    private static func history(_ row: PageRow, from offset: Int) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for index in row.payloads.indices {
            try PageNotation(row.payloads[(index + offset) % row.payloads.count]).add(row.kind, to: &history)
        }
        return history
    }

    /// The periods list what every purchase gives, and an answer about a customer the latest of each product.
    @Test(arguments: rows) func `periods of access cover what a row entitles to, each day`(row: PageRow)
        throws
    {
        let history = try Self.history(row, from: 0)
        let periods = history.accessPeriods(at: Signed.instant(400))
        for day in 0...130 {
            // Not at the instant of a change: clocks differ by a minute there.
            let instant = Signed.instant(day) + 3600
            let covering = periods.filter { $0.begins <= instant && $0.ends.map { instant < $0 } ?? true }
            let entitled = history.currentEntitlements(at: instant)
            #expect(Set(entitled.map(\.id)).isSubset(of: covering.map(\.transaction.id)), "day \(day)")
            #expect(
                Set(covering.map(\.transaction.productID)) == Set(entitled.map(\.productID)), "day \(day)")
        }
        for (period, next) in zip(periods, periods.dropFirst()) where period.purchase == next.purchase {
            #expect(period.ends.map { $0 <= next.begins } ?? false)
        }
    }
}
