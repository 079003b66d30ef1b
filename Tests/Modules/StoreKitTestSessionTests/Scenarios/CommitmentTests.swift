import Foundation
import StoreKitTestSession
import Testing

/// Plans of a year that are billed month by month.
///
/// Apple's page "Managing the life cycle of monthly subscriptions with a 12-month commitment" (2026): a cancellation, a
/// change and a new price wait for the end of the twelve months; billing goes on until then.
@Suite struct CommitmentTests {
    private func prices(_ played: PlayedScenario, _ name: String = "DID_RENEW") -> [Int] {
        played.events(name).compactMap { $0.transaction["price"] as? Int }
    }

    @Test func `a change waits for the end of the twelve months`() throws {
        let played = try PlayedScenario(
            """
            +0     buy YEARLY plan=monthly
            +40d   buy MONTHLY
            +1y1d  end
            """)
        let change = try played.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        #expect(change.renewal["autoRenewProductId"] as? String == Garden.yearly)
        #expect(change.renewal["renewalPrice"] as? Int == 4490)
        #expect(change.renewal["renewalBillingPlanType"] as? String == "MONTHLY")
        #expect(change.commitment["commitmentAutoRenewProductId"] as? String == Garden.monthly)
        #expect(change.commitment["commitmentRenewalBillingPlanType"] as? String == "BILLED_UPFRONT")
        #expect(change.commitment["commitmentRenewalPrice"] as? Int == 4990)
        let renewals = played.events("DID_RENEW")
        #expect(renewals.count == 12)
        #expect(renewals.dropLast().allSatisfy { $0.transaction["productId"] as? String == Garden.yearly })
        #expect(prices(played) == Array(repeating: 4490, count: 11) + [4990])
        let last = try #require(renewals.dropLast().last)
        #expect(last.renewal["autoRenewProductId"] as? String == Garden.monthly)
        #expect(last.renewal["renewalPrice"] as? Int == 4990)
        let next = try #require(renewals.last)
        #expect(next.transaction["productId"] as? String == Garden.monthly)
        #expect(next.transaction["commitmentInfo"] == nil && next.renewal["commitmentInfo"] == nil)
    }

    @Test func `an upgrade begins at once, under the plan that was chosen`() throws {
        let played = try PlayedScenario(
            """
            +0   buy YEARLY plan=monthly
            +40d buy PREMIUM
            +50d end
            """)
        let upgrade = try played.event("DID_CHANGE_RENEWAL_PREF/UPGRADE")
        #expect(upgrade.transaction["price"] as? Int == 9990)
        #expect(upgrade.transaction["commitmentInfo"] == nil)
        #expect(upgrade.renewal["renewalBillingPlanType"] == nil)
        let crossed = try PlayedScenario(
            """
            +0  buy MONTHLY intro=no
            +2d buy YEARLY plan=monthly
            +2mo end
            """)
        let renewal = try #require(crossed.events("DID_RENEW").first)
        #expect(renewal.transaction["billingPlanType"] as? String == "MONTHLY")
        #expect(renewal.transaction["price"] as? Int == 4490)
        let chosen = try crossed.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        #expect(chosen.renewal["renewalBillingPlanType"] as? String == "MONTHLY")
        #expect(chosen.renewal["renewalPrice"] as? Int == 4490)
    }

