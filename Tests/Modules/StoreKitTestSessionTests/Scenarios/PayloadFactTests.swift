import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Single members of payloads, and rules of the environments, with Apple's page at each.
@Suite struct PayloadFactTests {
    // Apple's page "price" (App Store Server API): the price of the purchase, for the whole quantity.
    @Test func `the price of several consumables is their total`() throws {
        let played = try PlayedScenario("+0 buy SEEDS quantity=3")
        try played.event("ONE_TIME_CHARGE").transaction.expect(["price": 2970, "quantity": 3])
    }

    // Apple's page "offerPeriod": the duration of the offer that applies to the transaction.
    @Test func `the period of an offer is the whole offer`() throws {
        let played = try PlayedScenario(
            """
            +0  buy MONTHLY intro=no
            +2d buy MONTHLY promotional-offer=spring
            +3mo end
            """)
        try played.event("OFFER_REDEEMED").renewal.expect(["offerPeriod": "P2M"])
        let renewals = played.events("DID_RENEW")
        #expect(renewals.map { $0.transaction["offerPeriod"] as? String } == ["P2M", "P2M", nil])
    }

    // Apple's page "Receiving and decoding external purchase tokens": custom link tokens have a type and a date of
    // expiration; the reminder comes each month while the token is active.
    @Test func `a reminder is of the token that was created, with its type and expiry`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: external-purchase created
            +1d  ben: external-purchase created
            +1mo anna: external-purchase reminder
            +13mo anna: external-purchase unreported
            """)
        let tokens = played.events.compactMap { $0.payload["externalPurchaseToken"] as? [String: Any] }
        let ids = tokens.compactMap { $0["externalPurchaseId"] as? String }
        try #require(ids.count == 4)
        #expect(ids[0] == ids[2] && ids[0] == ids[3])
        #expect(ids[0] != ids[1])
        for token in tokens {
            token.expect(["tokenType": "ACQUISITION"])
            #expect(try token.number("tokenCreationDate") < token.number("tokenExpirationDate"))
        }
        #expect(try tokens[0].number("tokenExpirationDate") == tokens[2].number("tokenExpirationDate"))
    }

    @Test func `nothing reminds of a token that has expired`() throws {
        #expect(throws: ScenarioError.self) {
            try PlayedScenario(
                """
                +0    external-purchase created
                +13mo external-purchase reminder
                """)
        }
    }

    // The same page.
    @Test func `a token of a fast Sandbox is active for an hour`() throws {
        let played = try PlayedScenario(
            """
            set rate monthlyRenewalEveryFiveMinutes
            +0 external-purchase created
            """, environment: .sandbox)
        let token = try #require(played.events.first?.payload["externalPurchaseToken"] as? [String: Any])
        let (created, end) = (try token.number("tokenCreationDate"), try token.number("tokenExpirationDate"))
        #expect(end - created == 3_600_000)
    }

    // Apple's page "Testing In-App Purchases with sandbox": a subscription renews up to twelve times.
    @Test func `a subscription of the Sandbox renews twelve times, and again when bought anew`() throws {
        let text = """
            +0    buy MONTHLY intro=no
            +15mo buy MONTHLY
            +30mo end
            """
        let played = try PlayedScenario(text, environment: .sandbox)
        #expect(played.events("DID_RENEW").count == 24)
        #expect(played.events("EXPIRED/VOLUNTARY").count == 2)
        #expect(
            try PlayedScenario(
                "set renewals unlimited\n+0 buy MONTHLY intro=no\n+30mo end", environment: .sandbox
            )
            .events("DID_RENEW").count == 30)
        #expect(
            try PlayedScenario("+0 buy MONTHLY intro=no\n+30mo end").events("DID_RENEW").count == 30)
    }

    // Apple's page "notificationType", `REFUND_REVERSED`: the renewal date stays as it was.
    @Test func `a refund that is reversed after the end revives nothing, and bills nothing`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +3d  anna: refund
            +60d anna: reverse-refund
            +460d end
            """)
        let reversals = played.events("REFUND_REVERSED")
        #expect(reversals.map(\.status) == [2, 2])
        for reversal in reversals { reversal.transaction.expect(["revocationDate": nil]) }
        #expect(played.events("DID_RENEW").isEmpty)
    }

    @Test(arguments: [
        "set renewals often", "set renewals -1", "set storefront XYZ", "set storefront QQQ",
        "set storefront us",
    ])
    func `a number of renewals or a storefront that cannot be is refused`(_ line: String) {
        #expect(throws: ScenarioError.self) { try Scenario(line, name: "test") }
    }

    // Apple's page "isUpgraded": the new transaction replaces the old one at once.
    @Test func `no status is expired in the middle of an upgrade`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.monthly)
        let states = try await session.run {
            let updates = Task {
                var states: [Product.SubscriptionInfo.RenewalState] = []
                for await status in Product.SubscriptionInfo.Status.updates {
                    states.append(status.state)
                    if case .verified(let transaction) = status.transaction,
                        transaction.productID == Garden.premium
                    {
                        return states
                    }
                }
                return states
            }
            await Task.yield()
            try await Task.sleep(for: .milliseconds(50))
            try await session.bought(Garden.premium)
            return await updates.value
        }
        #expect(!states.isEmpty && states.allSatisfy { $0 == .subscribed }, "\(states)")
    }

    @Test func `two readings of an unchanged status are equal`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.monthly)
        let read = {
            try await session.run { try await Product.SubscriptionInfo.status(for: Garden.group) }
        }
        let first = try await read()
        #expect(try await read() == first)
        try session.disableAutoRenewForTransaction(identifier: session.latest().identifier)
        #expect(try await read() != first)
    }
}
