import CommandProcesses
import Foundation
import Minting
import Testing

/// The meaning of notifications for access where their type and subtype alone would mislead, by each output.
@Suite struct NotificationAccessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let event: String
        var transaction = ""
        var renewal = #","autoRenewStatus":1"#
        var status = ""
        let access: String
        let sentence: String
    }

    private static let turnedOff =
        #""DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED""#
    private static let end = "ends with the period, on 2026-02-01T00:00:00Z"
    private static let kept = "kept until 2026-02-11T00:00:00Z, the end of the grace period"
    private static let announced =
        "kept until 2026-02-04T00:00:00Z, three days: the end of the grace period is not given"
    private static let grace = #","autoRenewStatus":1,"gracePeriodExpiresDate":1770768000000"#

    // Apple, "Offering monthly subscriptions with a 12-month commitment": the customer who cancels keeps the remaining
    // months, each of which is billed.
    static let cases = [
        Case(
            testDescription: "a cancelled subscription", event: turnedOff, renewal: #","autoRenewStatus":0"#,
            access: "endsWithPeriod", sentence: end),
        Case(
            testDescription: "a cancelled commitment", event: turnedOff,
            transaction: #","billingPlanType":"MONTHLY""#, access: "keeps",
            sentence: "kept to the end of the commitment"),
        Case(
            testDescription: "a cancelled commitment without the plan's name", event: turnedOff,
            transaction: #","commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12}"#,
            access: "keeps",
            sentence: "kept to the end of the commitment"),
        Case(
            testDescription: "the last month of a cancelled commitment", event: turnedOff,
            transaction: #","billingPlanType":"MONTHLY""#, renewal: #","autoRenewStatus":0"#,
            access: "endsWithPeriod",
            sentence: end),
        Case(
            testDescription: "a cancelled subscription that is paid up front", event: turnedOff,
            transaction: #","billingPlanType":"BILLED_UPFRONT""#, access: "endsWithPeriod", sentence: end),
        Case(
            testDescription: "grace with its subtype",
            event: #""DID_FAIL_TO_RENEW","subtype":"GRACE_PERIOD""#,
            renewal: grace, status: #","status":4"#, access: "keeps", sentence: kept),
        Case(
            testDescription: "grace without its subtype", event: #""DID_FAIL_TO_RENEW""#, renewal: grace,
            access: "keeps", sentence: kept),
        Case(
            testDescription: "grace without a date", event: #""DID_FAIL_TO_RENEW","subtype":"GRACE_PERIOD""#,
            status: #","status":4"#, access: "keeps", sentence: announced),
        Case(
            testDescription: "grace without a date or a subtype", event: #""DID_FAIL_TO_RENEW""#,
            status: #","status":4"#, access: "keeps", sentence: announced),
        Case(
            testDescription: "a failed renewal", event: #""DID_FAIL_TO_RENEW""#, status: #","status":3"#,
            access: "ends", sentence: "ended on 2026-02-01T00:00:00Z"),
        Case(
            testDescription: "grace of a customer who gave up", event: #""DID_FAIL_TO_RENEW""#,
            renewal: #","autoRenewStatus":0,"gracePeriodExpiresDate":1770768000000"#, status: #","status":4"#,
            access: "ends",
            sentence: "ended on 2026-02-01T00:00:00Z"),
    ]

    /// A signed notification of the first of February, about a period that ends then.
    private static func notification(_ test: Case) throws -> String {
        let minter = try TestPKI.standard().minter()
        let signed = #""environment":"Sandbox","signedDate":1769904000000"#
        let transaction = try minter.token(
            payload: #"{"transactionId":"7","originalTransactionId":"7","bundleId":"com.example.a","#
                + #""productId":"gold","type":"Auto-Renewable Subscription","purchaseDate":1767225600000,"#
                + #""originalPurchaseDate":1767225600000,"expiresDate":1769904000000\#(test.transaction),\#(signed)}"#
        )
        let renewal = try minter.token(
            payload: #"{"originalTransactionId":"7","productId":"gold"\#(test.renewal),\#(signed)}"#)
        return try minter.token(
            payload:
                #"{"notificationType":\#(test.event),"notificationUUID":"5d12dde6-ac41-4a06-9e45-731fb5d35ac3","#
                + #""version":"2.0","signedDate":1769904000000,"data":{"bundleId":"com.example.a","environment":"Sandbox","#
                + #""signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(renewal)"\#(test.status)}}"#
        )
    }

    @Test(arguments: cases)
    func `access is the same in rows, typed output and inspect`(test: Case) throws {
        let line = Array(try Self.notification(test).utf8)
        for output in ["typed", "rows"] {
            let run = try CommandProcess(
                ["verify", "--output", output] + CommandProcess.root, input: line)
            #expect(run.text.contains(#""accessChange":"\#(test.access)""#), "\(output): \(run.text)")
        }
        let shown = try CommandProcess(["inspect"] + CommandProcess.root, input: line).text
        let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Access \(test.sentence) "), "\(shown)")
        let isKept = test.sentence == "kept to the end of the commitment"
        #expect(words.contains("access is kept, and billed monthly, to the end of the commitment.") == isKept)
        #expect(
            words.contains("there is no grace period") == (test.testDescription == "a failed renewal")
                || test.access == "ends")
    }
}
