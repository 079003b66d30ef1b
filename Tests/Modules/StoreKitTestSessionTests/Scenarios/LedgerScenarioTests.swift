import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Lives in which one fact is in several payloads: copies, two accounts, moves, items, refunds of upgrades, old payloads.
///
/// After each event, what a server makes of the payloads was compared with what the App Store knows.
@Suite struct LedgerScenarioTests {
    private static let accounts = ["A", "B"].map { "aaaaaaaa-0000-4000-8000-00000000000\($0.lowercased())" }

    /// The kinds and amounts of all charges, in their order.
    private func charges(_ played: PlayedScenario) -> [String] {
        played.history.charges.map { charge in
            "\(charge.kind.rawValue) \(charge.amount.map { "\($0)" } ?? "?")"
        }
    }

    @Test(arguments: ["MONTHLY intro=no", "GREENHOUSE"])
    func `a purchase that another device restores is paid for once, and refunded as one`(_ product: String)
        throws
    {
        let played = try PlayedScenario("+0 buy \(product)\n+1d restore\n+2d restore\n+3d refund\n+4d end")
        let history = played.history
        #expect(history.purchases.flatMap(\.transactions).count == 3)
        #expect(history.charges.map(\.kind) == [.purchase, .refund])
        #expect(history.entitlements(at: Garden.start + 2.5 * 86_400).count == 1)
        #expect(history.entitlements(at: Garden.start + 4 * 86_400).isEmpty)
    }

    @Test(arguments: ["SEEDS", "MONTHLY intro=no\n+12h refund"])
    func `what is used up, and what was refunded, is not restored`(_ lines: String) {
        #expect(throws: ScenarioError.self) { try PlayedScenario("+0 buy \(lines)\n+1d restore") }
    }

    @Test func `copies of added seats are no more seats`() throws {
        let played = try PlayedScenario(
            "set seats apple\n+0 buy MONTHLY intro=no seats=3\n+1d add-seats 2\n+2d restore\n+3d refund-seats 1"
        )
        let seats = played.history.entitlements(at: Garden.start + 4 * 86_400).first?.seats
        #expect(seats?.purchased == 5)
        #expect(seats?.available == 4)
    }

    @Test func `the account that buys last owns the subscription`() throws {
        let (a, b) = (Self.accounts[0], Self.accounts[1])
        let played = try PlayedScenario(
            """
            +0     buy MONTHLY intro=no token=\(b)
            +1d    cancel
            +1p2d  buy MONTHLY token=\(a)
            +1p3d  buy PREMIUM token=\(b)
            +1p4d  buy MONTHLY token=\(a)
            +1p5d  end
            """)
        // The downgrade comes with the next period, and its token with it.
        #expect(played.events.last?.transaction["appAccountToken"] as? String == b)
        #expect(played.events.last?.renewal["appAccountToken"] as? String == a)
        let purchases = played.history.purchases
        #expect(purchases.map(\.appAccountToken?.uuidString) == [b.uppercased()])
    }

    @Test func `a subscription that moves is one history under two original transactions`() throws {
        let played = try PlayedScenario("+0 buy MONTHLY intro=no\n+10d move PREMIUM\n+3p end")
        let history = played.history
        #expect(played.events.map(\.name).prefix(2) == ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY"])
        let periods = history.accessPeriods(at: played.appStore.now)
        #expect(Set(periods.map(\.purchase.originalTransactionID)).count == 2)
        #expect(Set(periods.map(\.firstOriginalTransactionID)).count == 1)
        #expect(periods.first?.ending == .moved)
        #expect(history.statuses(at: played.appStore.now).count == 1)
        #expect(history.charges.first?.kind == .purchase)
    }

    @Test func `what is left of the former period counts again when the new one was refunded`() throws {
        let played = try PlayedScenario("+0 buy YEARLY intro=no\n+10d move PREMIUM\n+12d refund\n+20d end")
        let entitled = played.history.entitlements(at: played.appStore.now)
        #expect(entitled.map(\.transaction.productID) == [Garden.yearly])
    }

