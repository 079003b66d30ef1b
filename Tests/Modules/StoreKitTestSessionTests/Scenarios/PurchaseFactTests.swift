import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// What can be bought, and when.
@Suite struct PurchaseFactTests {
    @Test(
        "no purchase succeeds while payments fail",
        arguments: [
            "buy MONTHLY", "buy SEEDS", "buy GREENHOUSE", "buy MONTHLY code=fair",
        ])
    func refusesPurchase(action: String) throws {
        #expect {
            try PlayedScenario("+0 fail-payments\n+1d \(action)")
        } throws: { error in
            "\(error)".contains("the customer's payments fail")
        }
        #expect(
            try !PlayedScenario("+0 fail-payments\n+1d fix-payments\n+2d \(action)").events.isEmpty)
    }

    @Test(
        "no change succeeds while payments fail, except one that is charged later",
        arguments: [
            ("+2d buy PREMIUM", false), ("+32d buy MONTHLY", false), ("+2d buy YEARLY", true),
            ("+2d cancel\n+40d buy MONTHLY", false),
        ])
    func refusesChange(lines: String, isAllowed: Bool) throws {
        let text = "+0 buy MONTHLY intro=no\n+1d fail-payments\n\(lines)"
        if isAllowed {
            #expect(try PlayedScenario(text).events.last?.name == "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        } else {
            #expect(throws: ScenarioError.self) { try PlayedScenario(text) }
        }
    }

    /// The example, whose one-time products have offer codes.
    private func withCodes() throws -> StoreKitConfiguration {
        try Garden.configuration { file in
            var products = try file.list("products")
            for index in products.indices {
                products[index]["codeOffers"] = [
                    ["internalID": "1", "referenceName": "gift", "displayPrice": "0.29"]
                ]
            }
            file["products"] = products
        }
    }

    // Apple's page "offerDiscountType": `ONE_TIME` is an offer code of a one-time purchase.
    @Test func `an offer code of a one-time purchase gives its price`() throws {
        let played = try PlayedScenario(
            """
            +0 buy $one-time-code code=any
            +1h buy GREENHOUSE code=gift
            """, withCodes())
        #expect(played.events.count == 2)
        for event in played.events {
            event.transaction.expect([
                "price": 290, "offerType": 3, "offerIdentifier": "gift", "offerDiscountType": "ONE_TIME",
                "offerPeriod": nil,
            ])
        }
        #expect(throws: ScenarioError.self) { try PlayedScenario("+0 buy SEEDS code=gift") }
    }

    /// Why a scenario cannot run on a file: only for want of a kind of product.
    @Test(.needsGenuineFiles) func `each scenario runs on each file that has its products`() throws {
        for (name, configuration) in try GenuineFiles.configurations() {
            for builtIn in Scenario.builtIns where builtIn.name != "population" {
                let store = try TestAppStore(configuration, startingAt: Garden.start, seed: 1)
                do {
                    try ScenarioRun(builtIn.scenario(), in: store).run { _ in }
                } catch let error as ScenarioError {
                    #expect(
                        error.reason.contains("no product of the kind"), "\(name) \(builtIn.name): \(error)")
                }
            }
        }
    }
}
