import Foundation
import Minting
import SignedPayloads
import StoreKitVerify
import Testing

/// Checks that each property has the value of its member in the payload.
@Suite struct NotificationPayloadTests {
    @Test func `payloads inside are typed, and verified with the notification`() throws {
        let notification = try MintedNotification.verified(
            MintedNotification.payload("DID_RENEW", nil, try MintedNotification.goodData()))
        #expect(notification.notificationUUID == UUID(uuidString: MintedNotification.uuid))
        #expect(notification.bundleID == "com.example.garden")
        #expect(notification.environment == .sandbox)
        let data = try #require(notification.data)
        let transaction = try #require(try data.transaction?.payloadValue)
        #expect(transaction.productID == "com.example.garden.plus")
        #expect(transaction.productType == .autoRenewable)
        let renewalInfo = try #require(try data.renewalInfo?.payloadValue)
        #expect(renewalInfo.originalTransactionID == transaction.originalID)
        #expect(renewalInfo.willAutoRenew)
        #expect(data.unreadablePayloads.isEmpty)
        #expect(notification.summary == nil)
        #expect(notification.externalPurchaseToken == nil)
        #expect(notification.appData == nil)
    }

    @Test func `what was verified with the notification is not verified again`() throws {
        let token = try MintedNotification.token(
            MintedNotification.payload("DID_RENEW", nil, try MintedNotification.goodData()))
        let payload = try MintedNotification.verifier().payloads.verify(token)
        // The second verifier trusts only Apple's root. It accepts the payloads because the first one
        // verified them.
        let verifier = StoreKitVerifier(try SignedPayloadVerifier())
        let notification: ServerNotification = try verifier.value(of: payload)
        #expect(throws: Never.self) { try notification.data?.transaction?.payloadValue }
        #expect(throws: Never.self) { try notification.data?.renewalInfo?.payloadValue }
        #expect(notification.data?.transaction != nil && notification.data?.renewalInfo != nil)
    }