    @Test func `a subscription moves to another product while it is paid for, and by its buyer`() {
        for lines in [
            "+0 buy MONTHLY\n+1d move MONTHLY", "+0 buy MONTHLY\n+1d cancel\n+2p move PREMIUM",
            "+0 buy MONTHLY\n+1d move SEEDS", "+0 buy MONTHLY\n+1d migrate\n+2d move PREMIUM",
        ] {
            #expect(throws: ScenarioError.self) { try PlayedScenario(lines) }
        }
    }

    @Test func `items are refunded one by one`() throws {
        let played = try PlayedScenario(
            """
            +0     buy-items MONTHLY leaf:5 root:2
            +1d    refund-item root
            +1p1d  end
            """)
        #expect(charges(played) == ["purchase 7", "refundOfItem 2", "renewal 5"])
        #expect(throws: ScenarioError.self) {
            try PlayedScenario("+0 buy-items MONTHLY leaf:5 root:2\n+1d refund-item\n+2d refund-item")
        }
        #expect(throws: ScenarioError.self) { try PlayedScenario("+0 buy MONTHLY\n+1d refund-item") }
    }

    @Test func `the refund of an upgrade is told once, and not estimated`() throws {
        let lines = "+0 buy MONTHLY intro=no\n+10d buy PREMIUM\n+11d end"
        let told = try PlayedScenario("set upgrade-refunds told\n" + lines).history.charges
        #expect(told.map(\.kind) == [.purchase, .refund, .upgrade])
        #expect(told.allSatisfy { $0.estimate == nil })
        let silent = try PlayedScenario(lines).history.charges
        let refunds = told.filter { $0.kind == .refund }.map(\.amount)
        let estimates = silent.filter { $0.kind == .prorated }.map(\.estimate)
        #expect(estimates.count == 1 && refunds.count == 1)
        let difference = try #require(estimates[0]) - #require(refunds[0])
        #expect(abs(difference) < 0.001)
    }

    @Test func `a customer upgrades in a grace period`() throws {
        let played = try PlayedScenario(
            "set grace on\n+0 buy MONTHLY intro=no\n+1d fail-renewals\n+1p2d buy PREMIUM\n+1p3d fix-payments\n+1p4d end"
        )
        #expect(
            played.events.map(\.name) == [
                "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "DID_CHANGE_RENEWAL_PREF/UPGRADE",
            ])
        let periods = played.history.accessPeriods(at: played.appStore.now)
        #expect(periods.map(\.state) == [.subscribed, .inGracePeriod, .subscribed])
    }

    /// The members that came with a year, and the first year whose payloads have them.
    @Test(arguments: [
        (2021, []), (2022, ["environment"]), (2023, ["environment", "storefront", "transactionReason"]),
        (2024, ["environment", "storefront", "transactionReason", "price", "currency"]),
        (2025, ["environment", "storefront", "transactionReason", "price", "currency", "appTransactionId"]),
    ])
    func `payloads of a year have the members of that year`(_ year: Int, _ members: [String]) throws {
        let start = try #require(ISO8601DateFormatter().date(from: "\(year)-10-01T00:00:00Z"))
        let appStore = try TestAppStore(
            Garden.configuration(), environment: .production, startingAt: start, seed: 1)
        var tokens: [String] = []
        let scenario = try Scenario("set payloads then\n+0 buy \(Garden.monthly)\n+1d restore", name: "test")
        try ScenarioRun(scenario, in: appStore, seed: 1).run { output in
            for case .transaction(let token) in output { tokens.append(token) }
        }
        let payload = try PlayedScenario.members(ofToken: #require(tokens.first))
        let all = ["environment", "storefront", "transactionReason", "price", "currency", "appTransactionId"]
        #expect(all.filter { payload[$0] != nil } == members)
    }
}
