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
        #expect(try await session.state() == .expired)
        #expect(await session.entitled().isEmpty)
        #expect(code { try session.expireSubscription(productIdentifier: Garden.premium) } == .invalidAction)
        try session.advance(days: 60)
        #expect(session.allTransactions().count == 1)
    }

    @Test func `without any time between, the later of two events counts`() async throws {
        for _ in 0..<5 {
            let (session, identifier) = try subscribed()
            #expect(await session.entitled() == [Garden.premium])
            try session.expireSubscription(productIdentifier: Garden.premium)
            #expect(await session.entitled().isEmpty)
            try session.buyProduct(productIdentifier: Garden.premium)
            #expect(await session.entitled() == [Garden.premium])
            try session.refundTransaction(identifier: session.latest().identifier)
            #expect(await session.entitled().isEmpty)
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
        #expect(transactions.allSatisfy { $0.autoRenewingEnabled && !$0.isPendingPriceIncreaseConsent })
        try session.disableAutoRenewForTransaction(identifier: identifier)
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        #expect(try session.latest().autoRenewingEnabled)
        #expect(try await session.state() == .subscribed)
    }

    @Test func `a forced renewal ends a free trial`() async throws {
        let (session, _) = try subscribed(Garden.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Garden.monthly)
        let latest = await session.run { await Transaction.latest(for: Garden.monthly) }
        let transaction = try #require(latest).payloadValue
        #expect(transaction.offer == nil && transaction.price == Decimal(string: "4.99"))
        #expect(transaction.reason == .renewal)
    }

    @Test func `a forced renewal fails while payments fail`() async throws {
        let (session, identifier) = try subscribed()
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        #expect(try await session.state() == .inGracePeriod)
        #expect(await session.entitled() == [Garden.premium])
        #expect(try session.latest().hasPurchaseIssue && session.allTransactions().count == 1)
        #expect(try session.latest().cancelDate == nil)
        session.billingGracePeriodIsEnabled = false
        try session.forceRenewalOfSubscription(productIdentifier: Garden.premium)
        #expect(try await session.state() == .inBillingRetryPeriod)
        #expect(await session.entitled().isEmpty)
        #expect(
            code { try session.forceRenewalOfSubscription(productIdentifier: Garden.premium) }
                == .invalidAction)
        try session.resolveIssueForTransaction(identifier: identifier)
        #expect(try await session.state() == .subscribed)
        #expect(session.allTransactions().allSatisfy { !$0.hasPurchaseIssue })
        #expect(await session.entitled() == [Garden.premium])
    }

    @Test func `without a grace period, a failed renewal ends the entitlement at once`() async throws {
        let (session, identifier) = try subscribed()
        session.shouldEnterBillingRetryOnRenewal = true
        try session.advance(days: 31)
        #expect(try await session.state() == .inBillingRetryPeriod)
        #expect(await session.entitled().isEmpty)
        // Once the App Store has given up, there is nothing left to resolve.
        try session.advance(days: 60)
        #expect(try await session.state() == .expired)
        try session.resolveIssueForTransaction(identifier: identifier)
        #expect(try await session.state() == .expired && session.allTransactions().count == 1)
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
        #expect(try await session.state() == .inGracePeriod)
        try session.advance(days: 0.1)
        #expect(try await session.state() == .inBillingRetryPeriod)
        for length in [-Double.infinity, -1, .infinity, .nan, 1e300] {
            session.gracePeriod = length
            #expect(session.gracePeriod.map { (0...366 * 86_400).contains($0) } ?? false)
        }
    }

    @Test func `automatic renewal is turned off and on`() async throws {
        let (session, identifier) = try subscribed()
        try session.enableAutoRenewForTransaction(identifier: identifier)
        try session.disableAutoRenewForTransaction(identifier: identifier)
        try session.disableAutoRenewForTransaction(identifier: identifier)
        #expect(try !session.latest().autoRenewingEnabled)
        #expect(try session.latest().cancelDate == nil)
        #expect(await session.entitled() == [Garden.premium])
        try session.enableAutoRenewForTransaction(identifier: identifier)
        #expect(try session.latest().autoRenewingEnabled)
        #expect(
            session.notificationNames() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
            ])
        try session.disableAutoRenewForTransaction(identifier: identifier)
        try session.advance(days: 31)
        #expect(try await session.state() == .expired && session.allTransactions().count == 1)
        #expect(code { try session.enableAutoRenewForTransaction(identifier: identifier) } == .invalidAction)
        #expect(code { try session.disableAutoRenewForTransaction(identifier: identifier) } == .invalidAction)
    }

    @Test func `a price increase without an answer ends the subscription`() async throws {
        let (session, identifier) = try subscribed()
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        #expect(try session.latest().isPendingPriceIncreaseConsent)
        try session.advance(days: 31)
        #expect(try !session.latest().isPendingPriceIncreaseConsent)
        let status = try await session.run {
            try await Product.SubscriptionInfo.status(for: Garden.group).first
        }
        #expect(try status?.renewalInfo.payloadValue.expirationReason == .didNotConsentToPriceIncrease)
    }

    @Test func `consent to a price increase renews, at a trial's own price too`() async throws {
        for product in [Garden.premium, Garden.monthly] {
            let (session, identifier) = try subscribed(product)
            try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
            try session.consentToPriceIncreaseForTransaction(identifier: identifier)
            #expect(try !session.latest().isPendingPriceIncreaseConsent)
            let again = code { try session.consentToPriceIncreaseForTransaction(identifier: identifier) }
            #expect(again == .invalidAction)
            try session.advance(days: 31)
            let latest = await session.run { await Transaction.latest(for: product) }
            let price = try #require(latest).payloadValue.price
            #expect(price == (try Garden.configuration().product(product)?.price))
        }
    }

    @Test func `declining a price increase turns automatic renewal off`() async throws {
        let (session, identifier) = try subscribed()
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        try session.declinePriceIncreaseForTransaction(identifier: identifier)
        #expect(try !session.latest().isPendingPriceIncreaseConsent && !session.latest().autoRenewingEnabled)
        #expect(await session.entitled() == [Garden.premium])
        try session.advance(days: 31)
        #expect(try await session.state() == .expired)
        #expect(
            code { try session.declinePriceIncreaseForTransaction(identifier: identifier) } == .invalidAction)
    }

    @Test func `a refund has its date, and ends the entitlement`() async throws {
        let (session, identifier) = try subscribed()
        try session.advance(days: 2)
        try session.refundTransaction(identifier: identifier)
        #expect(try session.latest().cancelDate == Garden.day(2))
        let latest = await session.run { await Transaction.latest(for: Garden.premium) }
        let transaction = try #require(latest).payloadValue
        #expect(transaction.revocationDate == Garden.day(2) && transaction.revocationReason == .other)
        #expect(try await session.state() == .revoked)
        #expect(await session.entitled().isEmpty)
        #expect(code { try session.refundTransaction(identifier: identifier) } == .invalidAction)
        try session.reverseRefund(identifier: identifier)
        #expect(await session.entitled() == [Garden.premium])
        for percentage in [0, -1, 100.1, Double.nan, .infinity] {
            #expect(
                code {
                    try session.refundTransaction(
                        identifier: identifier, reason: .other, percentage: percentage)
                }
                    == .invalidAction)
        }
    }

    @Test func `a refunded non-consumable can be bought again`() async throws {
        let session = try Garden.session()
        let first = try await session.bought(Garden.greenhouse)
        #expect(try await session.bought(Garden.greenhouse).id == first.id)
        try session.refundTransaction(identifier: UInt(first.id))
        #expect(await session.entitled().isEmpty)
        let second = try await session.bought(Garden.greenhouse)
        #expect(second.id != first.id && second.revocationDate == nil)
        #expect(await session.entitled() == [Garden.greenhouse])
    }

    // Apple's page "notificationType", `REFUND_REVERSED`: the renewal date stays as it was.
    @Test func `a refund that is reversed after the end revives nothing, and bills nothing of the past`()
        async throws
    {
        let (session, identifier) = try subscribed()
        try session.refundTransaction(identifier: identifier)
        try session.advance(days: 40)
        #expect(session.allTransactions().count == 1)
        try session.reverseRefund(identifier: identifier)
        #expect(session.allTransactions().count == 1)
        #expect(try session.latest().cancelDate == nil)
        #expect(try await session.state() == .expired)
        try session.advance(days: 400)
        #expect(session.allTransactions().count == 1)
    }

    @Test func `a refund that is reversed before the end changes nothing of the next periods`() async throws {
        let (session, identifier) = try subscribed()
        try session.refundTransaction(identifier: identifier)
        try session.advance(days: 10)
        try session.reverseRefund(identifier: identifier)
        #expect(try await session.state() == .subscribed)
        try session.advance(days: 30)
        #expect(session.allTransactions().count == 2)
        #expect(try session.latest().purchaseDate == Garden.day(31))
    }

    @Test func `invalid prices are refused`() throws {
        let (session, identifier) = try subscribed()
        for price in [Decimal(-1), .nan, Decimal(string: "1e30") ?? 0] {
            let code = code {
                try session.raisePrice(forTransaction: identifier, to: price, needsConsent: true)
            }
            #expect(code == .invalidAction)
        }
    }

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
