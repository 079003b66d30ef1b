import Foundation
import RepositoryFiles
package import StoreKitTestSession
package import StoreKitVerify

/// All that the App Stores of two apps in two environments signed about random lives, for tests that ask several doors about the
/// same purchases.
package struct LedgerLives {
    /// An app in an environment.
    package struct App: Sendable {
        package let bundleID: String
        package let environment: AppStore.Environment
    }

    package static let apps = [
        App(bundleID: "com.example.garden", environment: .production),
        App(bundleID: "com.example.garden", environment: .sandbox),
        App(bundleID: "com.example.orchard", environment: .production),
    ]

    /// The instants to ask about, the latest one after all payloads.
    package static let instants = ["2026-02-10T00:00:00Z", "2026-03-20T00:00:00Z", "2026-05-01T00:00:00Z"]

    /// One authority signs for all of them.
    package let authority: TestAuthority
    /// What was signed, in the order of each App Store, one after the other.
    package let outputs: [SignedOutput]

    /// - Parameter customers: how many customers each App Store has.
    package init(customers: Int) throws {
        let authority = try TestAuthority.appStore("ledger lives")
        let scenario = try Scenario(
            "set grace on\nset renewals unlimited\nset seats apple\nset upgrade-refunds told\n"
                + "population \(customers) for 4mo products=$subscription:70%,$consumable,$non-consumable "
                + "storefronts=USA,DEU churn=10% failures=15% recovery=70% refunds=8% reversals=30% upgrades=8% "
                + "downgrades=5% returns=70% families=20% seats=20% seat-changes=20% accounts=60% items=20% "
                + "item-refunds=5% moves=5% restores=10% upgrades-in-grace=30%", name: "lives")
        var outputs: [SignedOutput] = []
        for (number, app) in Self.apps.enumerated() {
            let appStore = try TestAppStore(
                StoreKitConfiguration.example(), app: TestApp(bundleID: app.bundleID),
                environment: app.environment, authority: authority,
                startingAt: Date(timeIntervalSince1970: 1_767_225_600), seed: UInt64(number + 7))
            try ScenarioRun(scenario, in: appStore, seed: UInt64(number)).run { outputs += $0 }
        }
        (self.authority, self.outputs) = (authority, outputs)
    }
}
