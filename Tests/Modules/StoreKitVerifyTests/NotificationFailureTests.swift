import Foundation
import Minting
import SignedPayloads
import StoreKitVerify
import Testing

/// Notifications with a fault.
@Suite struct NotificationFailureTests {
    private typealias Failure = PayloadError

    @Test func `a notification is not verified if a payload inside is not`() throws {
        let transaction = MintedNotification.tampered(
            try MintedNotification.token(MintedNotification.transaction),
            payload: MintedNotification.transaction.replacing("plus", with: "more"))
        let renewal = try MintedNotification.token(MintedNotification.renewalInfo)
        let result = try verify(MintedNotification.data(transaction, renewal))
        guard case .unverified(let notification, .invalidSignature) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(result.underlyingError?.member == "data.signedTransactionInfo")
        guard case .unverified(let inner, .invalidSignature)? = notification.data?.transaction else {
            Issue.record("\(notification)")
            return
        }
        #expect(inner.productID == "com.example.garden.more")
        // The other payload has its own good signature.
        #expect(throws: Never.self) { try notification.data?.renewalInfo?.payloadValue }
    }

    @Test func `payloads inside an unverified notification are verified by themselves`() throws {
        let payload = MintedNotification.payload("DID_RENEW", nil, try MintedNotification.goodData())
        let token = MintedNotification.tampered(
            try MintedNotification.token(MintedNotification.payload("TEST")), payload: payload)
        let result = try MintedNotification.verifier().notification(token)
        guard case .unverified(let notification, .invalidSignature) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(result.underlyingError?.member == nil)
        #expect(throws: Never.self) { try notification.data?.transaction?.payloadValue }
        #expect(throws: Never.self) { try notification.data?.renewalInfo?.payloadValue }
        #expect(notification.data?.transaction != nil && notification.data?.renewalInfo != nil)
    }

    @Test func `a forged payload inside is unverified in any notification`() throws {
        let forged = try TestPKI.forged().minter().token(payload: MintedNotification.transaction)
        let members = MintedNotification.data(
            forged, try MintedNotification.token(MintedNotification.renewalInfo))
        let payload = MintedNotification.payload("SUBSCRIBED", "INITIAL_BUY", members)
        let tokens = [
            try MintedNotification.token(payload), MintedNotification.headless(payload),
            try TestPKI.forged().minter().token(payload: payload),
        ]
        for token in tokens {
            let result = try MintedNotification.verifier().notification(token)
            #expect(throws: (any Error).self) { try result.payloadValue }
            guard
                case .unverified(_, .invalidCertificateChain)? = result.unsafePayloadValue.data?.transaction
            else {
                Issue.record("\(result)")
                continue
            }
        }
    }

    @Test func `a payload inside that cannot be read is named, and the other is read`() throws {
        let renewal = try MintedNotification.token(MintedNotification.renewalInfo)
        for inner in ["x", MintedNotification.headless("null"), MintedNotification.headless("{}")] {
            let result = try verify(MintedNotification.data(inner, renewal))
            #expect(throws: (any Error).self) { try result.payloadValue }
            let data = try #require(result.unsafePayloadValue.data)
            #expect(data.transaction == nil)
            #expect(data.unreadablePayloads.map(\.member) == ["data.signedTransactionInfo"])
            #expect(data.unreadablePayloads.map(\.code) == [.invalidEncoding])
            #expect(try data.renewalInfo?.payloadValue.willAutoRenew == true)
        }
        let result = try verify(
            #","data":{"signedTransactionInfo":7},"appData":{"signedAppTransactionInfo":[]}"#)
        let notification = result.unsafePayloadValue
        #expect(result.underlyingError?.member == "data.signedTransactionInfo")
        #expect(notification.data?.unreadablePayloads.map(\.code) == [.invalidEncoding])
        #expect(
            notification.appData?.unreadablePayloads.map(\.member) == ["appData.signedAppTransactionInfo"])
    }

