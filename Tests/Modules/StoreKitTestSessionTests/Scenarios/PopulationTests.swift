import Foundation
import SignedPayloads
import StoreKitTestSession
import Testing

/// Populations of any shape: `WritingScenarios.md` lists the options.
@Suite struct PopulationTests {
    /// The payloads of a population of the example's products.
    private struct Archive {
        private(set) var transactions: [[String: Any]] = []
        private(set) var names: [String: Int] = [:]
        private(set) var tokens: [String] = []

        init(_ text: String, seed: UInt64 = 5) throws {
            let appStore = try TestAppStore(
                Garden.configuration(), environment: .production, startingAt: Garden.start, seed: seed)
            let scenario = try Scenario(text, name: "test")
            try ScenarioRun(scenario, in: appStore, seed: seed, notificationsOnly: true).run { output in
                for case .notification(let notification) in output {
                    tokens.append(notification.signedPayload)
                    names[notification.name, default: 0] += 1
                    let payload = try PlayedScenario.members(ofToken: notification.signedPayload)
                    guard let data = payload["data"] as? [String: Any],
                        let token = data["signedTransactionInfo"] as? String
                    else { continue }
                    transactions.append(try PlayedScenario.members(ofToken: token))
                }
            }
        }

        /// How many customers have a value of a member in their first transaction.
        func customers(_ member: String) -> [String: Int] {
            var counts: [String: Int] = [:]
            var seen: Set<String> = []
            for transaction in transactions {
                guard let customer = transaction["appTransactionId"] as? String,
                    seen.insert(customer).inserted
                else { continue }
                counts["\(transaction[member] ?? "-")", default: 0] += 1
            }
            return counts
        }
    }

    private static let everything =
        "set seats apple tiers=5:9.99,7.99\npopulation 60 for 1y products=$subscription:60%,$monthly-plan:20%,$consumable,$non-consumable "
        + "plans=monthly:50%,up-front storefronts=USA:50%,DEU:30%,JPN churn=4% failures=5% refunds=8% "
        + "reversals=50% upgrades=5% downgrades=5% returns=50% offers=30% families=40% "
        + "seats=30% seat-changes=20%"

    @Test func `customers buy products in storefronts by their shares`() throws {
        let archive = try Archive(
            "population 400 for 1d products=$subscription:70%,$consumable:10%,$non-consumable "
                + "storefronts=USA:50%,DEU:30%,JPN")
        let products = archive.customers("productId")
        let currencies = archive.customers("currency")
        #expect(products.values.reduce(0, +) == 400)
        // Of 400 with a share of 70 %, 280 are expected, and 37 is four standard deviations; so below.
        let counts: [(Int?, ClosedRange<Int>)] = [
            (products[Garden.monthly], 243...317), (products[Garden.seeds], 16...64),
            (products[Garden.greenhouse], 48...112), (currencies["USD"], 160...240),
            (currencies["EUR"], 83...157), (currencies["JPY"], 48...112),
        ]
        for (count, expected) in counts { #expect(expected.contains(count ?? 0)) }
    }

    @Test func `plans are drawn where the product has both`() throws {
        let archive = try Archive(
            "population 200 for 1d products=$monthly-plan:50%,$subscription plans=monthly:50%,up-front")
        let plans = archive.customers("billingPlanType")
        for (plan, least) in [("MONTHLY", 25), ("BILLED_UPFRONT", 25), ("-", 60)] {
            #expect(plans[plan, default: 0] > least, "\(plan)")
        }
    }

    @Test func `what has a rate happens, with the seed's bytes, and nothing else does`() throws {
        let all = try Archive(Self.everything)
        for name in [
            "DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
            "REFUND", "REFUND_REVERSED", "REVOKE", "SUBSCRIBED/RESUBSCRIBE", "DID_FAIL_TO_RENEW",
            "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY", "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY",
            "REFUND/SEATS",
        ] {
            #expect(all.names[name] != nil, "\(name) is not among \(all.names)")
        }
        #expect(try Archive(Self.everything).tokens == all.tokens)
        #expect(try Archive(Self.everything, seed: 6).tokens != all.tokens)
        let quiet = try Archive("population 60 for 6mo churn=0% failures=0% refunds=0%").names
        #expect(quiet.keys.count { !$0.hasPrefix("SUBSCRIBED") && !$0.hasPrefix("DID_RENEW") } == 0)
    }

    @Test func `families share, and members buy where the customer does`() throws {
        let archive = try Archive(
            "population 50 for 3mo storefronts=DEU products=$subscription:50%,$consumable families=100%")
        let shared = archive.transactions.filter { $0["inAppOwnershipType"] as? String == "FAMILY_SHARED" }
        #expect(shared.count > 30)
        #expect(archive.transactions.allSatisfy { $0["currency"] as? String == "EUR" })
        #expect(shared.allSatisfy { $0["type"] as? String == "Auto-Renewable Subscription" })
    }

    @Test func `seats are bought, and the App Store gives them to members`() throws {
        let line = "population 20 for 2mo seats=100% families=100%"
        let archive = try Archive("set seats apple\n" + line)
        let types = Set(archive.transactions.compactMap { $0["inAppOwnershipType"] as? String })
        #expect(types == ["PURCHASED", "ASSIGNED"])
        #expect(archive.transactions.allSatisfy { $0["multiSeatInfo"] != nil })
        let managed = try Archive("set seats developer\n" + line)
        #expect(managed.transactions.allSatisfy { $0["inAppOwnershipType"] as? String == "PURCHASED" })
        #expect {
            try Archive(line)
        } throws: { error in
            "\(error)" == "line 1: seats= needs a line \"set seats apple\" or \"set seats developer\""
        }
    }

