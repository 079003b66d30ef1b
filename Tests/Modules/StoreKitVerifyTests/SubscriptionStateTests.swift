import Foundation
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Checks subscription states: Apple's table about billing, and the effect of time.
@Suite struct SubscriptionStateTests {
    private typealias RenewalInfo = Product.SubscriptionInfo.RenewalInfo
    private typealias State = Product.SubscriptionInfo.RenewalState

    /// A subscription that is paid for until day 30, with renewal information from day 31.
    private func state(
        _ renewal: [String: String]?, at day: Int, _ transaction: [String: String] = [:]
    ) throws -> State {
        let transaction = try Signed.transaction(
            Signed.transactionPayload(id: 1, purchased: 0, expires: 30, transaction)
        ).payloadValue
        let info = try renewal.map {
            try Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 31, $0)).payloadValue
        }
        return State(of: transaction, renewalInfo: info, at: Signed.instant(day))
    }

    // The rows of the table on Apple's page about isInBillingRetry.

    @Test func `no retry and no reason: active, and entitled`() throws {
        let active = ["isInBillingRetryPeriod": "false", "renewalDate": "\(Signed.day(60))"]
        #expect(try billing(active) == .active)
        #expect(try state(active, at: 40) == .subscribed)
        #expect(try state(active, at: 40).isEntitled)
    }

    @Test func `a retry with grace: entitled until its end`() throws {
        let grace = [
            "isInBillingRetryPeriod": "true", "expirationIntent": "2",
            "gracePeriodExpiresDate": "\(Signed.day(46))",
        ]
        #expect(try billing(grace) == .gracePeriod(until: Signed.instant(46)))
        #expect(try state(grace, at: 45) == .inGracePeriod)
        #expect(try state(grace, at: 45).isEntitled)
        #expect(try state(grace, at: 46) == .inBillingRetryPeriod)
        #expect(try !state(grace, at: 46).isEntitled)
    }

    @Test func `a retry without grace: not entitled`() throws {
        let retry = ["isInBillingRetryPeriod": "true", "expirationIntent": "2"]
        #expect(try billing(retry) == .billingRetry)
        #expect(try state(retry, at: 45) == .inBillingRetryPeriod)
        #expect(try !state(retry, at: 45).isEntitled)
    }

    @Test func `no retry, and a billing error: expired, and not entitled`() throws {
        let expired = ["isInBillingRetryPeriod": "false", "expirationIntent": "2"]
        #expect(try billing(expired) == .expired(.billingError))
        #expect(try state(expired, at: 45) == .expired)
        #expect(try !state(expired, at: 45).isEntitled)
    }

    @Test("other reasons to expire", arguments: [1, 3, 4, 5, 6])
    func otherReasons(intent: Int) throws {
        let members = ["expirationIntent": "\(intent)"]
        #expect(try billing(members) == .expired(RenewalInfo.ExpirationReason(rawValue: intent)))
        #expect(try state(members, at: 45) == .expired)
    }

    // Time, and missing information.

    @Test func `a paid period lasts to its end, whatever renewal information says`() throws {
        let retry = ["isInBillingRetryPeriod": "true", "expirationIntent": "2"]
        #expect(try state(retry, at: 29) == .subscribed)
        #expect(try state(nil, at: 29) == .subscribed)
        #expect(try state(nil, at: 30) == .expired)
    }

    @Test func `after its renewal date, active information no longer means subscribed`() throws {
        let active = ["renewalDate": "\(Signed.day(60))"]
        #expect(try state(active, at: 59) == .subscribed)
        #expect(try state(active, at: 60) == .expired)
        #expect(try state([:], at: 31) == .expired)
    }

    @Test func `a revocation counts from its date on, unless later information knows a later period`() throws
    {
        let revoked = ["revocationDate": "\(Signed.day(10))", "revocationReason": "0"]
        #expect(try state(nil, at: 9, revoked) == .subscribed)
        #expect(try state(nil, at: 10, revoked) == .revoked)
        #expect(try state(["renewalDate": "\(Signed.day(30))"], at: 40, revoked) == .revoked)
        #expect(try state(["renewalDate": "\(Signed.day(60))"], at: 30, revoked) == .revoked)
        #expect(try state(["renewalDate": "\(Signed.day(60))"], at: 40, revoked) == .subscribed)
    }

    @Test func `the states' numbers are those of the App Store Server API`() {
        let states: [State] = [.subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked]
        #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(states.map(\.isEntitled) == [true, false, false, true, false])
    }

    // Which payloads belong together.

    @Test func `renewal information of another purchase or environment is refused`() throws {
        let transaction = try Signed.transaction(Signed.transactionPayload(id: 1, expires: 30))
        let own = try Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 1))
        let status = try Product.SubscriptionInfo.Status(
            transaction: transaction, renewalInfo: own, at: Signed.instant(1))
        #expect(status.state == .subscribed)
        let other = try Signed.renewalInfo(Signed.renewalPayload(original: 2, signed: 1))
        #expect(throws: Product.SubscriptionInfo.StatusError.otherPurchase(transaction: 1, renewalInfo: 2)) {
            try Product.SubscriptionInfo.Status(
                transaction: transaction, renewalInfo: other, at: Signed.instant(1))
        }
        let sandbox = try Signed.renewalInfo(
            Signed.renewalPayload(original: 1, signed: 1, ["environment": #""Sandbox""#]))
        #expect(
            throws: Product.SubscriptionInfo.StatusError.otherEnvironment(
                transaction: .production, renewalInfo: .sandbox)
        ) {
            try Product.SubscriptionInfo.Status(
                transaction: transaction, renewalInfo: sandbox, at: Signed.instant(1))
        }
        let unverified = try Signed.verifier().transaction(
            Signed.tampered(Signed.transactionPayload(id: 1, expires: 30)))
        #expect(throws: Product.SubscriptionInfo.StatusError.unverifiedTransaction) {
            try Product.SubscriptionInfo.Status(
                transaction: unverified, renewalInfo: own, at: Signed.instant(1))
        }
    }

    private func billing(_ members: [String: String]) throws -> RenewalInfo.BillingStatus {
        try Signed.renewalInfo(Signed.renewalPayload(original: 1, signed: 31, members)).payloadValue
            .billingStatus
    }
}