    @Test func `a good payload inside that lacks what its type needs does not fail the notification`() throws
    {
        let small = try MintedNotification.token(#"{"transactionId":"1",\#(MintedNotification.date)}"#)
        let renewal = try MintedNotification.token(MintedNotification.renewalInfo)
        let data = try #require(try verify(MintedNotification.data(small, renewal)).payloadValue.data)
        #expect(data.transaction == nil)
        #expect(data.unreadablePayloads.map(\.code) == [.missingRequiredProperties])
        #expect(data.unreadablePayloads.map(\.member) == ["data.signedTransactionInfo"])
        #expect(try data.renewalInfo?.payloadValue.willAutoRenew == true)
    }

    @Test func `a payload of another kind has no value`() throws {
        let (transaction, renewal) = (
            try MintedNotification.token(MintedNotification.transaction),
            try MintedNotification.token(MintedNotification.renewalInfo)
        )
        let data = try #require(try verify(MintedNotification.data(renewal, transaction)).payloadValue.data)
        #expect(data.transaction == nil)
        #expect(data.unreadablePayloads.map(\.cause).contains(missing("transactionId", of: "transaction")))
        let error = #expect(throws: Failure.self) {
            try MintedNotification.verifier().notification(transaction)
        }
        #expect(error?.cause == missing("notificationType", of: "notification"))
    }

    @Test func `another app's payload is refused, and has no value inside`() throws {
        let verifier = try MintedNotification.verifier { $0.bundleIdentifiers = ["com.example.meadow"] }
        let other = MintedNotification.payload("DID_RENEW", nil, try MintedNotification.goodData())
        let error = #expect(throws: Failure.self) {
            try verifier.notification(try MintedNotification.token(other))
        }
        #expect(error?.code == .wrongBundleIdentifier)
        #expect(error?.member == nil)
        let meadow = #"{"bundleId":"com.example.meadow""#
        let inside = other.replacing(#"{"bundleId":"com.example.garden""#, with: meadow)
        let innerError = #expect(throws: Failure.self) {
            try verifier.notification(try MintedNotification.token(inside))
        }
        #expect(innerError?.code == .wrongBundleIdentifier)
        #expect(innerError?.member == "data.signedTransactionInfo")
        let unverified = try verifier.notification(MintedNotification.headless(inside)).unsafePayloadValue
        #expect(unverified.data?.transaction == nil)
        #expect(unverified.data?.unreadablePayloads.map(\.code) == [.wrongBundleIdentifier])
    }

    @Test(arguments: ["notificationType", "notificationUUID", "signedDate"])
    func `a notification without its type, identifier or date is refused`(member: String) throws {
        let verifier = try MintedNotification.verifier {
            $0.effectiveDate = Date(timeIntervalSince1970: 1_760_000_000)
        }
        let payload = MintedNotification.payload("TEST")
        for name in ["_\(member)", member] {
            // The member has another name, or an unexpected type.
            let value = name == member ? #""\#(member)":{},"x":"# : #""\#(name)":"#
            let token = try MintedNotification.token(payload.replacing(#""\#(member)":"#, with: value))
            let error = #expect(throws: Failure.self) { try verifier.notification(token) }
            #expect(error?.cause == missing(member, of: "notification"))
            #expect(error?.code == .missingRequiredProperties)
        }
    }

    @Test func `an identifier that is not a UUID counts as missing`() throws {
        let payload = MintedNotification.payload("TEST").replacing(MintedNotification.uuid, with: "7")
        let error = #expect(throws: Failure.self) {
            try MintedNotification.verifier().notification(try MintedNotification.token(payload))
        }
        #expect(error?.cause == missing("notificationUUID", of: "notification"))
    }

    @Test func `a part that is not an object has no value, and the notification is unverified`() throws {
        for part in ["data", "summary", "externalPurchaseToken", "appData"] {
            let result = try verify(#","\#(part)":[]"#)
            #expect(result.underlyingError?.detail == "memberType")
            #expect(result.unsafePayloadValue.bundleID == nil)
            #expect(result.unsafePayloadValue.meaning == .test)
        }
    }

    private func verify(_ members: String) throws -> VerificationResult<ServerNotification> {
        let payload = MintedNotification.payload("TEST", nil, members)
        return try MintedNotification.verifier().notification(try MintedNotification.token(payload))
    }

    private func missing(_ member: String, of type: String) -> Failure.Cause {
        .missingProperty(member: member, of: type)
    }
}
