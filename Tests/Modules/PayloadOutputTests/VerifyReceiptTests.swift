import Foundation
import Minting
import PayloadOutput
import StoreKitFixtures
import StoreKitVerify
import Testing

/// The form of Apple's `verifyReceipt` endpoint: its requests, and payloads that are known besides a receipt. The answers from
/// receipts alone are tested with the command.
@Suite struct VerifyReceiptTests {
    struct Purchase: Decodable, Equatable {
        let transaction_id: String?
        let cancellation_date_ms, cancellation_reason, is_trial_period, is_in_intro_offer_period: String?
        let is_upgraded, promotional_offer_id, offer_code_ref_name: String?
    }

    struct Renewal: Decodable {
        let original_transaction_id, auto_renew_status, expiration_intent: String?
        let is_in_billing_retry_period, price_increase_status, grace_period_expires_date_ms: String?
    }

    struct Response: Decodable {
        let latest_receipt_info: [Purchase]?
        let pending_renewal_info: [Renewal]?
    }

    @Test func `a request has the endpoint's members, and others are passed over`() throws {
        let request = try VerifyReceiptRequest(
            json: Array(
                #"{"receipt-data":"MI\/=","password":"p","exclude-old-transactions":true,"a":{}}"#.utf8))
        #expect(request.receipt == Array("MI/=".utf8) && request.password == "p")
        #expect(request.excludesOldTransactions)
        let least = try VerifyReceiptRequest(json: Array(#"{"receipt-data":"x","password":null}"#.utf8))
        #expect(least.password == nil && !least.excludesOldTransactions)
    }

    @Test(
        "a request in another form has a status",
        arguments: [
            ("", VerifyReceiptStatus.malformedRequest), ("x", .malformedRequest), ("[]", .malformedRequest),
            (#"{"receipt-data":"x"} {}"#, .malformedRequest),
            (#"{"receipt-data":"x","receipt-data":"y"}"#, .malformedRequest),
            (#"{"receipt-data":"x","password":1}"#, .malformedRequest),
            (#"{"receipt-data":"x","exclude-old-transactions":1}"#, .malformedRequest),
            ("{}", .malformedReceipt), (#"{"receipt-data":""}"#, .malformedReceipt),
            (#"{"receipt-data":1}"#, .malformedReceipt),
        ])
    func malformed(body: String, status: VerifyReceiptStatus) {
        #expect(throws: status) { try VerifyReceiptRequest(json: Array(body.utf8)) }
    }

    /// The answer about a receipt with one subscription, whose first transaction is 1.
    private func response(
        _ history: PurchaseHistory, excludesOldTransactions: Bool = false
    ) throws -> Response {
        var purchase = ReceiptContent.Purchase()
        (purchase.transactionIdentifier, purchase.originalTransactionIdentifier) = ("1", "1")
        let content = ReceiptContent(ReceiptContent.App(), purchases: [ReceiptContent(purchase)])
        let receipt = Array(try SignedReceipt.base64(content).utf8)
        let response = VerifyReceiptResponse(
            try SignedReceipt.verifier().verify(file: receipt), content: receipt,
            requestDate: Signed.instant(0), excludesOldTransactions: excludesOldTransactions)
        #expect(response.hasSubscriptions && response.customer == .originalTransactionID(1))
        let json = response.json(known: history.purchases)
        return try JSONDecoder().decode(Response.self, from: Data(json.utf8))
    }

    private func history(_ transactions: [String], _ renewals: [String] = []) throws -> PurchaseHistory {
        var history = PurchaseHistory()
        for payload in transactions { try history.add(Signed.transaction(payload)) }
        for payload in renewals { try history.add(Signed.renewalInfo(payload)) }
        return history
    }

    @Test func `what is known later replaces the receipt's purchase, and comes in its order`() throws {
        let refunded = Signed.transactionPayload(
            id: 1, expires: 30, ["revocationDate": "\(Signed.day(5))", "revocationReason": "1"])
        let renewed = Signed.transactionPayload(
            id: 2, original: 1, purchased: 30, expires: 60, ["isUpgraded": "true"])
        let known = try history([renewed, refunded])
        let latest = try #require(try response(known).latest_receipt_info)
        #expect(latest.map(\.transaction_id) == ["2", "1"])
        #expect(latest.map(\.is_upgraded) == ["true", nil])
        #expect(latest.last?.cancellation_date_ms == "\(Signed.day(5))")
        #expect(latest.last?.cancellation_reason == "1")
        let newest = try response(known, excludesOldTransactions: true).latest_receipt_info
        #expect(newest?.map(\.transaction_id) == ["2"])
        let alone = try response(PurchaseHistory())
        #expect(alone.latest_receipt_info?.map(\.transaction_id) == ["1"])
        #expect(alone.latest_receipt_info?.last?.cancellation_date_ms == nil)
        #expect(alone.pending_renewal_info == nil)
    }

    @Test(
        "an offer is told by its type and how it is paid",
        arguments: [
            (["offerType": "1", "offerDiscountType": #""FREE_TRIAL""#], "true", "false", nil, nil),
            (["offerType": "1", "offerDiscountType": #""PAY_AS_YOU_GO""#], "false", "true", nil, nil),
            (["offerType": "1"], nil, nil, nil, nil), ([:], "false", "false", nil, nil),
            (["offerType": "2", "offerIdentifier": #""o""#], "false", "false", "o", nil),
            (["offerType": "3", "offerIdentifier": #""o""#], "false", "false", nil, "o"),
        ] as [([String: String], String?, String?, String?, String?)])
    func offer(
        members: [String: String], trial: String?, intro: String?, promotional: String?, code: String?
    ) throws {
        let known = try history([Signed.transactionPayload(id: 1, expires: 30, members)])
        let purchase = try #require(try response(known).latest_receipt_info?.first)
        #expect(purchase.is_trial_period == trial && purchase.is_in_intro_offer_period == intro)
        #expect(purchase.promotional_offer_id == promotional && purchase.offer_code_ref_name == code)
    }

    @Test func `renewal information is the latest that is known`() throws {
        let transaction = Signed.transactionPayload(id: 1, expires: 30)
        let failed = Signed.renewalPayload(
            original: 1, signed: 31,
            [
                "autoRenewStatus": "0", "expirationIntent": "2", "isInBillingRetryPeriod": "true",
                "gracePeriodExpiresDate": "\(Signed.day(36))", "priceIncreaseStatus": "1",
            ])
        let before = Signed.renewalPayload(original: 1, signed: 1)
        let renewals = try response(try history([transaction], [failed, before])).pending_renewal_info
        let renewal = try #require(renewals?.first)
        #expect(renewals?.count == 1 && renewal.original_transaction_id == "1")
        #expect(renewal.auto_renew_status == "0" && renewal.expiration_intent == "2")
        #expect(renewal.is_in_billing_retry_period == "1" && renewal.price_increase_status == "1")
        #expect(renewal.grace_period_expires_date_ms == "\(Signed.day(36))")
        let quiet = try response(try history([transaction], [before])).pending_renewal_info?.first
        #expect(quiet?.auto_renew_status == "1" && quiet?.expiration_intent == nil)
        #expect(quiet?.is_in_billing_retry_period == nil && quiet?.price_increase_status == nil)
    }
}
