import CommandProcesses
import Foundation
import Minting
import Testing

/// How `inspect` shows payloads that are unusual, or that try to mislead a reader.
@Suite struct InspectTextTests {
    private let minter: TokenMinter

    init() throws { minter = try TestPKI.standard().minter() }

    private func inspect(_ payload: String, _ options: [String] = CommandProcess.root) throws
        -> CommandProcess
    {
        try CommandProcess(["inspect"] + options, input: Array(try minter.token(payload: payload).utf8))
    }

    @Test func `dates and amounts are shown beside their numbers`() throws {
        let run = try inspect(
            #"{"transactionId":"1","price":4990,"currency":"EUR","purchaseDate":1759999999999.5,"#
                + #""expiresDate":1e300,"revocationPercentage":50000,"signedDate":1760000000000}"#)
        for expected in [
            "  Price         4.99 EUR", "  Purchased     2025-10-09T08:53:20Z",
            #""price": 4990,"#, "// 4.99 EUR", "// 2025-10-09T08:53:19.999Z",
            "// outside the years 1 to 9999", "// 50 %",
            "  Signed        2025-10-09T08:53:20.000Z (1760000000000)",
        ] {
            #expect(run.text.contains(expected), "\(expected)")
        }
    }

    @Test func `a refund is shown though its date cannot be read`() throws {
        for (date, shown) in [
            (#""2026-01-05""#, "a date that cannot be read"), ("1e30", "outside the years 1 to 9999"),
        ] {
            let transaction = #"{"transactionId":"1","revocationDate":\#(date),"signedDate":1760000000000}"#
            #expect(try inspect(transaction).text.contains("  Revoked       \(shown)"))
            let notification =
                #"{"notificationType":"REFUND","notificationUUID":"5d12dde6-ac41-4a06-9e45-731fb5d35ac3","#
                + #""version":"2.0","signedDate":1760000000000,"data":{"signedTransactionInfo":"\#(try minter.token(payload: transaction))"}}"#
            let run = try inspect(notification)
            #expect(run.text.contains(shown), "\(run.text)")
        }
    }

    /// The rules are the ledger's.
    @Test func `a transaction by itself says what access it gives`() throws {
        let cases = [
            (#""type":"Non-Consumable""#, "granted, without an end"),
            (#""type":"Non-Renewing Subscription""#, "granted, for a time that the app knows"),
            (
                #""type":"Auto-Renewable Subscription","expiresDate":1762592000000"#,
                "granted until 2025-11-08T08:53:20Z"
            ),
            (
                #""type":"Auto-Renewable Subscription","expiresDate":1762592000000,"isUpgraded":true"#,
                "ended: an upgrade replaced it"
            ),
            (
                #""type":"Non-Consumable","revocationDate":1761000000000"#,
                "taken back on 2025-10-20T22:40:00Z"
            ),
            (#""type":"Consumable""#, nil), (#""type":"Toy""#, nil),
        ]
        for (members, access) in cases {
            let run = try inspect(
                #"{"transactionId":"1","originalTransactionId":"1","productId":"plus","purchaseDate":1760000000000,"#
                    + #""originalPurchaseDate":1760000000000,"signedDate":1760000000000,\#(members)}"#)
            let shown = run.text.split(separator: "\n").first { $0.hasPrefix("  Access ") }
            #expect(shown?.dropFirst(16).description == access, "\(members)")
        }
    }

    @Test func `several seats cost what their tiers add up to`() throws {
        let tiers = #"[{"price":9990,"quantity":5},{"price":7990,"quantity":3}]"#
        let transaction =
            #"{"transactionId":"1","price":9240,"currency":"USD","quantity":8,"inAppOwnershipType":"PURCHASED","#
            + #""additionalTransactionReason":"SEAT_ADDITION","multiSeatInfo":{"invitationManagement":"DEVELOPER","#
            + #""revokedSeatQuantity":2,"priceTiers":\#(tiers)},"signedDate":1760000000000}"#
        let run = try inspect(transaction)
        for expected in [
            "  Price         73.92 USD for all seats", "  Seats         8: 5 for 9.99 USD, 3 for 7.99 USD",
            "  Refunded      2 seats", "  Invitations   by the app's developer",
            "  Additional    SEAT_ADDITION",
        ] {
            #expect(run.text.contains(expected), "\(run.text)")
        }
        let odd = try inspect(transaction.replacing("\"price\":7990,", with: ""))
        #expect(odd.text.contains("  Price         9.24 USD for a seat, on average"))
        #expect(odd.text.contains("  Seats         8: 5 for 9.99 USD\n"))
        let renewal = try inspect(
            #"{"originalTransactionId":"1","autoRenewStatus":1,"renewalPrice":9240,"currency":"USD","#
                + #""renewalQuantity":8,"multiSeatInfo":{"renewalPriceTiers":\#(tiers)},"signedDate":1760000000000}"#
        )
        #expect(renewal.text.contains("  Renewal       on: it renews with 8 seats for 73.92 USD\n"))
    }

    @Test func `the end of claims is told apart from the end of a purchase`() throws {
        let claims = (1...4).map { #""3f2504e0-4f89-41d3-9a0c-0305e82c330\#($0)""# }
        let run = try inspect(
            #"{"notificationType":"UNCLAIM_SEATS","notificationUUID":"5d12dde6-ac41-4a06-9e45-731fb5d35ac3","#
                + #""unclaimInfo":{"unclaimSeatIds":[\#(claims.joined(separator: ","))],"bundleId":"com.example.a","#
                + #""originalTransactionId":"7","environment":"Sandbox"},"signedDate":1760000000000}"#)
        for expected in [
            "  Event         UNCLAIM_SEATS", "  Meaning       The App Store has unclaimed seats.",
            "  Access        ended for these claims; the purchaser keeps it",
            "  Claims        4 ended", "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            "  App           com.example.a",
            "  Customer      originalTransactionId 7", "  Environment   Sandbox",
        ] {
            #expect(run.text.contains(expected), "\(expected): \(run.text)")
        }
    }

    @Test func `a whole amount has no decimals, and one tenth has two`() throws {
        for (price, shown) in [("100000", "100 JPY"), ("500", "0.50 JPY"), ("1005", "1.005 JPY")] {
            let run = try inspect(
                #"{"transactionId":"1","price":\#(price),"currency":"JPY","signedDate":1760000000000}"#)
            #expect(run.text.contains("  Price         \(shown)\n"), "\(shown)")
        }
    }

    @Test func `a product's name cannot move the cursor, reverse the text or fill the screen`() throws {
        let name = "a\u{202e}b\u{9b}31m" + String(repeating: "c", count: 10_000)
        let run = try inspect(#"{"productId":"\#(name)","transactionId":"1","signedDate":1760000000000}"#)
        #expect(run.text.contains("  Product       a\\u202eb\\u009b31mccc"))
        #expect(!run.text.contains("\u{202e}") && !run.text.contains("\u{9b}"))
        #expect(run.text.contains("  Signed        2025-10-09"))
        #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(run.text.contains(#"ccc…" (10,010 bytes, cut here; --json has them all)"#))
    }

    @Test func `a line break in a value cannot begin a line that looks like a verdict`() throws {
        let run = try inspect(
            #"{"productId":"x\n✓ verified","transactionId":"\r✓ verified","signedDate":1760000000000}"#, [])
        #expect(run.status == 1)
        #expect(!run.text.split(separator: "\n").contains { $0.hasPrefix("✓ verified") })
        #expect(run.text.contains(#"  Product       x\u000a✓ verified"#))
    }

    @Test func `a token in a payload is replaced only if it is laid out below`() throws {
        let run = try inspect(
            #"{"data.signedTransactionInfo":"first","notificationType":"TEST","notificationUUID":"x","#
                + #""data":{"other":{"signedTransactionInfo":"second"}},"signedDate":1760000000000}"#)
        #expect(run.text.contains(#""data.signedTransactionInfo": "first""#))
        #expect(run.text.contains(#""signedTransactionInfo": "second""#))
        #expect(!run.text.contains("laid out below"))
    }

    @Test func `a type and subtype that are not known are shown as they are`() throws {
        let run = try inspect(
            #"{"notificationType":"NEW_TYPE","subtype":"NEW","data":{"status":9,"environment":"Elsewhere"},"#
                + #""signedDate":1760000000000}"#)
        for expected in [
            "  Event         NEW_TYPE, NEW", "Not known: this type and subtype",
            "  Status        unknown (9)",
            "  Environment   Elsewhere",
        ] {
            #expect(run.text.contains(expected), "\(expected)")
        }
    }

    @Test func `members of unexpected types are left out of the summary`() throws {
        let run = try inspect(
            #"{"transactionId":{},"productId":[1],"price":"x","quantity":1e9,"purchaseDate":"soon","#
                + #""offerType":"1","signedDate":1760000000000}"#)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("✓ verified      transaction\n\n  Signed  "))
    }
}
