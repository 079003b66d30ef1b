import Foundation
import SeededRandom
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Each rule of entitlement, and the rule that the order of payloads does not matter.
@Suite struct EntitlementTests {
    private typealias RenewalInfo = Product.SubscriptionInfo.RenewalInfo

    private func history(_ transactions: [String], _ renewals: [String] = []) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for payload in transactions { try history.add(Signed.transaction(payload)) }
        for payload in renewals { try history.add(Signed.renewalInfo(payload)) }
        return history
    }

    private func entitled(_ history: PurchaseHistory, _ day: Int) -> [UInt64] {
        history.currentEntitlements(at: Signed.instant(day)).map(\.id)
    }

    @Test func `a non-consumable is an entitlement from its purchase on`() throws {
        let history = try history([Signed.transactionPayload(id: 1, type: "Non-Consumable", purchased: 5)])
        #expect(entitled(history, 4) == [])
        #expect(entitled(history, 5) == [1] && entitled(history, 300) == [1])
    }

    @Test func `a consumable is never an entitlement`() throws {
        let history = try history([Signed.transactionPayload(id: 1, type: "Consumable")])
        #expect(entitled(history, 1) == [])
        #expect(history.unfinished.map(\.id) == [1] && history.all().map(\.id) == [1])
    }

    @Test func `a subscription's latest transaction is an entitlement while it is paid for`() throws {
        let history = try history([
            Signed.transactionPayload(id: 1, purchased: 0, expires: 30),
            Signed.transactionPayload(id: 2, original: 1, purchased: 30, expires: 60),
        ])
        #expect(entitled(history, 10) == [1])
        #expect(entitled(history, 40) == [2])
        #expect(entitled(history, 60) == [])
    }

    @Test func `a subscription is an entitlement in a grace period, and not in billing retry`() throws {
        let transaction = Signed.transactionPayload(id: 1, expires: 30)
        let retry = ["isInBillingRetryPeriod": "true", "expirationIntent": "2"]
        let grace = retry.merging(["gracePeriodExpiresDate": "\(Signed.day(46))"]) { $1 }
        let inGrace = try history([transaction], [Signed.renewalPayload(original: 1, signed: 31, grace)])
        #expect(entitled(inGrace, 40) == [1] && entitled(inGrace, 46) == [])
        let inRetry = try history([transaction], [Signed.renewalPayload(original: 1, signed: 31, retry)])
        #expect(entitled(inRetry, 40) == [])
    }

    @Test func `renewal information of another purchase gives no entitlement`() throws {
        let active = ["renewalDate": "\(Signed.day(60))"]
        let history = try history(
            [Signed.transactionPayload(id: 1, expires: 30)],
            [
                Signed.renewalPayload(original: 2, signed: 31, active),
                Signed.renewalPayload(
                    original: 1, signed: 31, active.merging(["environment": #""Sandbox""#]) { $1 }),
            ])
        #expect(entitled(history, 40) == [])
    }

    @Test func `a refunded or revoked purchase is no entitlement from that date on`() throws {
        for type in ["Non-Consumable", "Non-Renewing Subscription", "Auto-Renewable Subscription"] {
            let history = try history([
                Signed.transactionPayload(id: 1, type: type, expires: 30),
                Signed.transactionPayload(
                    id: 1, type: type, expires: 30, signed: 9, ["revocationDate": "\(Signed.day(8))"]),
            ])
            #expect(entitled(history, 7) == [1] && entitled(history, 8) == [])
        }
    }

    @Test func `after a reversed refund, the purchase is an entitlement again`() throws {
        let refunded = ["revocationDate": "\(Signed.day(8))"]
        let history = try history([
            Signed.transactionPayload(id: 1, type: "Non-Consumable", signed: 20),
            Signed.transactionPayload(id: 1, type: "Non-Consumable", signed: 9, refunded),
        ])
        #expect(entitled(history, 21) == [1])
    }

    @Test func `after an upgrade, the new product is an entitlement and the old one is not`() throws {
        let upgrade = Signed.transactionPayload(
            id: 2, original: 1, product: "com.example.garden.pro", purchased: 10, expires: 40)
        // The App Store may sign the old transaction again, with isUpgraded, or may not.
        for old in [
            Signed.transactionPayload(id: 1, expires: 30),
            Signed.transactionPayload(id: 1, expires: 30, signed: 10, ["isUpgraded": "true"]),
        ] {
            let history = try history([old, upgrade])
            #expect(entitled(history, 20) == [2])
        }
        let alone = try history([
            Signed.transactionPayload(id: 1, expires: 30, signed: 10, ["isUpgraded": "true"])
        ])
        #expect(entitled(alone, 20) == [])
    }

    @Test func `before an upgrade, the old product is an entitlement, even by later payloads`() throws {
        let history = try history([
            Signed.transactionPayload(id: 1, expires: 30, signed: 10, ["isUpgraded": "true"]),
            Signed.transactionPayload(
                id: 2, original: 1, product: "com.example.garden.pro", purchased: 10, expires: 40),
        ])
        #expect(entitled(history, 5) == [1] && entitled(history, 15) == [2])
    }

    @Test func `later payloads give no entitlement for an earlier time without payment`() throws {
        let first = Signed.transactionPayload(id: 1, purchased: 0, expires: 30)
        let second = Signed.transactionPayload(id: 2, original: 1, purchased: 100, expires: 130)
        let active = Signed.renewalPayload(original: 1, signed: 100, ["renewalDate": "\(Signed.day(130))"])
        let grace = Signed.renewalPayload(
            original: 1, signed: 131,
            [
                "isInBillingRetryPeriod": "true", "expirationIntent": "2",
                "renewalDate": "\(Signed.day(130))", "gracePeriodExpiresDate": "\(Signed.day(146))",
            ])
        for renewal in [active, grace] {
            for transactions in [[first, second], [first]] {
                let history = try history(transactions, [renewal])
                #expect(entitled(history, 20) == [1])
                #expect(entitled(history, 50) == [])
            }
        }
        #expect(entitled(try history([first, second], [grace]), 140) == [2])
        #expect(entitled(try history([first], [active]), 110) == [1])
    }

    @Test func `a non-renewing subscription's latest transaction is an entitlement, finished or not`() throws
    {
        var history = try history([
            Signed.transactionPayload(
                id: 1, product: "pass", type: "Non-Renewing Subscription", purchased: 0),
            Signed.transactionPayload(
                id: 2, product: "pass", type: "Non-Renewing Subscription", purchased: 100),
            Signed.transactionPayload(
                id: 3, product: "other", type: "Non-Renewing Subscription", purchased: 50),
        ])
        #expect(entitled(history, 50) == [3, 1])
        #expect(entitled(history, 200) == [2, 3])
        for transaction in history.unfinished { history.finish(transaction) }
        #expect(entitled(history, 200) == [2, 3])
    }

    @Test func `a product may be both bought and shared by the family`() throws {
        let shared = ["inAppOwnershipType": #""FAMILY_SHARED""#]
        let history = try history([
            Signed.transactionPayload(id: 1, product: "p", type: "Non-Consumable", purchased: 1),
            Signed.transactionPayload(id: 2, product: "p", type: "Non-Consumable", purchased: 2, shared),
            Signed.transactionPayload(id: 3, product: "q", type: "Non-Consumable", purchased: 3),
        ])
        #expect(history.currentEntitlements(for: "p", at: Signed.instant(9)).map(\.id) == [2, 1])
    }

    @Test func `an unknown kind of product is no entitlement`() throws {
        let history = try history([Signed.transactionPayload(id: 1, type: "Rental")])
        #expect(entitled(history, 1) == [])
    }

    @Test func `finished consumables are absent from all, unless asked for`() throws {
        var history = try history([
            Signed.transactionPayload(id: 1, product: "coins", type: "Consumable", purchased: 1),
            Signed.transactionPayload(id: 2, product: "coins", type: "Consumable", purchased: 2),
            Signed.transactionPayload(id: 3, product: "level", type: "Non-Consumable", purchased: 3),
        ])
        for transaction in history.all() where transaction.id != 2 { history.finish(transaction) }
        #expect(history.all().map(\.id) == [3, 2])
        #expect(history.all(includingFinishedConsumables: true).map(\.id) == [3, 2, 1])
        #expect(history.unfinished.map(\.id) == [2])
        #expect(history.latest(for: "coins")?.id == 2)
        #expect(history.latest(for: "absent") == nil)
    }

    @Test func `a finished consumable is listed again when it is refunded`() throws {
        let coins = Signed.transactionPayload(id: 1, product: "coins", type: "Consumable", purchased: 1)
        let pass = Signed.transactionPayload(id: 2, product: "pass", type: "Non-Renewing Subscription")
        var history = try history([coins, pass])
        for transaction in history.all() { history.finish(transaction) }
        #expect(history.all() == [])
        let refund = ["revocationDate": "\(Signed.day(3))"]
        try history.add(
            Signed.transaction(
                Signed.transactionPayload(
                    id: 1, product: "coins", type: "Consumable", purchased: 1, signed: 3, refund)))
        try history.add(
            Signed.transaction(
                Signed.transactionPayload(
                    id: 2, product: "pass", type: "Non-Renewing Subscription", signed: 3, refund)))
        #expect(history.all().map(\.id) == [1])
        #expect(history.unfinished == [])
    }

    @Test func `an unverified payload is not added`() throws {
        var history = PurchaseHistory()
        let transaction = try Signed.verifier().transaction(
            Signed.tampered(Signed.transactionPayload(id: 1, type: "Non-Consumable")))
        #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
            try history.add(transaction)
        }
        #expect(history == PurchaseHistory())
    }

    @Test func `payloads in any order and repeated give the same entitlements`() throws {
        var transactions: [VerificationResult<Transaction>] = []
        for payload in [
            Signed.transactionPayload(id: 1, expires: 30),
            Signed.transactionPayload(id: 1, expires: 30, signed: 12, ["isUpgraded": "true"]),
            Signed.transactionPayload(id: 2, original: 1, product: "pro", purchased: 12, expires: 42),
            Signed.transactionPayload(id: 3, original: 1, product: "pro", purchased: 42, expires: 72),
            Signed.transactionPayload(
                id: 3, original: 1, product: "pro", purchased: 42, expires: 72, signed: 50,
                ["revocationDate": "\(Signed.day(49))"]),
            Signed.transactionPayload(id: 4, product: "level", type: "Non-Consumable", purchased: 5),
            Signed.transactionPayload(
                id: 4, product: "level", type: "Non-Consumable", purchased: 5, signed: 6,
                ["revocationDate": "\(Signed.day(6))"]),
            // The same signed date, with other bytes.
            Signed.transactionPayload(
                id: 4, product: "level", type: "Non-Consumable", purchased: 5, signed: 6, ["quantity": "2"]),
            Signed.transactionPayload(
                id: 5, product: "pass", type: "Non-Renewing Subscription", purchased: 7),
            Signed.transactionPayload(id: 6, product: "coins", type: "Consumable", purchased: 8),
        ] { transactions.append(try Signed.transaction(payload)) }
        var renewals: [VerificationResult<RenewalInfo>] = []
        for payload in [
            Signed.renewalPayload(original: 1, signed: 1, ["renewalDate": "\(Signed.day(30))"]),
            Signed.renewalPayload(original: 1, signed: 43, ["renewalDate": "\(Signed.day(72))"]),
            Signed.renewalPayload(
                original: 1, signed: 73, ["isInBillingRetryPeriod": "true", "expirationIntent": "2"]),
            Signed.renewalPayload(original: 9, signed: 1),
        ] { renewals.append(try Signed.renewalInfo(payload)) }
        let finished = try transactions[9].payloadValue

        var random = SplitMix64(seed: 4)
        var expected: PurchaseHistory?
        for _ in 0..<300 {
            var steps = Array(0..<transactions.count + renewals.count + 1)
            steps += (0..<Int.random(in: 0...10, using: &random)).map { _ in
                steps.randomElement(using: &random) ?? 0
            }
            var history = PurchaseHistory()
            for step in steps.shuffled(using: &random) {
                switch step {
                case ..<transactions.count: try history.add(transactions[step])
                case transactions.count..<transactions.count + renewals.count:
                    try history.add(renewals[step - transactions.count])
                default: history.finish(finished)
                }
            }
            let first = expected ?? history
            expected = first
            #expect(history == first)
            for day in stride(from: 0, to: 100, by: 3) {
                #expect(
                    history.currentEntitlements(at: Signed.instant(day))
                        == first.currentEntitlements(at: Signed.instant(day)))
                #expect(history.statuses(at: Signed.instant(day)) == first.statuses(at: Signed.instant(day)))
            }
            #expect(history.all() == first.all() && history.unfinished == first.unfinished)
        }
        #expect(expected.map { entitled($0, 20).count } ?? 0 >= 2)
    }
}
