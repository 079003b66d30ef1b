import StoreKitTestSession
import Testing

/// Plans of a year that are billed month by month.
///
/// Apple's page "Managing the life cycle of monthly subscriptions with a 12-month commitment" (2026): a cancellation, a
/// change and a new price wait for the end of the twelve months; billing goes on until then.
@Suite struct CommitmentTests {
    private func prices(_ played: PlayedScenario) -> [Int] {
        played.events("DID_RENEW").compactMap { $0.transaction["price"] as? Int }
    }

    /// A number of the commitment in each renewal's transaction.
    private func commitments(_ played: PlayedScenario, _ member: String) -> [Int] {
        played.events("DID_RENEW").compactMap { $0.transaction.object("commitmentInfo")[member] as? Int }
    }

    @Test func `a change waits for the end of the twelve months`() throws {
        let played = try PlayedScenario(
            """
            +0     buy YEARLY plan=monthly
            +40d   buy MONTHLY
            +1y1d  end
            """)
        let change = try played.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        change.renewal.expect([
            "autoRenewProductId": .text(Garden.yearly), "renewalPrice": 4490,
            "renewalBillingPlanType": "MONTHLY",
        ])
        change.commitment.expect([
            "commitmentAutoRenewProductId": .text(Garden.monthly), "commitmentRenewalPrice": 4990,
            "commitmentRenewalBillingPlanType": "BILLED_UPFRONT",
        ])
        let renewals = played.events("DID_RENEW")
        try #require(renewals.count == 12)
        let products = renewals.compactMap { $0.transaction["productId"] as? String }
        #expect(products == Array(repeating: Garden.yearly, count: 11) + [Garden.monthly])
        #expect(prices(played) == Array(repeating: 4490, count: 11) + [4990])
        renewals[10].renewal.expect(["autoRenewProductId": .text(Garden.monthly), "renewalPrice": 4990])
        renewals[11].transaction.expect(["commitmentInfo": nil])
        renewals[11].renewal.expect(["commitmentInfo": nil])
    }

    @Test func `an upgrade begins at once, under the plan that was chosen`() throws {
        let played = try PlayedScenario(
            """
            +0   buy YEARLY plan=monthly
            +40d buy PREMIUM
            +50d end
            """)
        let upgrade = try played.event("DID_CHANGE_RENEWAL_PREF/UPGRADE")
        upgrade.transaction.expect(["price": 9990, "commitmentInfo": nil])
        upgrade.renewal.expect(["renewalBillingPlanType": nil])
        let crossed = try PlayedScenario(
            """
            +0  buy MONTHLY intro=no
            +2d buy YEARLY plan=monthly
            +2mo end
            """)
        let renewal = try #require(crossed.events("DID_RENEW").first)
        renewal.transaction.expect(["billingPlanType": "MONTHLY", "price": 4490])
        try crossed.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE").renewal.expect([
            "renewalBillingPlanType": "MONTHLY", "renewalPrice": 4490,
        ])
    }

    @Test func `a price rises with the next year, and a month is never billed as a year`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  raise-price 20% consent=no
            +2y   end
            """)
        let told = try played.event("PRICE_INCREASE/ACCEPTED")
        told.renewal.expect(["renewalPrice": 4490])
        told.commitment.expect(["commitmentRenewalPrice": 64_656])
        #expect(prices(played) == Array(repeating: 4490, count: 11) + Array(repeating: 5388, count: 13))
        let totals = Array(repeating: 53_880, count: 11) + Array(repeating: 64_656, count: 13)
        #expect(commitments(played, "commitmentPrice") == totals)
    }

    @Test func `a cancelled commitment, or an unanswered price, ends with the last month`() throws {
        let unanswered = try PlayedScenario("+0 buy YEARLY plan=monthly\n+40d raise-price 5.99\n+1y1d end")
        #expect(unanswered.events("DID_RENEW").count == 11)
        #expect(unanswered.events.last?.name == "EXPIRED/PRICE_INCREASE")

        let played = try PlayedScenario("+0 buy YEARLY plan=monthly\n+40d cancel\n+1y1d end")
        let renewals = played.events("DID_RENEW")
        let statuses = renewals.compactMap { $0.renewal["autoRenewStatus"] as? Int }
        #expect(statuses == Array(repeating: 1, count: 10) + [0])
        renewals.last?.renewal.expect(["renewalPrice": nil])
        let own = renewals.dropFirst().compactMap { $0.commitment["commitmentAutoRenewStatus"] as? Int }
        #expect(own == Array(repeating: 0, count: 10))
        try played.event("EXPIRED/VOLUNTARY").renewal.expect(["autoRenewStatus": 0])
        #expect(played.events.last?.name == "EXPIRED/VOLUNTARY")
    }

    @Test func `a commitment becomes one year that is billed up front, unless that is taken back`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  buy YEARLY plan=up-front
            +2y1d end
            """)
        let chosen = try played.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        chosen.renewal.expect(["renewalBillingPlanType": "MONTHLY"])
        chosen.commitment.expect([
            "commitmentRenewalBillingPlanType": "BILLED_UPFRONT", "commitmentRenewalPrice": 49_990,
        ])
        #expect(prices(played) == Array(repeating: 4490, count: 11) + [49_990, 49_990])
        let year = try #require(played.events("DID_RENEW").last?.transaction)
        year.expect(["billingPlanType": "BILLED_UPFRONT"])
        let length = try year.number("expiresDate") - year.number("purchaseDate")
        #expect([365, 366].map { $0 * 86_400_000 }.contains(length))

        let changed = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  buy YEARLY plan=up-front
            +41d  buy YEARLY plan=monthly
            +1y1d end
            """)
        try changed.event("DID_CHANGE_RENEWAL_PREF").commitment.expect([
            "commitmentRenewalBillingPlanType": "MONTHLY"
        ])
        #expect(prices(changed) == Array(repeating: 4490, count: 12))
    }

    @Test func `a year that is billed up front becomes a commitment`() throws {
        let played = try PlayedScenario("+0 buy YEARLY\n+40d buy YEARLY plan=monthly\n+1y40d end")
        try played.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE").renewal.expect([
            "renewalBillingPlanType": "MONTHLY", "renewalPrice": 4490,
        ])
        #expect(prices(played) == [4490, 4490])
        #expect(commitments(played, "billingPeriodNumber") == [1, 2])
    }

    @Test func `late payments and extensions move the end with the months that are left`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  fail-payments
            +71d  fix-payments
            +90d  extend days=7
            +250d cancel
            +14mo end
            """)
        let ends = played.events.compactMap {
            $0.transaction.object("commitmentInfo")["commitmentExpiresDate"] as? Int
        }
        let last = try #require(played.events("DID_RENEW").last?.transaction)
        #expect(try ends.last == last.number("expiresDate"))
        #expect(Set(ends).count == 3, "the end moves twice")
        #expect(played.events.last?.name == "EXPIRED/VOLUNTARY")
    }

    @Test func `a commitment that is given up while payments fail is not charged any more`() throws {
        let played = try PlayedScenario(
            """
            +0     buy YEARLY plan=monthly
            +340d  fail-payments
            +370d  cancel
            +371d  fix-payments
            +2y    end
            """)
        #expect(played.events.last?.name == "EXPIRED/BILLING_RETRY")
        #expect(played.events("DID_RENEW").count == 11)
    }
}
