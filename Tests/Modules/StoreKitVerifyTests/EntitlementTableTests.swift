import Foundation
import RepositoryFiles
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs every row of the tables on the page "When is a customer entitled?".
@Suite struct EntitlementTableTests {
    /// A row: the kind of product, the payloads, and the expected entitlement and status.
    struct Row: CustomTestStringConvertible {
        let kind: String
        let payloads: [String]
        let day: Int
        let entitled: [UInt64]
        /// The state in the words of `localizedDescription`, in lower case; `nil` for products without one.
        let state: String?
        let testDescription: String
    }

    static let rows: [Row] = {
        guard let page = try? Repository.text(path) else { return [] }
        return page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("#") }.compactMap(row)
    }()

    private static let path = "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/WhenIsACustomerEntitled.md"

    private static func row(_ line: Substring) -> Row? {
        var cells = line.dropFirst().dropLast().split(separator: "|").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let hasState = cells.first?.hasPrefix("`") ?? false
        let kind = hasState ? "Auto-Renewable Subscription" : cells.removeFirst()
        guard cells.count == (hasState ? 5 : 4), let day = Int(cells[1]) else { return nil }
        return Row(
            kind: kind,
            payloads: cells[0].split(separator: ",").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }, day: day, entitled: cells[2].split(separator: " ").compactMap { UInt64($0) },
            state: hasState ? cells[3] : nil, testDescription: String(line))
    }

    @Test func `the page has the rows`() { #expect(Self.rows.count == 86) }

    @Test(arguments: rows) func `a row of the page holds, in every order of arrival`(row: Row) throws {
        for offset in row.payloads.indices {
            let history = try Self.history(row, from: offset)
            let instant = Signed.instant(row.day)
            #expect(history.currentEntitlements(at: instant).map(\.id) == row.entitled)
            let states = history.statuses(at: instant).map { $0.state.localizedDescription.lowercased() }
            #expect(states == (row.state.map { [$0] } ?? []))
        }
    }

    /// The purchases of a row, whose payloads come in their order from a given one on.
    private static func history(_ row: Row, from offset: Int) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for index in row.payloads.indices {
            try PageNotation(row.payloads[(index + offset) % row.payloads.count]).add(row.kind, to: &history)
        }
        return history
    }

    /// The periods list what every purchase gives, and an answer about a customer the latest of each product.
    @Test(arguments: rows) func `periods of access cover what a row entitles to, each day`(row: Row) throws {
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
