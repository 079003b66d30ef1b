import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Subscriptions with several seats.
///
/// Apple's pages "Transaction multiseat info", "Additional transaction reason", "Renewal quantity" and "Revoked seat
/// quantity" of the App Store Server API 1.23. After each event, the entitlements and the number of seats that our
/// verifier finds are compared with what the App Store knows.
@Suite struct SeatScenarioTests {
    private static let sale = "set seats developer tiers=5:9.99,7.99\n"

    private func seats(_ event: PlayedScenario.Event) -> [String: Any] {
        event.transaction.object("multiSeatInfo")
    }

    private func tiers(_ info: [String: Any], _ name: String = "priceTiers") -> [[Int]] {
        let tiers = info[name] as? [[String: Int]] ?? []
        return tiers.map { [$0["price"] ?? 0, $0["quantity"] ?? 0] }
    }

    @Test func `seats have tiers, and their average as the price; fewer begin with the next period`() throws {
        let played = try PlayedScenario(
            Self.sale + "+0 buy PREMIUM seats=8\n+2d remove-seats 3\n+3d keep-seats 1\n+1p1d end")
        let event = try played.event("SUBSCRIBED/INITIAL_BUY")
        event.transaction.expect(["quantity": 8, "price": 9240, "additionalTransactionReason": nil])
        seats(event).expect(["invitationManagement": "DEVELOPER", "revokedSeatQuantity": nil])
        #expect(tiers(seats(event)) == [[9990, 5], [7990, 3]])
        event.renewal.expect(["renewalQuantity": 8, "renewalPrice": 9240])
        let renewal = tiers(event.renewal.object("multiSeatInfo"), "renewalPriceTiers")
        #expect(renewal == [[9990, 5], [7990, 3]])
        let fewer = try played.event("DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY")
        fewer.transaction.expect(["quantity": 8])
        fewer.renewal.expect(["renewalQuantity": 5])
        // Some can be kept after all.
        let kept = try played.event("DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY")
        // (5 × 9990 + 7990) ÷ 6
        kept.renewal.expect(["renewalQuantity": 6, "renewalPrice": 9656])
        try played.event("DID_RENEW").transaction.expect(["quantity": 6])
    }

    @Test func `without tiers each seat costs what the product does, and one person has no seats`() throws {
        let event = try PlayedScenario("set seats apple\n+0 buy PREMIUM seats=3").event(
            "SUBSCRIBED/INITIAL_BUY")
        #expect(tiers(seats(event)) == [[9990, 3]])
        seats(event).expect(["invitationManagement": "APPLE"])
        let single = try PlayedScenario(Self.sale + "+0 buy PREMIUM").event("SUBSCRIBED/INITIAL_BUY")
        single.transaction.expect(["multiSeatInfo": nil, "price": 9990])
        single.renewal.expect(["renewalQuantity": nil])
    }

    @Test func `added seats make another transaction of the period, and one renewal`() throws {
        let played = try PlayedScenario(Self.sale + "+0 buy PREMIUM seats=5\n+9d add-seats 3\n+1p1d end")
        let first = try played.event("SUBSCRIBED/INITIAL_BUY").transaction
        let event = try played.event("DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY")
        let added = event.transaction
        // Transactions with one line item are copies of one purchase.
        for name in ["transactionId", "webOrderLineItemId"] {
            #expect(added[name] as? String != first[name] as? String, "\(name)")
        }
        added.expect([
            "originalTransactionId": .text(try first.text("originalTransactionId")),
            "expiresDate": .number(try first.number("expiresDate")),
            "quantity": 3, "additionalTransactionReason": "SEAT_ADDITION", "isUpgraded": nil,
        ])
        #expect(tiers(seats(event)) == [[7990, 3]])
        event.renewal.expect(["renewalQuantity": 8])
        let renewal = try played.event("DID_RENEW").transaction
        renewal.expect(["quantity": 8, "additionalTransactionReason": nil])
    }

    @Test func `a refund of seats leaves the transaction`() throws {
        let event = try PlayedScenario(Self.sale + "+0 buy PREMIUM seats=5\n+2d refund-seats 2").event(
            "REFUND/SEATS")
        seats(event).expect(["revokedSeatQuantity": 2])
        event.transaction.expect(["revocationDate": nil])
        #expect(event.status == 1)
    }

