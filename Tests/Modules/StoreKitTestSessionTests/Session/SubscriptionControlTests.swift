import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// What a test does to subscriptions.
@Suite struct SubscriptionControlTests {
    private func subscribed(_ product: String = Garden.premium) throws -> (SKTestSession, UInt) {
        let session = try Garden.session()
        try session.buyProduct(productIdentifier: product)
        return (session, try session.latest().identifier)
    }

    @Test func `expiring turns automatic renewal off, and ends the period now`() async throws {
        let (session, _) = try subscribed()
        try session.advance(days: 3)
        try session.expireSubscription(productIdentifier: Garden.premium)
        #expect(try session.latest().expirationDate == Garden.day(3))
        #expect(try !session.latest().autoRenewingEnabled)
        try await session.expect(.expired, entitled: [])
        refuses(.invalidAction) { try session.expireSubscription(productIdentifier: Garden.premium) }
        try session.advance(days: 60)
        #expect(session.allTransactions().count == 1)
    }

    @Test func `without any time between, the later of two events counts`() async throws {
        for _ in 0..<5 {
            let (session, identifier) = try subscribed()
            var entitled = [await session.entitled()]
            try session.expireSubscription(productIdentifier: Garden.premium)
            entitled.append(await session.entitled())
            try session.buyProduct(productIdentifier: Garden.premium)
            entitled.append(await session.entitled())
            try session.refundTransaction(identifier: session.latest().identifier)
            entitled.append(await session.entitled())
            #expect(entitled == [[Garden.premium], [], [Garden.premium], []])
            #expect(identifier < (try session.latest().identifier))
        }
    }

    @Test func `a forced renewal starts a period now, and turns automatic renewal on`() async throws {
        let (session, identifier) = try subscribed()
        try session.advance(days: 5)
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        #expect(try session.latest().isPendingPriceIncreaseConsent)
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        let transactions = session.allTransactions()
        #expect(transactions.map(\.expirationDate) == [Garden.day(5), Garden.day(36)])
        #expect(transactions.map(\.purchaseDate) == [Garden.start, Garden.day(5)])
        #expect(transactions.map(\.autoRenewingEnabled) == [true, true])
        #expect(transactions.map(\.isPendingPriceIncreaseConsent) == [false, false])
        try session.disableAutoRenewForTransaction(identifier: identifier)
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        #expect(try session.latest().autoRenewingEnabled)
        try await session.expect(.subscribed)
    }

    @Test func `a forced renewal ends a free trial`() async throws {
        let (session, _) = try subscribed(Garden.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Garden.monthly)
        let transaction = try await session.transaction(Garden.monthly)
        #expect(transaction.offer == nil)
        #expect(transaction.price == Decimal(string: "4.99"))
        #expect(transaction.reason == .renewal)
    }

    @Test func `a forced renewal fails while payments fail`() async throws {
        let (session, identifier) = try subscribed()
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        try await session.expect(.inGracePeriod, entitled: [Garden.premium])
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
        #expect(try session.latest().cancelDate == nil)
        session.billingGracePeriodIsEnabled = false
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        try await session.expect(.inBillingRetryPeriod, entitled: [])
        refuses(.invalidAction) { try session.forceRenewalOfSubscription(productIdentifier: Garden.premium) }
        try session.resolveIssueForTransaction(identifier: identifier)
        try await session.expect(.subscribed)
        #expect(session.allTransactions().allSatisfy { !$0.hasPurchaseIssue })
        await session.expect(entitled: [Garden.premium])
    }

    @Test func `without a grace period, a failed renewal ends the entitlement at once`() async throws {
        let (session, identifier) = try subscribed()
        session.shouldEnterBillingRetryOnRenewal = true
        try session.advance(days: 31)
        try await session.expect(.inBillingRetryPeriod, entitled: [])
        // Once the App Store has given up, there is nothing left to resolve.
        try session.advance(days: 60)
        try await session.expect(.expired)
        try session.resolveIssueForTransaction(identifier: identifier)
        try await session.expect(.expired)
        #expect(session.allTransactions().count == 1)
    }

    @Test func `within a grace period no day is lost, after it the period begins anew`() throws {
        for (days, start) in [(35.0, 31.0), (50, 50)] {
            let (session, identifier) = try subscribed()
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            try session.advance(days: days)
            try session.resolveIssueForTransaction(identifier: identifier)
            #expect(try session.latest().purchaseDate == Garden.day(start))
        }
    }

    @Test func `a chosen grace period lasts as long as it says`() async throws {
        let (session, _) = try subscribed()
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        session.gracePeriod = 3 * 86_400
        try session.advance(days: 33.9)
        try await session.expect(.inGracePeriod)
        try session.advance(days: 0.1)
        try await session.expect(.inBillingRetryPeriod)
        for length in [-Double.infinity, -1, .infinity, .nan, 1e300] {
            session.gracePeriod = length
            let period = try #require(session.gracePeriod)
            #expect(period >= 0 && period <= 366 * 86_400)
        }
    }