    @Test func `every member of every part comes out of its property`() throws {
        let (transaction, renewal) = (MintedNotification.transaction, MintedNotification.renewalInfo)
        let data = MintedNotification.data(
            try MintedNotification.token(transaction), try MintedNotification.token(renewal),
            more: #","appAppleId":1234567890,"bundleVersion":"31","status":4,"#
                + #""consumptionRequestReason":"FULFILLMENT_ISSUE""#)
        let app = try MintedNotification.token(MintedNotification.appTransaction)
        let parts = [
            data,
            #","summary":{"environment":"Sandbox","appAppleId":1234567890,"bundleId":"com.example.garden","#
                + #""productId":"p","requestIdentifier":"e1c0b7f2-5d4a-4e3c-9b8f-6a7d8c9e0f12","#
                + #""storefrontCountryCodes":["DEU","FRA"],"succeededCount":5000000000,"failedCount":0}"#,
            #","externalPurchaseToken":{"externalPurchaseId":"c9a1d6f4","tokenCreationDate":1764999000000,"#
                + #""tokenExpirationDate":1796535000000,"tokenType":"SERVICES","appAppleId":1234567890,"#
                + #""bundleId":"com.example.garden"}"#,
            #","appData":{"appAppleId":1234567890,"bundleId":"com.example.garden","#
                + #""environment":"Production","signedAppTransactionInfo":"\#(app)"}"#,
            #","unclaimInfo":{"unclaimSeatIds":["3f2504e0-4f89-41d3-9a0c-0305e82c3301"],"#
                + #""originalTransactionId":"2000000900000000","appAppleId":1234567890,"#
                + #""bundleId":"com.example.garden","environment":"Sandbox"}"#,
        ]
        for part in parts {
            let payload = MintedNotification.payload("T", "S", part)
            let notification = try MintedNotification.verified(payload)
            #expect(notification.jsonRepresentation == Data(payload.utf8))
            #expect(notification.debugDescription == payload)
            let members = try JSONTree.members(of: notification.jsonRepresentation)
            #expect(members == notification.asMembers.filter { $0.value != .null })
            #expect(notification.bundleID == "com.example.garden")
            #expect(notification.environment == (part.contains("Sandbox") ? .sandbox : .production))
        }
    }

    @Test func `values have names`() throws {
        let reasons: [(String, ConsumptionRequestReason)] = [
            ("UNINTENDED_PURCHASE", .unintendedPurchase), ("FULFILLMENT_ISSUE", .fulfillmentIssue),
            ("UNSATISFIED_WITH_PURCHASE", .unsatisfiedWithPurchase), ("LEGAL", .legal), ("OTHER", .other),
            ("RAIN", ConsumptionRequestReason(rawValue: "RAIN")),
        ]
        for (raw, reason) in reasons {
            let data = try unverified(#","data":{"consumptionRequestReason":"\#(raw)"}"#).data
            #expect(data?.consumptionRequestReason == reason)
        }
        let states: [(Int, Product.SubscriptionInfo.RenewalState)] = [
            (1, .subscribed), (2, .expired), (3, .inBillingRetryPeriod), (4, .inGracePeriod), (5, .revoked),
            (6, .init(rawValue: 6)),
        ]
        for (raw, state) in states {
            #expect(try unverified(#","data":{"status":\#(raw)}"#).data?.status == state)
        }
        let types: [(String, ExternalPurchaseToken.TokenType)] = [
            ("ACQUISITION", .acquisition), ("SERVICES", .services), ("IN_APP", .inApp),
            ("LINK_OUT", .linkOut),
        ]
        for (raw, type) in types {
            let token = try unverified(#","externalPurchaseToken":{"tokenType":"\#(raw)"}"#)
                .externalPurchaseToken
            #expect(token?.tokenType == type)
        }
    }

    @Test func `an external purchase token's identifier tells its environment`() throws {
        let cases: [(String, AppStore.Environment?)] = [
            (#""externalPurchaseId":"SANDBOX_c9a1d6f4""#, .sandbox),
            (#""externalPurchaseId":"c9a1d6f4""#, .production),
            (#""externalPurchaseId":"sandbox_c9a1d6f4""#, .production), ("", nil),
            (#""environment":"Sandbox""#, nil),
        ]
        for (members, environment) in cases {
            let notification = try unverified(#","externalPurchaseToken":{\#(members)}"#)
            #expect(notification.externalPurchaseToken?.environment == environment)
            #expect(notification.environment == environment)
        }
    }

    @Test func `an app number of 0 reads as nil`() throws {
        for part in ["data", "summary", "externalPurchaseToken", "appData", "unclaimInfo"] {
            let notification = try unverified(#","\#(part)":{"appAppleId":0}"#)
            #expect(notification.data?.appAppleID == nil)
            #expect(notification.summary?.appAppleID == nil)
            #expect(notification.externalPurchaseToken?.appAppleID == nil)
            #expect(notification.appData?.appAppleID == nil)
            #expect(notification.unclaimInfo?.appAppleID == nil)
        }
    }

    @Test func `a notification may have no part, and a null part counts as absent`() throws {
        let nulls =
            #","data":null,"summary":null,"externalPurchaseToken":null,"appData":null,"unclaimInfo":null"#
            + #","subtype":null"#
        for members in ["", nulls] {
            let notification = try MintedNotification.verified(
                MintedNotification.payload("TEST", nil, members))
            #expect(notification.data == nil && notification.summary == nil)
            #expect(notification.externalPurchaseToken == nil && notification.appData == nil)
            #expect(notification.unclaimInfo == nil)
            #expect(notification.bundleID == nil && notification.environment == nil)
            #expect(notification.meaning == .test)
        }
        let empty = try MintedNotification.verified(
            #"{"notificationType":"TEST","notificationUUID":"\#(MintedNotification.uuid)","#
                + #""data":{"signedTransactionInfo":null},\#(MintedNotification.date)}"#)
        #expect(empty.version == "")
        #expect(empty.data?.transaction == nil && empty.data?.renewalInfo == nil)
        #expect(empty.data?.unreadablePayloads == [])
    }

    @Test func `unknown members are kept, and change nothing`() throws {
        let part = try MintedNotification.goodData().dropLast() + #","soil":{"ph":6.5}},"rain":[1,2]"#
        let payload = MintedNotification.payload("SUBSCRIBED", "INITIAL_BUY", String(part))
        let notification = try MintedNotification.verified(payload)
        #expect(notification.jsonRepresentation == Data(payload.utf8))
        #expect(notification.meaning == .subscribed(.first))
        #expect(try notification.data?.transaction?.payloadValue.id == 2_000_000_900_000_001)
    }

    @Test func `optional members of another type read as nil, and the others are read`() throws {
        let transaction = try MintedNotification.token(MintedNotification.transaction)
        let notification = try MintedNotification.verified(
            #"{"notificationType":"SUBSCRIBED","subtype":7,"notificationUUID":"\#(MintedNotification.uuid)","#
                + #""version":2.0,"data":{"appAppleId":"garden","bundleId":1,"bundleVersion":31,"#
                + #""environment":[],"status":"1","consumptionRequestReason":{},"#
                + #""signedTransactionInfo":"\#(transaction)"},\#(MintedNotification.date)}"#)
        #expect(notification.subtype == nil)
        #expect(notification.version == "")
        let data = try #require(notification.data)
        #expect(data.appAppleID == nil && data.bundleID == nil && data.bundleVersion == nil)
        #expect(data.environment == nil && data.status == nil && data.consumptionRequestReason == nil)
        #expect(try data.transaction?.payloadValue.id == 2_000_000_900_000_001)
        let summary = try unverified(
            #","summary":{"succeededCount":"5","failedCount":1.5,"storefrontCountryCodes":"DEU"}"#
        ).summary
        #expect(summary?.succeededCount == nil && summary?.failedCount == nil)
        #expect(summary?.storefrontCountryCodes == [])
    }

    @Test func `repetitions are equal, and their identifier is the same`() throws {
        let payload = MintedNotification.payload("TEST")
        let (one, other) = (
            try MintedNotification.verified(payload), try MintedNotification.verified(payload)
        )
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(Set([one.notificationUUID, other.notificationUUID]).count == 1)
        #expect(try MintedNotification.verified(MintedNotification.payload("REFUND")) != one)
    }

    @Test func `a token inside may be written with escapes`() throws {
        let token = try MintedNotification.token(MintedNotification.transaction)
        let escaped = #"\u0065"# + token.dropFirst().replacing(".", with: #"\u002E"#)
        let notification = try MintedNotification.verified(
            MintedNotification.payload("REFUND", nil, #","data":{"signedTransactionInfo":"\#(escaped)"}"#))
        #expect(try notification.data?.transaction?.payloadValue.signedContent.jwsRepresentation == token)
    }

    /// An unverified notification with these members. Its properties can be read without verifying it.
    private func unverified(_ members: String) throws -> ServerNotification {
        let token = MintedNotification.headless(MintedNotification.payload("T", nil, members))
        return try MintedNotification.verifier().notification(token).unsafePayloadValue
    }
}
