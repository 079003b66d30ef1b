import RepositoryFiles
import StoreKitFixtures

/// The payloads in the tables of the pages *When is a customer entitled?* and *What was paid*.
package enum LedgerRows {
    /// Their tokens, those of each row with identifiers and a download of its own.
    package static func tokens() throws -> [String] {
        let pages = ["WhenIsACustomerEntitled", "WhatWasPaid"].map {
            "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/\($0).md"
        }
        let rows = try pages.flatMap { PageRow.all(in: try Repository.text($0)) }
        return try rows.enumerated().flatMap { number, row in
            try row.payloads.map { try PageNotation($0, offset: (number + 1) * 1000).token(row.kind) }
        }
    }
}