    @Test func `automatic renewal is turned off and on`() async throws {
        let (session, identifier) = try subscribed()
        try session.enableAutoRenewForTransaction(identifier: identifier)
        try session.disableAutoRenewForTransaction(identifier: identifier)
        try session.disableAutoRenewForTransaction(identifier: identifier)
        let disabled = try session.latest()
        #expect(!disabled.autoRenewingEnabled)
        #expect(disabled.cancelDate == nil)
        await session.expect(entitled: [Garden.premium])
        try session.enableAutoRenewForTransaction(identifier: identifier)
        #expect(try session.latest().autoRenewingEnabled)
        let names = session.notificationNames()
        #expect(
            names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
            ])
        try session.disableAutoRenewForTransaction(identifier: identifier)
        try session.advance(days: 31)
        try await session.expect(.expired)
        #expect(session.allTransactions().count == 1)
        refuses(.invalidAction) { try session.enableAutoRenewForTransaction(identifier: identifier) }
        refuses(.invalidAction) { try session.disableAutoRenewForTransaction(identifier: identifier) }
    }

    // MARK: - Prices

    @Test func `a price increase without an answer ends the subscription`() async throws {
        let (session, identifier) = try subscribed()
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        #expect(try session.latest().isPendingPriceIncreaseConsent)
        try session.advance(days: 31)
        #expect(try !session.latest().isPendingPriceIncreaseConsent)
        let info = try await session.status().renewalInfo.payloadValue
        #expect(info.expirationReason == .didNotConsentToPriceIncrease)
    }

    @Test func `consent to a price increase renews, at a trial's own price too`() async throws {
        for product in [Garden.premium, Garden.monthly] {
            let (session, identifier) = try subscribed(product)
            try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
            try session.consentToPriceIncreaseForTransaction(identifier: identifier)
            #expect(try !session.latest().isPendingPriceIncreaseConsent)
            refuses(.invalidAction) {
                try session.consentToPriceIncreaseForTransaction(identifier: identifier)
            }
            try session.advance(days: 31)
            let price = try await session.transaction(product).price
            #expect(price == (try Garden.configuration().product(product)?.price))
        }
    }

    @Test func `declining a price increase turns automatic renewal off`() async throws {
        let (session, identifier) = try subscribed()
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        try session.declinePriceIncreaseForTransaction(identifier: identifier)
        let declined = try session.latest()
        #expect(!declined.isPendingPriceIncreaseConsent && !declined.autoRenewingEnabled)
        await session.expect(entitled: [Garden.premium])
        try session.advance(days: 31)
        try await session.expect(.expired)
        refuses(.invalidAction) { try session.declinePriceIncreaseForTransaction(identifier: identifier) }
    }

    @Test func `invalid prices are refused`() throws {
        let (session, identifier) = try subscribed()
        for price in [Decimal(-1), .nan, Decimal(string: "1e30") ?? 0] {
            refuses(.invalidAction) {
                try session.raisePrice(forTransaction: identifier, to: price, needsConsent: true)
            }
        }
    }

    // MARK: - Refunds

    @Test func `a refund ends the entitlement, and its reversal moves no period`() async throws {
        let (session, identifier) = try subscribed()
        try session.advance(days: 2)
        try session.refundTransaction(identifier: identifier)
        #expect(try session.latest().cancelDate == Garden.day(2))
        let transaction = try await session.transaction(Garden.premium)
        #expect(transaction.revocationDate == Garden.day(2))
        #expect(transaction.revocationReason == .other)
        try await session.expect(.revoked, entitled: [])
        refuses(.invalidAction) { try session.refundTransaction(identifier: identifier) }
        try session.advance(days: 8)
        try session.reverseRefund(identifier: identifier)
        #expect(try session.latest().cancelDate == nil)
        try await session.expect(.subscribed, entitled: [Garden.premium])
        for percentage in [0, -1, 100.1, Double.nan, .infinity] {
            refuses(.invalidAction) {
                try session.refundTransaction(
                    identifier: identifier, reason: .other, percentage: percentage)
            }
        }
        try session.advance(days: 30)
        #expect(session.allTransactions().map(\.purchaseDate) == [Garden.start, Garden.day(31)])
    }

    @Test func `a refunded non-consumable can be bought again`() async throws {
        let session = try Garden.session()
        let first = try await session.bought(Garden.greenhouse)
        #expect(try await session.bought(Garden.greenhouse).id == first.id)
        try session.refundTransaction(identifier: UInt(first.id))
        await session.expect(entitled: [])
        let second = try await session.bought(Garden.greenhouse)
        #expect(second.id != first.id)
        #expect(second.revocationDate == nil)
        await session.expect(entitled: [Garden.greenhouse])
    }

    // MARK: - Time

    @Test func `invalid times let no time pass, or stop at the calendar's end`() throws {
        let session = try Garden.session()
        for time in [Double.nan, -Double.infinity, -1e300, -1] {
            try session.advance(to: Date(timeIntervalSince1970: time))
            #expect(session.now == Garden.start)
        }
        try session.advance(by: .seconds(-5))
        #expect(session.now == Garden.start)
        try session.buyProduct(productIdentifier: Garden.seeds)
        try session.advance(to: Date(timeIntervalSince1970: .infinity))
        #expect(session.now > Garden.start)
    }
}
