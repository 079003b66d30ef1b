import Foundation
import RepositoryFiles
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Checks that each property has the value of its signed member.
@Suite struct SignedMemberTests {
    @Test func `a transaction with all of its members`() throws {
        let payload = Signed.transactionPayload(
            id: 2_000_000_900_000_001, original: 2_000_000_900_000_000, purchased: 31, expires: 62,
            [
                "webOrderLineItemId": #""2000000001000001""#, "subscriptionGroupIdentifier": #""21000001""#,
                "isUpgraded": "true", "appAccountToken": #""7edea87d-98f0-42d0-9682-49ca81022f73""#,
                "storefront": #""USA""#, "storefrontId": #""143441""#, "transactionReason": #""RENEWAL""#,
                "offerType": "4", "offerIdentifier": #""come-back""#, "offerDiscountType": #""PAY_UP_FRONT""#,
                "offerPeriod": #""P3M""#, "price": "4990", "currency": #""USD""#,
                "revocationDate": "1738454400123",
                "revocationReason": "1", "revocationType": #""REFUND_PRORATED""#,
                "revocationPercentage": "50500",
                "appTransactionId": #""704123456789012345""#, "billingPlanType": #""MONTHLY""#,
                "commitmentInfo":
                    #"{"billingPeriodNumber":3,"totalBillingPeriods":12,"commitmentPrice":59880,"commitmentExpiresDate":1767225600000}"#,
                "advancedCommerceInfo":
                    #"{"descriptors":{"description":"d","displayName":"n"},"estimatedTax":350,"items":[{"SKU":"s1","description":"d1","displayName":"n1","seatPriceTiers":[{"price":4990,"maximumSeatQuantity":5},{"price":3990}],"offer":{"period":"P1M","periodCount":2,"price":990,"reason":"WIN_BACK"},"price":4990,"refunds":[{"revokedSeatQuantity":2,"refundAmount":1990,"refundDate":1738454400000,"refundReason":"LEGAL","refundType":"CUSTOM"}],"revocationDate":1738454400000}],"period":"P1M","requestReferenceId":"r","taxCode":"C003-00-1","taxExclusivePrice":4640,"taxRate":"0.15"}"#,
                "multiSeatInfo":
                    #"{"invitationManagement":"DEVELOPER","priceTiers":[{"price":9990,"quantity":5},{"price":7990,"quantity":3}],"revokedSeatQuantity":2}"#,
                "additionalTransactionReason": #""SEAT_ADDITION""#,
                "previousOriginalTransactionId": #""1999999999999999""#,
                "deviceVerification": "\"\(Data(repeating: 7, count: 48).base64EncodedString())\"",
                "deviceVerificationNonce": #""bc4a2b33-9c71-4a3c-8a1f-1d2e3f405162""#,
            ])
        let result = try Signed.transaction(payload)
        try expectNothingLost(result, transactionMembers, "minted")
        let transaction = try result.payloadValue
        #expect(transaction.price == Decimal(string: "4.99"))
        #expect(transaction.revocationPercentage == Decimal(string: "50.5"))
        #expect(transaction.offer?.type == .winBack && transaction.offer?.paymentMode == .payUpFront)
        #expect(transaction.offer?.period == Product.SubscriptionPeriod(value: 3, unit: .month))
        #expect(transaction.productType == .autoRenewable && transaction.ownershipType == .purchased)
        #expect(
            transaction.revocationReason == .developerIssue && transaction.revocationType == .proratedRefund)
        #expect(transaction.revocationDate == Date(timeIntervalSince1970: 1_738_454_400.123))
        #expect(transaction.environment == .production && transaction.reason == .renewal)
        #expect(transaction.multiSeatInfo?.invitationManagement == .developer)
        #expect(transaction.additionalTransactionReason == .seatAddition)
        #expect(result.deviceVerification.count == 48)
        #expect(Set(transactionMembers.keys).isSubset(of: try members(of: result.payloadData)))
    }

    @Test func `renewal information with all of its members`() throws {
        let payload = Signed.renewalPayload(
            original: 2_000_000_900_000_000, signed: 62,
            [
                "autoRenewProductId": #""com.example.garden.pro""#, "expirationIntent": "2",
                "isInBillingRetryPeriod": "true", "gracePeriodExpiresDate": "1741564800000",
                "priceIncreaseStatus": "0", "renewalDate": "1741046400000", "offerType": "2",
                "offerIdentifier": #""stay""#, "offerDiscountType": #""FREE_TRIAL""#,
                "offerPeriod": #""P1W""#,
                "eligibleWinBackOfferIds": #"["a","b"]"#, "renewalPrice": "5990", "currency": #""EUR""#,
                "appAccountToken": #""7edea87d-98f0-42d0-9682-49ca81022f73""#,
                "appTransactionId": #""704123456789012345""#, "renewalBillingPlanType": #""BILLED_UPFRONT""#,
                "commitmentInfo":
                    #"{"commitmentAutoRenewProductId":"p","commitmentAutoRenewStatus":1,"commitmentRenewalBillingPlanType":"MONTHLY","commitmentRenewalDate":1767225600000,"commitmentRenewalPrice":59880}"#,
                "advancedCommerceInfo":
                    #"{"consistencyToken":"t","descriptors":{"description":"d","displayName":"n"},"items":[{"SKU":"s1","description":"d1","displayName":"n1","offer":{"period":"P1M","periodCount":2,"price":990,"reason":"RETENTION"},"price":4990,"priceIncreaseInfo":{"dependentSKUs":["s2"],"price":5990,"status":"PENDING"}}],"period":"P1M","requestReferenceId":"r","taxCode":"C003-00-1"}"#,
                "renewalQuantity": "6",
                "multiSeatInfo":
                    #"{"renewalPriceTiers":[{"price":9990,"quantity":5},{"price":7990,"quantity":1}]}"#,
                "deviceVerification": "\"\(Data(repeating: 7, count: 48).base64EncodedString())\"",
                "deviceVerificationNonce": #""bc4a2b33-9c71-4a3c-8a1f-1d2e3f405162""#,
            ])
        let result = try Signed.renewalInfo(payload)
        try expectNothingLost(result, renewalInfoMembers, "minted")
        let info = try result.payloadValue
        #expect(info.expirationReason == .billingError && info.priceIncreaseStatus == .pending)
        #expect(info.renewalPrice == Decimal(string: "5.99") && info.renewalBillingPlanType == .upFront)
        #expect(Set(renewalInfoMembers.keys).isSubset(of: try members(of: result.payloadData)))
    }

    @Test func `an app transaction with all of its members`() throws {
        let payload = #"""
            {"receiptType":"Production","appAppleId":1234567890,"bundleId":"com.example.garden","applicationVersion":"3.2",
            "versionExternalIdentifier":812345678,"receiptCreationDate":1767225600123,"requestDate":1767225600100,
            "originalPurchaseDate":1577836800000,"originalApplicationVersion":"1.0","preorderDate":1575158400000,
            "appTransactionId":"704123456789012345","originalPlatform":"visionOS","storeType":"CONSUMER","revocationDate":1735689500000,
            "deviceVerification":"\#(Data(repeating: 7, count: 48).base64EncodedString())",
            "deviceVerificationNonce":"bc4a2b33-9c71-4a3c-8a1f-1d2e3f405162"}
            """#
        let result = try Signed.verifier().appTransaction(Signed.token(payload))
        try expectNothingLost(result, appTransactionMembers, "minted")
        #expect(try result.payloadValue.originalPlatform == .visionOS)
        #expect(try result.payloadValue.storeType == .consumer)
        #expect(Set(appTransactionMembers.keys).isSubset(of: try members(of: result.payloadData)))
    }

    @Test(
        "an odd or absent member does not keep the others from being read",
        arguments: [
            ("appAccountToken", #""not a UUID""#), ("appAccountToken", "7"), ("price", #""4990""#),
            ("quantity", "1.5"), ("expiresDate", #""tomorrow""#), ("expiresDate", "null"),
            ("offerType", "99"),
            ("offerPeriod", #""P1Y6M""#), ("type", #""Rental""#), ("inAppOwnershipType", "7"),
            ("environment", "{}"), ("storefront", "[]"), ("currency", "12"), ("isUpgraded", #""yes""#),
            ("revocationReason", "12"), ("commitmentInfo", "{}"), ("commitmentInfo", "7"),
            ("advancedCommerceInfo", #"{"items":[7,{"offer":3}]}"#), ("deviceVerification", #""%%%""#),
            ("deviceVerificationNonce", #""x""#), ("signedDate", "1767225601000.7297"), ("bundleId", "null"),
        ])
    func oddMembers(member: String, value: String) throws {
        let result = try Signed.transaction(Signed.transactionPayload(id: 7, [member: value]))
        let transaction = try result.payloadValue
        #expect(transaction.id == 7 && transaction.productID == "com.example.garden.plus")
        #expect(
            String(decoding: transaction.jsonRepresentation, as: UTF8.self).contains("\"\(member)\":\(value)")
        )
    }

    @Test func `Xcode's identifiers and fractions of milliseconds are read`() throws {
        let payload = Signed.transactionPayload(
            id: 0, ["purchaseDate": "1697679936049.7297", "originalPurchaseDate": "-62135769600000"])
        let transaction = try Signed.transaction(payload).payloadValue
        #expect(transaction.id == 0)
        #expect(abs(transaction.purchaseDate.timeIntervalSince1970 - 1_697_679_936.049_729_7) < 1e-6)
        #expect(transaction.originalPurchaseDate.timeIntervalSince1970 == -62_135_769_600)
    }

    @Test(
        "the error names the required member that is missing",
        arguments: [
            "transactionId", "originalTransactionId", "productId", "type", "purchaseDate",
            "originalPurchaseDate",
        ])
    func missing(member: String) throws {
        for value in ["null", "true", nil] {
            var payload = Signed.transactionPayload(id: 7, [member: value ?? "null"])
            if value == nil { payload = payload.replacing("\"\(member)\":null,", with: "") }
            let token = try Signed.token(payload)
            let verifier = try Signed.verifier()
            let error = #expect(throws: PayloadError.self) {
                try verifier.transaction(token)
            }
            #expect(error?.code == .missingRequiredProperties)
            #expect(error?.storeKitCase == .missingRequiredProperties)
            #expect(error?.message.contains(member) ?? false)
        }
    }

    private func members(of payload: Data) throws -> Set<String> {
        Set(try JSONDecoder().decode([String: JSONMember].self, from: payload).keys)
    }
}

/// Payloads that Apple or Xcode really signed, which are not committed: see `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.genuine.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
struct GenuineMemberTests {
    @Test func `no member of the payloads from Apple and Xcode is lost`() throws {
        let genuine = PrivateTestData.genuine
        var anchors = [TrustAnchor.appleRootCAG3]
        for file in try genuine.files(in: "certs")
        where file.lastPathComponent.hasPrefix("xcode-") {
            anchors.append(TrustAnchor(der: [UInt8](try Data(contentsOf: file))))
        }
        var policy = VerificationPolicy()
        policy.environments = [.production, .sandbox, .xcode]
        let payloads = try SignedPayloadVerifier(anchors: anchors, policy: policy)
        let verifier = StoreKitVerifier(payloads)
        var counts: [SignedPayloadKind: Int] = [:]
        let files = try ["jws", "xcode"].flatMap { try genuine.files(in: $0, extension: "jws") }
        for file in files {
            let jws = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
            guard let payload = try? payloads.verify(jws) else { continue }
            counts[payload.kind, default: 0] += 1
            let name = file.lastPathComponent
            switch payload.kind {
            case .transaction: try expectNothingLost(verifier.transaction(jws), transactionMembers, name)
            case .renewalInfo: try expectNothingLost(verifier.renewalInfo(jws), renewalInfoMembers, name)
            case .appTransaction:
                try expectNothingLost(verifier.appTransaction(jws), appTransactionMembers, name)
            default: break
            }
        }
        #expect(counts[.transaction, default: 0] > 10 && counts[.renewalInfo, default: 0] > 10)
        #expect(counts[.appTransaction, default: 0] > 0)
    }
}
