import Foundation
import RepositoryFiles
import StoreKitTestSession
import StoreKitVerify
import Testing

/// What the ledger says about thousands of random lives, in App Stores of 500 customers each.
///
/// Unlike `RandomLivesTests`, nothing is compared at each event, so there are more lives: ten thousand at the large scale.
@Suite struct LedgerLivesTests {
    private static let stores = 0..<TestScale.size(small: 1, usual: 2, large: 20)

    private static let population =
        "population 500 for 5mo products=$subscription:50%,$monthly-plan:20%,$consumable,$non-consumable "
        + "plans=monthly:50%,up-front storefronts=USA,DEU,JPN churn=5% failures=12% recovery=60% refunds=8% "
        + "reversals=50% upgrades=8% downgrades=5% returns=60% offers=40% families=30% seats=30% seat-changes=25%"

    @Test(arguments: stores)
    func `charges, periods and entitlements agree with the App Store and with each other`(_ number: Int)
        throws
    {
        let seed = UInt64(1000 + number)
        let scenario = try Scenario(
            "set grace \(number.isMultiple(of: 2) ? "on" : "off")\nset renewals unlimited\n"
                + "set seats apple tiers=3:9.99,7.99\n" + Self.population, name: "lives")
        let appStore = try TestAppStore(
            Garden.configuration(), environment: .production, startingAt: Garden.start, seed: seed)
        let server = SimulatedServer(appStore, comparesEachEvent: false)
        try ScenarioRun(scenario, in: appStore, seed: seed, notificationsOnly: true).run {
            try server.receive($0)
        }
        server.compareCharges(seed)
        let truth = appStore.truth
        for (customer, truth) in truth { server.compare(customer, with: truth) }
        #expect(truth.count >= 500)
        checkOwners(server.store.currentHistory(of: .everyone), at: appStore.now)
    }

    /// A purchase has one owner: the names of each entitlement lead to it, and to it alone.
    private func checkOwners(_ all: PurchaseHistory, at now: Date) {
        var purchases = 0
        for group in all.groupedByAppAndCustomer() {
            purchases += group.purchases.count
            let names = Set(group.purchases.flatMap(\.customers))
            for entitlement in group.entitlements(at: now) {
                #expect(!names.isDisjoint(with: entitlement.transaction.customers))
            }
        }
        #expect(purchases == all.purchases.count)
    }
}
