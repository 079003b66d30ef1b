import Foundation
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// After each event of each scenario, what our own verifier and entitlements make of the payloads is what the simulated
/// App Store knows.
@Suite struct ScenarioTruthTests {
    private func run(_ scenario: Scenario, environment: AppStore.Environment = .sandbox) throws
        -> SimulatedServer
    {
        let server = try SimulatedServer(Garden.store(environment, seed: 1))
        try ScenarioRun(scenario, in: server.appStore, seed: 1).run(server.receive)
        return server
    }

    @Test(arguments: Scenario.builtIns.map(\.name).filter { $0 != "population" })
    func `entitlements and states are those of the App Store after each event`(_ name: String) throws {
        let scenario = try #require(Scenario.builtIn(name)).scenario()
        #expect(try run(scenario).events > 0)
    }

    @Test func `so they are of random customers, with grace periods and in the form of Xcode`() throws {
        let scenario = try Scenario(
            "set grace on\npopulation 30 for 1y churn=10% failures=40% recovery=50%", name: "random")
        #expect(try run(scenario, environment: .xcode).events > 100)
    }
}
