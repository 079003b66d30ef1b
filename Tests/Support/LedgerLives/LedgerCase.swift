package import Foundation
import RepositoryFiles

/// A life in `Tests/Support/LedgerFiles` that parts of the product once told differently, and what is right at every door.
package struct LedgerCase: Sendable, CustomStringConvertible {
    /// What a customer owns at an instant.
    package struct Owned: Sendable {
        package let instant: String
        /// The customer's name, as commands and paths have it.
        package let customer: String
        /// The transactions that entitle, in production.
        package let transactions: [String]
    }

    /// What happens.
    package let description: String
    package let bundleID: String
    package let owned: [Owned]
    /// The charges and refunds: kind, transaction, and the amount or else the estimate.
    package let charges: [String]

    private let root: String
    private let files: [String]

    package var rootFile: URL { Repository.file("Tests/Support/LedgerFiles/\(root)") }
    package var lines: [String] {
        get throws {
            try files.flatMap {
                try Repository.text("Tests/Support/LedgerFiles/\($0)").split(separator: "\n").map(String.init)
            }
        }
    }

    private init(
        _ description: String, _ files: [String], root: String, of bundleID: String,
        owned: [(String, String, [String])], charges: [String]
    ) {
        (self.description, self.files, self.root, self.bundleID) = (description, files, root, bundleID)
        (self.owned, self.charges) = (owned.map(Owned.init), charges)
    }

    private static let (a, b) = (
        "aaaaaaaa-0000-4000-8000-00000000000a", "bbbbbbbb-0000-4000-8000-00000000000b"
    )
    private static let download = "app-transaction:704000000000000001"

    /// B subscribes and cancels, and A resubscribes under the same original transaction.
    private static func twoAccounts(_ description: String, _ files: [String]) -> LedgerCase {
        LedgerCase(
            description, files, root: "two-accounts-root.pem", of: "com.example.garden",
            owned: [("2026-12-01", a, ["4371327677198118"]), ("2026-12-01", b, [])],
            charges: ["purchase 4371327677198117 0", "purchase 4371327677198118 4.99"])
    }

    package static let all = [
        twoAccounts("another account resubscribes", ["two-accounts.ndjson"]),
        twoAccounts(
            "the former account's transaction is looked up afterwards",
            ["two-accounts.ndjson", "two-accounts-old-transaction.ndjson"]),
        LedgerCase(
            "the token was changed by Set App Account Token", ["set-app-account-token.jws"], root: "root.pem",
            of: "com.example.garden", owned: [("2026-01-21", b, ["1"]), ("2026-01-21", a, [])],
            charges: ["purchase 1 4.99"]),
        LedgerCase(
            "the renewal names no token", ["renewal-without-token.jws"], root: "root.pem",
            of: "com.example.garden", owned: [("2026-01-21", a, ["1"]), ("2026-02-10", a, ["2"])],
            charges: ["purchase 1 4.99", "purchase 2 4.99"]),
        LedgerCase(
            "one transaction under two originals is refunded", ["two-originals-refunded.jws"],
            root: "root.pem", of: "com.example.garden", owned: [("2026-01-21", download, [])],
            charges: ["purchase 1001 4.99", "refund 1001 4.99"]),
        LedgerCase(
            "an upgrade whose old period was refunded in part", ["upgrade-with-refund.jws"],
            root: "root.pem", of: "com.example.garden", owned: [("2026-01-21", download, ["2"])],
            charges: ["purchase 1 9.99", "upgrade 2 19.99", "refund 1 6.66"]),
        LedgerCase(
            "an upgrade in a grace period", ["upgrade-within-grace.jws"],
            root: "upgrade-within-grace-root.pem", of: "com.example.heldout",
            owned: ["2024-06-25", "2024-07-18", "2024-07-21"].enumerated().map { place, day in
                (day, "abcdef01-2222-4333-8444-5555555555aa", [place < 2 ? "1" : "2"])
            }, charges: ["purchase 1 -", "renewal 2 -"]),
        LedgerCase(
            "payloads of before environments were named", ["ages.ndjson"], root: "analysts-root.pem",
            of: "com.acme.alpha",
            owned: [
                ("2025-01-15", "app-transaction:7080", ["80"]),
                ("2025-05-15", "app-transaction:7080", ["84"]),
            ],
            charges: [
                "purchase 80 -", "renewal 81 -", "purchase 82 9.99", "purchase 83 9.99", "purchase 84 9.99",
            ]),
        LedgerCase(
            "a subscription on two devices", ["restored-subscription.ndjson"], root: "analysts-root.pem",
            of: "com.acme.alpha", owned: [("2025-01-15", "app-transaction:7021", ["22"])],
            charges: ["purchase 21 9.99"]),
        LedgerCase(
            "a product that was restored", ["restored-product.ndjson"], root: "analysts-root.pem",
            of: "com.acme.alpha", owned: [("2025-05-15", "app-transaction:7071", ["72"])],
            charges: ["purchase 71 350"]),
        LedgerCase(
            "one of two items is refunded", ["refunded-item.ndjson"], root: "analysts-root.pem",
            of: "com.acme.alpha", owned: [("2025-01-20", "app-transaction:7031", ["31"])],
            charges: ["purchase 31 15", "refundOfItem 31 5"]),
        LedgerCase(
            "an upgrade after seats were added", ["upgrade-after-added-seats.ndjson"],
            root: "analysts-root.pem", of: "com.acme.alpha",
            owned: [
                ("2025-01-15", "app-transaction:701", ["2"]), ("2025-01-25", "app-transaction:701", ["3"]),
            ],
            charges: [
                "purchase 1 50", "purchase 2 30", "prorated 1 16.667", "prorated 2 15", "upgrade 3 20",
            ]),
        LedgerCase(
            "a subscription moves to another original transaction", ["moved.ndjson"],
            root: "analysts-root.pem", of: "com.acme.alpha",
            owned: [
                ("2025-01-10", "app-transaction:7062", ["61"]),
                ("2025-01-20", "app-transaction:7062", ["62"]),
                ("2025-03-01", "original-transaction:61", ["63"]), ("2025-01-20", "app-transaction:7061", []),
            ],
            charges: ["purchase 61 9.99", "purchase 62 9.99", "purchase 63 9.99"]),
    ]
}
