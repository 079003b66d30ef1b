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

    /// 2021-10-01: payloads get an environment half way.
    private static let past = Date(timeIntervalSince1970: 1_633_046_400)

    private static let population =
        "population 500 for 5mo products=$subscription:50%,$monthly-plan:20%,$consumable,$non-consumable "
        + "storefronts=USA:60%,DEU,JPN churn=5% failures=12% recovery=60% refunds=8% reversals=50% upgrades=8% "
        + "downgrades=5% returns=60% offers=40% families=30% accounts=40% moves=4% restores=6% upgrades-in-grace=30%"
    /// What came with the years.
    private static let present =
        " plans=monthly:50%,up-front seats=30% seat-changes=25% items=20% item-refunds=5%"

    @Test(arguments: stores)
    func `charges, periods and entitlements agree with the App Store and with each other`(_ number: Int)
        throws
    {
        let seed = UInt64(1000 + number)
        // Every third App Store signs as it did from 2021 on.
        let isOld = number.isMultiple(of: 3)
        let scenario = try Scenario(
            "set grace \(number.isMultiple(of: 2) ? "on" : "off")\nset renewals unlimited\n"
                + "set seats apple tiers=3:9.99,7.99\nset payloads \(isOld ? "then" : "now")\n"
                + "set upgrade-refunds \(number % 4 < 2 ? "told" : "silent")\n" + Self.population
                + (isOld ? "" : Self.present), name: "lives")
        let appStore = try TestAppStore(
            Garden.configuration(), environment: .production, startingAt: isOld ? Self.past : Garden.start,
            seed: seed)
        let server = try SimulatedServer(appStore, comparing: isOld ? .atTheEndWithoutDownloads : .atTheEnd)
        try ScenarioRun(scenario, in: appStore, seed: seed).run {
            try server.receive($0)
        }
        // What is compared is not nothing.
        let kinds = server.compareCharges(seed)
        #expect(kinds.isSuperset(of: [.purchase, .renewal, .upgrade, .refund]))
        #expect(isOld || kinds.contains(.refundOfItem))
        #expect(server.compareOwners() > 100)
        #expect(server.compareMoments() > 100)
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
