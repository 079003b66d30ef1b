import Foundation
import RepositoryFiles
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Random lives with all that the simulated App Store has: families, commitments, offers, seats, upgrades and downgrades,
/// refunds and reversals, grace periods and billing retry. Where the developer invites the members of seats, the app's
/// server claims and unclaims seats for random customers (`SeatClaimer`).
///
/// After each event, the states, entitlements and seats that our verifier finds are those that the App Store's own records
/// have. Every so often, the invariants of these records are checked. At the end, what customers paid and got back is what the
/// records have, whatever the order of the payloads.
@Suite struct RandomLivesTests {
    /// A thousand lives in all at the large scale, in App Stores of fifty customers.
    ///
    /// Their numbers choose grace periods, and who invites the members of seats. The first few have both of each.
    private static let stores = (0..<TestScale.size(small: 1, usual: 2, large: 20)).map {
        $0 < 3 ? 2 - $0 : $0
    }

    private static let population =
        "population 50 for 2y products=$subscription:50%,$monthly-plan:30%,$consumable,$non-consumable "
        + "plans=monthly:50%,up-front storefronts=USA,DEU,JPN churn=5% failures=12% recovery=60% refunds=8% "
        + "reversals=50% upgrades=6% downgrades=5% returns=60% offers=40% families=40% seats=40% seat-changes=25%"

    /// What must have happened, so that the comparison is of lives that have it.
    private static let kinds: Set = [
        "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE", "DID_RENEW", "DID_RENEW/BILLING_RECOVERY",
        "DID_FAIL_TO_RENEW", "EXPIRED/VOLUNTARY", "EXPIRED/BILLING_RETRY", "REFUND", "REFUND/SEATS",
        "REFUND_REVERSED", "REVOKE", "DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
        "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY", "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY",
    ]

    @Test(arguments: stores)
    func `entitlements, states and seats are those of the App Store after each event`(_ number: Int) throws {
        let (seed, hasGrace) = (UInt64(number), number.isMultiple(of: 2))
        let isDeveloper = number % 4 >= 2
        let manager = isDeveloper ? "developer" : "apple"
        let scenario = try Scenario(
            "set grace \(hasGrace ? "on" : "off")\nset renewals unlimited\n"
                + "set seats \(manager) tiers=3:9.99,7.99\n" + Self.population, name: "lives")
        // Apple has the endpoints of seats in the Sandbox alone.
        let appStore = try TestAppStore(
            Garden.configuration(), environment: isDeveloper ? .sandbox : .production,
            startingAt: Garden.start, seed: seed)
        let server = try SimulatedServer(appStore)
        let claimer = isDeveloper ? try SeatClaimer(server, seed: seed) : nil
        var names: Set<String> = []
        var moments = 0
        try ScenarioRun(scenario, in: appStore, seed: seed, notificationsOnly: true).run { output in
            try server.receive(output)
            try claimer?.receive(output)
            moments += 1
            // The check takes a time that grows with the records.
            if moments.isMultiple(of: 50) { #expect(appStore.read { $0.violation() } == nil) }
            for case .notification(let notification) in output { names.insert(notification.name) }
        }
        #expect(appStore.read { $0.violation() } == nil)
        // What is compared is not nothing.
        let kinds = server.compareCharges(seed)
        #expect(kinds.isSuperset(of: [.purchase, .renewal, .upgrade, .refund, .prorated]))
        var expected = hasGrace ? Self.kinds.union(["DID_FAIL_TO_RENEW/GRACE_PERIOD"]) : Self.kinds
        if let claimer {
            // Not in every App Store, a refund leaves fewer seats than claims.
            if number == 2 { expected.insert("UNCLAIM_SEATS") }
            #expect(["claim", "associate", "unclaim"].allSatisfy { claimer.done[$0, default: 0] > 20 })
            #expect(claimer.comparisons > 1000)
        }
        #expect(expected.subtracting(names) == [])
    }

    /// Found by these lives. Apple's page "status": 5 is a subscription whose transaction was refunded.
    @Test func `a refund of the last period revokes a subscription that has ended`() throws {
        let played = try PlayedScenario(
            "+0 buy PREMIUM\n+2d cancel\n+1p3d refund\n+1p4d reverse-refund\n+1p5d buy PREMIUM")
        #expect(try played.event("REFUND").status == 5)
        #expect(try played.event("REFUND_REVERSED").status == 2)
        #expect(try played.event("SUBSCRIBED/RESUBSCRIBE").status == 1)
    }

    /// Found by these lives: in billing retry, the buyer has no access to share.
    @Test func `what is not paid for cannot be shared`() {
        #expect {
            try PlayedScenario("+0 buy PREMIUM\n+2d fail-payments\n+1p2d share with=anna")
        } throws: { error in
            "\(error)" == "line 3: the subscription is not paid for"
        }
    }
}