    @Test func `a price rises with the next year, and a month is never billed as a year`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  raise-price 20% consent=no
            +2y   end
            """)
        let told = try played.event("PRICE_INCREASE/ACCEPTED")
        #expect(told.renewal["renewalPrice"] as? Int == 4490)
        #expect(told.commitment["commitmentRenewalPrice"] as? Int == 5388 * 12)
        #expect(prices(played) == Array(repeating: 4490, count: 11) + Array(repeating: 5388, count: 13))
        let totals = played.events("DID_RENEW").compactMap {
            ($0.transaction["commitmentInfo"] as? [String: Any])?["commitmentPrice"] as? Int
        }
        #expect(totals == Array(repeating: 53_880, count: 11) + Array(repeating: 64_656, count: 13))
    }

    @Test func `a price that is not agreed to ends the commitment after its last month`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  raise-price 5.99
            +1y1d end
            """)
        #expect(played.events("DID_RENEW").count == 11)
        #expect(played.events.last?.name == "EXPIRED/PRICE_INCREASE")
    }

    @Test func `the last month of a cancelled commitment does not renew`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  cancel
            +1y1d end
            """)
        let renewals = played.events("DID_RENEW")
        let statuses = renewals.compactMap { $0.renewal["autoRenewStatus"] as? Int }
        #expect(statuses == Array(repeating: 1, count: 10) + [0])
        #expect(renewals.last?.renewal["renewalPrice"] == nil)
        let own = renewals.dropFirst().compactMap { $0.commitment["commitmentAutoRenewStatus"] as? Int }
        #expect(own == Array(repeating: 0, count: 10))
        #expect(played.events.last?.name == "EXPIRED/VOLUNTARY")
        #expect(played.events.last?.renewal["autoRenewStatus"] as? Int == 0)
    }

    @Test func `a commitment becomes one year that is billed up front, and the other way round`() throws {
        let toUpFront = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  buy YEARLY plan=up-front
            +2y1d end
            """)
        let chosen = try toUpFront.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        #expect(chosen.renewal["renewalBillingPlanType"] as? String == "MONTHLY")
        #expect(chosen.commitment["commitmentRenewalBillingPlanType"] as? String == "BILLED_UPFRONT")
        #expect(chosen.commitment["commitmentRenewalPrice"] as? Int == 49_990)
        #expect(prices(toUpFront) == Array(repeating: 4490, count: 11) + [49_990, 49_990])
        let year = try #require(toUpFront.events("DID_RENEW").last?.transaction)
        #expect(year["billingPlanType"] as? String == "BILLED_UPFRONT")
        let (begin, end) = (year["purchaseDate"] as? Int ?? 0, year["expiresDate"] as? Int ?? 0)
        #expect(end - begin == 365 * 86_400_000 || end - begin == 366 * 86_400_000)

        let toMonthly = try PlayedScenario(
            """
            +0      buy YEARLY
            +40d    buy YEARLY plan=monthly
            +1y40d  end
            """)
        let preference = try toMonthly.event("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        #expect(preference.renewal["renewalBillingPlanType"] as? String == "MONTHLY")
        #expect(preference.renewal["renewalPrice"] as? Int == 4490)
        #expect(prices(toMonthly) == [4490, 4490])
        let months = toMonthly.events("DID_RENEW").compactMap {
            ($0.transaction["commitmentInfo"] as? [String: Any])?["billingPeriodNumber"] as? Int
        }
        #expect(months == [1, 2])
    }

    @Test func `a choice of another plan is taken back`() throws {
        let played = try PlayedScenario(
            """
            +0    buy YEARLY plan=monthly
            +40d  buy YEARLY plan=up-front
            +41d  buy YEARLY plan=monthly
            +1y1d end
            """)
        let back = try played.event("DID_CHANGE_RENEWAL_PREF")
        #expect(back.commitment["commitmentRenewalBillingPlanType"] as? String == "MONTHLY")
        #expect(prices(played) == Array(repeating: 4490, count: 12))
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
            ($0.transaction["commitmentInfo"] as? [String: Any])?["commitmentExpiresDate"] as? Int
        }
        let last = try #require(played.events("DID_RENEW").last?.transaction)
        #expect(ends.last == last["expiresDate"] as? Int)
        #expect(Set(ends).count == 3, "the end moves twice")
        #expect(played.events.last?.name == "EXPIRED/VOLUNTARY")
    }

    @Test func `who gives up a commitment whose next year cannot be paid for is not charged any more`() throws
    {
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
