import Foundation
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// A refunded purchase stays refunded, in every spelling of a payload and in every order of arrival.
@Suite struct RefundTests {
    private func transaction(
        _ id: Int, original: Int = 1, purchased: Int = 0, signed: Int = 1, _ others: [String: String] = [:]
    ) throws -> VerificationResult<Transaction> {
        try Signed.transaction(
            Signed.transactionPayload(
                id: id, original: original, product: "sword", type: "Non-Consumable", purchased: purchased,
                signed: signed, others))
    }

    private func owned(_ payloads: VerificationResult<Transaction>..., on day: Int = 20) throws -> [UInt64] {
        var history = PurchaseHistory()
        for payload in payloads { try history.add(payload) }
        return history.currentEntitlements(at: Signed.instant(day)).map(\.id)
    }

    @Test(arguments: ["\"2026-01-05\"", "1e30", "-1e30", "true", "{}", "[]", "\"\"", "1e999"])
    func `a revocation date that cannot be read revokes`(date: String) throws {
        let refund = try transaction(1, ["revocationDate": date])
        #expect(try refund.payloadValue.revocationDate?.timeIntervalSince1970 == -62_135_596_800)
        #expect(try owned(refund).isEmpty)
        let subscription = try Signed.transaction(
            Signed.transactionPayload(id: 2, expires: 30, ["revocationDate": date]))
        #expect(try owned(subscription).isEmpty)
        let written = try JSONEncoder().encode(refund.payloadValue)
        #expect(String(decoding: written, as: UTF8.self).contains(#""revocationDate":"0001-01-01T00:00:00"#))
    }

    @Test func `a revocation date of null revokes nothing`() throws {
        #expect(try owned(transaction(1, ["revocationDate": "null"])) == [1])
        #expect(try transaction(1, ["revocationDate": "null"]).payloadValue.revocationDate == nil)
    }

    @Test func `the refund of a restored copy covers what is restored later`() throws {
        let copy = try transaction(2, purchased: 3, signed: 6, ["revocationDate": "\(Signed.day(5))"])
        #expect(try owned(transaction(1), copy).isEmpty)
        #expect(try owned(transaction(1), copy, transaction(3, purchased: 4)).isEmpty)
        #expect(try owned(transaction(1), copy, transaction(3, purchased: 4), on: 4) == [3])
    }

    @Test func `the end of Family Sharing covers no later copy`() throws {
        let shared = ["inAppOwnershipType": "\"FAMILY_SHARED\""]
        let ended = try transaction(
            2, purchased: 3, signed: 6, shared.merging(["revocationDate": "\(Signed.day(5))"]) { $1 })
        #expect(try owned(ended, transaction(3, purchased: 8, shared)) == [3])
    }

    @Test func `a payload is read as its own type alone`() throws {
        let verifier = try Signed.verifier()
        let token = try Signed.token(Signed.transactionPayload(id: 1))
        let payload = try verifier.payloads.verify(token)
        let error = #expect(throws: PayloadError.self) {
            let _: Product.SubscriptionInfo.RenewalInfo = try verifier.value(of: payload)
        }
        #expect(error?.message == "the payload's kind is transaction, not renewal information")
    }

    @Test func `a transaction in the place of renewal information displaces nothing`() async throws {
        let transaction = try MintedNotification.token(MintedNotification.transaction)
        let body = try MintedNotification.token(
            MintedNotification.payload(
                "DID_RENEW", nil, MintedNotification.data(transaction, transaction)))
        let verifier = try Signed.verifier()
        guard case .verified(let notification) = try verifier.notification(body) else {
            Issue.record("the notification is not verified")
            return
        }
        #expect(notification.data?.renewalInfo == nil)
        #expect(notification.data?.unreadablePayloads.map(\.member) == ["data.signedRenewalInfo"])
        let store = InMemoryTransactionStore()
        await #expect(throws: PayloadError.self) { try await store.apply(.verified(notification)) }
        #expect(try await store.history(of: .everyone).purchases.isEmpty)
        let payload = try verifier.payloads.verify(body)
        let error = #expect(throws: PayloadError.self) {
            _ = try PurchaseValue.all(in: payload, by: verifier, keepsTokens: true)
        }
        #expect(error?.member == "data.signedRenewalInfo")
    }
}
