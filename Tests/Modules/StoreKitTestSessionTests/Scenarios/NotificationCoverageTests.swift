import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// The kinds of notifications that an event can cause, and the scenarios that cause them.
@Suite struct NotificationCoverageTests {
    /// Every type and subtype of Apple's tables for which something happens in an App Store.
    private static let kinds: Set = [
        "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE", "DID_CHANGE_RENEWAL_PREF/UPGRADE",
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "OFFER_REDEEMED", "OFFER_REDEEMED/UPGRADE", "OFFER_REDEEMED/DOWNGRADE", "DID_RENEW",
        "DID_RENEW/BILLING_RECOVERY", "EXPIRED", "EXPIRED/VOLUNTARY", "EXPIRED/BILLING_RETRY",
        "EXPIRED/PRICE_INCREASE", "EXPIRED/PRODUCT_NOT_FOR_SALE", "DID_FAIL_TO_RENEW",
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE/PENDING",
        "PRICE_INCREASE/ACCEPTED", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "REVOKE",
        "CONSUMPTION_REQUEST", "TEST", "ONE_TIME_CHARGE", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY",
        "RENEWAL_EXTENSION/FAILURE", "EXTERNAL_PURCHASE_TOKEN/CREATED", "EXTERNAL_PURCHASE_TOKEN/UNREPORTED",
        "EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER", "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION",
        "PRICE_CHANGE",
    ]

    @Test func `scenarios cause every kind of notification`() throws {
        var found: Set<String> = []
        for builtIn in Scenario.builtIns where builtIn.name != "population" {
            try ScenarioRun(builtIn.scenario(), in: Garden.store(seed: 3), notificationsOnly: true).run {
                output in
                for case .notification(let notification) in output { found.insert(notification.name) }
            }
        }
        #expect(Self.kinds.subtracting(found) == [])
        #expect(found.subtracting(Self.kinds) == [])
    }

    @Test func `a refund in one run takes nothing from the customer of another`() async throws {
        let server = InMemoryTransactionStore()
        var customers: [Customer] = []
        // The same keys sign both runs, as with --keys, and one server gets them.
        for (seed, name) in [(8, "subscribe"), (9, "refund")] as [(UInt64, String)] {
            let appStore = try Garden.store(seed: seed)
            let verifier = StoreKitVerifier(appStore.verifier)
            var signed: [SignedOutput] = []
            try ScenarioRun(#require(Scenario.builtIn(name)).scenario(), in: appStore).run { signed += $0 }
            for case .notification(let sent) in signed {
                try await server.apply(.verified(verifier.verifiedNotification(body: sent.body.utf8)))
            }
            customers += appStore.truth.keys.map { .appTransactionID(String($0)) }
        }
        var owned: [Int] = []
        for customer in customers {
            owned += [
                try await server.currentEntitlements(
                    of: customer, apps: .allApps(in: .sandbox), at: Garden.day(4)
                ).count
            ]
        }
        #expect(owned == [1, 0])
    }

    @Test func `neighbouring seeds are a million identifiers apart, which look like Apple's`() throws {
        var (transactions, downloads): ([UInt64], [UInt64]) = ([], [])
        for seed in 0..<50 as Range<UInt64> {
            let session = SKTestSession(try Garden.store(seed: seed))
            try session.buyProduct(productIdentifier: Garden.seeds)
            transactions.append(UInt64(try session.latest().identifier))
            downloads += session.appStore.truth.keys
        }
        #expect(transactions.allSatisfy { "\($0)".count == 16 })
        #expect(downloads.allSatisfy { "\($0)".hasPrefix("704") && "\($0)".count == 18 })
        for numbers in [transactions.sorted(), downloads.sorted()] {
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 > 1_000_000 })
        }
    }

    @Test(
        "a scenario that would go on after the year 8999 ends with a sentence",
        arguments: ["+0 buy $subscription\n+1y end", "population 2 for 1y", "+1y buy $consumable\n+0 end"])
    func endsWithTime(text: String) throws {
        let appStore = try TestAppStore(
            .example(), startingAt: Date(timeIntervalSince1970: 221_845_305_600), seed: 6)
        let run = ScenarioRun(try Scenario(text, name: "test"), in: appStore)
        #expect { try run.run { _ in } } throws: { error in
            "\(error)" == "it ends after the year 8999, where the App Store's time ends"
        }
    }

    @Test func `a scenario of years ends when its task is cancelled`() async throws {
        let appStore = try Garden.store(seed: 6)
        let scenario = try Scenario("set renewals unlimited\npopulation 100 for 1y\n+100y end", name: "test")
        // Cancelled by the first event, and not after a time: on a busy machine the scenario could end before.
        let task = Task {
            try ScenarioRun(scenario, in: appStore).run { _ in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private static let mistakes: [(String, String)] = [
        ("+x buy a", "line 1: \"+x\" is neither"), ("+0", "line 1: it has no action"),
        ("\n+0 fly", "line 2: there is no action \"fly\""), ("+0 buy", "line 1: buy needs a product"),
        ("set moon on", "line 1: there is no setting \"moon\""),
        ("population many for 1y", "line 1: it is not of"),
        ("+0 extend", "line 1: an extension needs days=N"),
        ("+0 buy a token=1", "line 1: \"1\" is not a UUID"),
        ("+99999999999999999999d buy a", "line 1: "), ("+0 raise-price x", "line 1: \"x\" is neither"),
    ]

    @Test(arguments: mistakes)
    func `a scenario that says nothing gets a sentence with its line`(_ text: String, _ beginning: String) {
        #expect { try Scenario(text, name: "test") } throws: { "\($0)".hasPrefix(beginning) }
    }

    private static let refusals: [(String, String)] = [
        ("+0 cancel", "the customer has no subscription"),
        ("+0 buy nothing", "the .storekit file has no product"),
        ("+0 refund", "the customer has no such transaction"),
        ("+0 buy $consumable quantity=11", "only consumables can be bought"),
        ("+0 buy $subscription\n+0 buy $subscription", "the customer is subscribed"),
        ("+0 buy $subscription\n+1d resume", "automatic renewal is on already"),
        ("+0 buy $consumable\n+1d refund\n+2d refund", "was refunded or revoked already"),
        ("+0 buy $consumable\n+1d reverse-refund", "was not refunded"),
        ("+0 buy $subscription win-back-offer=come-back", "is not for this customer"),
        ("+0 buy $subscription\n+1d share with=ben\n+1d share with=ben", "has a subscription of the group"),
        ("+0 buy $consumable\n+1d share with=ben", "cannot be shared"),
        ("+0 buy $subscription\n+1d agree", "no price increase waits"),
        ("+0 update-metadata x", "has no subscription"),
    ]

    @Test(arguments: refusals)
    func `what the App Store refuses ends the run with its reason`(_ text: String, _ reason: String) throws {
        let run = ScenarioRun(try Scenario(text, name: "test"), in: try Garden.store(seed: 6))
        #expect { try run.run { _ in } } throws: { "\($0)".contains(reason) }
    }
}
