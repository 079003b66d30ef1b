import Foundation
import RepositoryFiles
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs every row of the tables on the page "When is a customer entitled?".
@Suite struct EntitlementTableTests {
    /// A row: the kind of product, the payloads, and what must follow from them.
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
        return page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("#1") }.compactMap(row)
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

    @Test func `the page has the rows`() { #expect(Self.rows.count == 41) }

    @Test(arguments: rows) func `a row of the page holds, in every order of arrival`(row: Row) throws {
        for offset in row.payloads.indices {
            var history = PurchaseHistory()
            for index in row.payloads.indices {
                try add(row.payloads[(index + offset) % row.payloads.count], row.kind, to: &history)
            }
            let instant = Signed.instant(row.day)
            #expect(history.currentEntitlements(at: instant).map(\.id) == row.entitled)
            let states = history.statuses(at: instant).map { $0.state.localizedDescription.lowercased() }
            #expect(states == (row.state.map { [$0] } ?? []))
        }
    }

    /// Adds a payload in the page's notation.
    private func add(_ text: String, _ kind: String, to history: inout PurchaseHistory) throws {
        var words = text.split(separator: " ").map(String.init)[...]
        func number(_ name: String) -> Int? {
            words.firstIndex(of: name).flatMap { Int(words[words.index(after: $0)]) }
        }
        func date(_ member: String, _ name: String) -> [String: String] {
            number(name).map { [member: "\(Signed.day($0))"] } ?? [:]
        }
        let product = words.firstIndex(of: "product").map { words[words.index(after: $0)] } ?? "plus"
        if words.first == "info" {
            var members = date("renewalDate", "renews").merging(date("gracePeriodExpiresDate", "grace")) {
                $1
            }
            if words.contains("retry") {
                members["isInBillingRetryPeriod"] = "true"
                members["expirationIntent"] = "2"
            }
            if let reason = number("reason") { members["expirationIntent"] = "\(reason)" }
            try history.add(
                Signed.renewalInfo(
                    Signed.renewalPayload(
                        original: try #require(number("of")), product: product,
                        signed: try #require(number("at")), members)))
            return
        }
        let id = try #require(Int(words.removeFirst().dropFirst()))
        let original = number("of") ?? id
        if words.first == "of" { words.removeFirst(2) }
        let days = try #require(words.first).split(separator: "-").compactMap { Int($0) }
        var members = date("revocationDate", "refunded")
        if words.contains("upgraded") { members["isUpgraded"] = "true" }
        if words.contains("family") { members["inAppOwnershipType"] = #""FAMILY_SHARED""# }
        try history.add(
            Signed.transaction(
                Signed.transactionPayload(
                    id: id, original: original, product: product, type: kind, purchased: days[0],
                    expires: days.dropFirst().first, signed: number("at"), members)))
    }
}