    @Test func `consumables are bought again`() throws {
        let archive = try Archive(
            "population 5 for 6mo products=$consumable churn=0% failures=0% refunds=0%")
        #expect(archive.names.values.reduce(0, +) >= 25)
    }

    private static let mistakes: [(String, String)] = [
        ("plans=weekly", "plans=weekly is neither monthly nor up-front"),
        ("storefronts=USA,XXX", "\"XXX\" is not a storefront, such as USA"),
        ("products=a:60%,b:50%", "the shares of products add up to 110.0 %, and not to 100 %"),
        ("products=a:60%,b:30%", "the shares of products add up to 90.0 %, and not to 100 %"),
        (
            "products=a:100%,b",
            "the shares of products add up to 100.0 %, and leave nothing for those without one"
        ),
        ("products=a,,b", "products=a,,b has an empty place"), ("products=a,a", "products has \"a\" twice"),
        ("storefronts=USA:many", "storefronts=USA=many is not a percentage"),
        ("churn=200%", "churn=200% is not a percentage"),
    ]

    @Test(arguments: mistakes)
    func `a population that cannot be gets a sentence`(_ options: String, _ reason: String) {
        #expect {
            try Scenario("# first\npopulation 5 for 1y \(options)", name: "test")
        } throws: { error in
            "\(error)" == "line 2: \(reason)"
        }
    }

    @Test func `a misspelt rate is refused, with those that there are`() {
        let beginning = "line 1: population has no option \"chrun\": it has accounts, churn, downgrades"
        #expect { try Scenario("population 5 for 1y chrun=3%", name: "test") } throws: {
            "\($0)".hasPrefix(beginning)
        }
    }

    /// Payments that fail are mended weeks later, and refunds are reversed: some of that would come after the end.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `nothing happens after a population's time`(_ seed: UInt64) throws {
        let appStore = try Garden.store(seed: seed)
        let scenario = try Scenario(
            "population 20 for 60d failures=60% refunds=30% reversals=100% churn=20% families=50%",
            name: "test")
        try ScenarioRun(scenario, in: appStore, seed: seed, notificationsOnly: true).run { _ in }
        #expect(appStore.now == Garden.start + 60 * 86_400)
    }

    @Test(arguments: [
        ("$higher", "the .storekit file has no product of the kind $higher"),
        ("com.example.none", "the .storekit file has no product \"com.example.none\""),
    ])
    func `a product that the file does not have is named before anything happens`(
        _ name: String, _ reason: String
    ) throws {
        #expect {
            try Archive("\npopulation 5 for 1y products=\(name)")
        } throws: { error in
            "\(error)" == "line 2: \(reason)"
        }
    }
}
