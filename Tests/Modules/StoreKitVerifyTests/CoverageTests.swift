import Foundation
import RepositoryFiles
import StoreKitVerify
import Testing

/// Compares the documentation's coverage page with the code.
@Suite struct CoverageTests {
    @Test func `the coverage page marks exactly the compiled members as done`() throws {
        let rows = try rows()
        let done = rows.filter { $0.state == "done" }.flatMap(\.members)
        #expect(done.count > 200)
        #expect(Set(done).count == done.count, "each has one row")
        #expect(Set(done).subtracting(CoveredMembers.names) == [], "said to be done, and not compiled")
        #expect(Set(CoveredMembers.names).subtracting(done) == [], "compiled, and not said to be done")
    }

    @Test func `each row has a state that the page explains, and a text`()
        throws
    {
        for row in try rows() {
            #expect(["done", "not built", "cannot exist", "not published"].contains(row.state), "\(row)")
            #expect(!row.text.isEmpty, "\(row)")
        }
    }

    @Test func `what apps call around a purchase has a row, be it here or not`() throws {
        let names = Set(try rows().flatMap(\.members))
        for name in [
            "Storefront.current", "Storefront.updates", "AppStore.canMakePayments",
            "AppStore.showManageSubscriptions(in:)", "PurchaseIntent.intents", "Product.priceFormatStyle",
            "PurchaseOption.onStorefrontChange(shouldContinuePurchase:)", "StoreKitError.userCancelled",
            "Product.PurchaseError.purchaseNotAllowed", "SubscriptionOffer.displayPrice",
        ] {
            #expect(names.contains(name), "\(name)")
        }
    }

    /// Names the members that are declared unavailable: an unavailable function may use them. The test is
    /// that this compiles.
    @available(*, unavailable)
    private func unavailable(_ transaction: Transaction) async throws {
        _ = AppStore.deviceVerificationID
        _ = try await transaction.beginRefundRequest(in: "a window")
        _ = try await Transaction.beginRefundRequest(for: transaction.id, in: "a window")
    }

    private struct Row {
        let members: [String]
        let state: String
        let text: String
    }

    /// The rows about members: those of the tables whose first column is headed "StoreKit".
    private func rows() throws -> [Row] {
        let page = try Repository.text("Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/Coverage.md")
        var rows: [Row] = []
        var isTable = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("|"), cells.count == 3 else {
                isTable = false
                continue
            }
            if cells[0] == "StoreKit" {
                isTable = true
            } else if isTable, !cells[0].hasPrefix("---") {
                // The names are between backticks: every second part is a name.
                let parts = cells[0].split(separator: "`", omittingEmptySubsequences: false)
                let members = parts.indices.filter { !$0.isMultiple(of: 2) }.map { String(parts[$0]) }
                rows.append(Row(members: members, state: cells[1], text: cells[2]))
            }
        }
        return rows
    }
}