    /// Cases 3 and 4 of a period with two transactions: whichever is refunded, the other one goes on.
    @Test(arguments: ["latest", "first"])
    func `a refund of one of two transactions ends nothing`(_ name: String) throws {
        let played = try PlayedScenario(
            Self.sale
                + "+0 buy PREMIUM seats=5\n+2d add-seats 3\n+3d refund \(name)\n+4d reverse-refund \(name)\n"
                + "+5d refund first\n+6d refund latest\n+7d reverse-refund latest\n+1p2d end")
        let refunds = played.events("REFUND")
        #expect(refunds.map(\.status) == [1, 1, 5])
        #expect(refunds.allSatisfy { $0.transaction["revocationDate"] != nil })
        #expect(played.events("REFUND_REVERSED").map(\.status) == [1, 1])
        // The refund turned renewal off, and its reversal on.
        try played.event("DID_RENEW").transaction.expect(["quantity": 8])
    }

    @Test func `a member gets an own purchase that repeats the buyer's, and follows it`() throws {
        let played = try PlayedScenario(
            "set seats apple\n+0 buy PREMIUM seats=3\n+1d assign with=anna\n+2d refund-seats 1\n+1p1d end")
        let member = played.events(ofCustomer: 1)
        #expect(member.map(\.name) == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"])
        for event in member {
            event.transaction.expect(["inAppOwnershipType": "ASSIGNED", "quantity": 3])
            seats(event).expect(["revokedSeatQuantity": nil])
        }
    }

    @Test func `members lose the seats that are no longer there, newest first`() throws {
        let played = try PlayedScenario(
            "set seats apple\n+0 buy PREMIUM seats=3\n+1d assign with=anna\n+2d assign with=bert\n"
                + "+3d assign with=carl\n+4d refund-seats 1 latest\n+5d remove-seats 2\n+1p1d cancel\n+2p1d end"
        )
        let revoked = played.events("REVOKE")
        #expect(revoked.count == 2)
        #expect(revoked.allSatisfy { $0.transaction["revocationType"] as? String == "ASSIGNMENT_REVOKE" })
        #expect(played.events(ofCustomer: 1).last?.name == "EXPIRED/VOLUNTARY")
        #expect(played.events(ofCustomer: 2).last?.name == "REVOKE")
        #expect(played.events(ofCustomer: 3).last?.name == "REVOKE")
    }

    @Test func `an upgrade replaces all transactions of the period`() throws {
        let played = try PlayedScenario(
            Self.sale + "+0 buy MONTHLY seats=2\n+8d add-seats 1\n+9d buy PREMIUM seats=3\n+1p10d end")
        try played.event("DID_CHANGE_RENEWAL_PREF/UPGRADE").transaction.expect(["quantity": 3])
    }

    private static let refusals: [(String, String)] = [
        ("+0 buy PREMIUM seats=2", "is not sold for several people at once"),
        ("\(sale)+0 buy SEEDS seats=2", "is not sold for several people at once"),
        ("\(sale)+0 buy YEARLY seats=2 plan=monthly", "a plan that is billed monthly is not sold"),
        (
            "\(sale)+0 buy PREMIUM seats=5\n+1d buy PREMIUM seats=4",
            "the subscription has 5 seats: fewer can begin"
        ),
        ("\(sale)+0 buy PREMIUM seats=5\n+1d buy PREMIUM seats=5", "it cannot get 5"),
        ("\(sale)+0 buy PREMIUM seats=5\n+1d remove-seats 5", "it cannot renew with 0"),
        ("\(sale)+0 buy PREMIUM seats=5\n+1d keep-seats 1", "it cannot renew with 6"),
        ("\(sale)+0 buy PREMIUM seats=5\n+1d refund-seats 6", "has 5 seats: 6 cannot be refunded"),
        ("\(sale)+0 buy PREMIUM\n+1d refund-seats 1", "stands for no seats"),
        ("\(sale)+0 buy PREMIUM\n+1d add-seats 1", "no active subscription with several seats"),
        ("\(sale)+0 buy PREMIUM\n+1d buy PREMIUM seats=2", "for one person already"),
        (
            "\(sale)+0 buy PREMIUM seats=2\n+1d assign with=anna",
            "the App Store gives no seats of this purchase"
        ),
        ("\(sale)+0 buy PREMIUM seats=2\n+1d share with=anna", "its seats are given one by one"),
        ("set seats apple\n+0 buy PREMIUM seats=1\n+1d assign with=a\n+2d assign with=b", "all seats"),
        ("\(sale)+0 add-seats no", "line 2: add-seats needs a number of seats"),
        ("set seats moon", "line 1: \"moon\" is neither apple, developer nor off"),
        ("set seats apple tiers=5:9.99", "line 1: tiers=5:9.99 is not of the form"),
        ("set seats apple tiers=0:9.99,8", "line 1: tiers=0:9.99,8 is not of the form"),
    ]

    @Test(arguments: refusals)
    func `what cannot be bought gets a sentence`(_ text: String, _ reason: String) {
        #expect { try PlayedScenario(text) } throws: { "\($0)".contains(reason) }
    }
}
