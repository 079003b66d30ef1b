import Foundation
import PayloadOutput
import StoreKitFixtures
import StoreKitVerify
import Testing

/// The event of a notification, for a program that does not verify.
@Suite struct NotificationEventTests {
    private struct Webhook: Decodable {
        struct Event: Decodable {
            let meaning: String
            let access: String
            let accessEndDate: String?
        }
        let data: Event
    }

    /// A notification of day 30, about a period that ends then.
    private static func event(
        _ type: String, renewal: [String: String] = [:], transaction: [String: String] = [:],
        data others: String = ""
    ) throws -> Webhook.Event {
        let transaction = try Signed.token(Signed.transactionPayload(id: 7, expires: 30, transaction))
        let renewalInfo = try Signed.token(Signed.renewalPayload(original: 7, signed: 30, renewal))
        let token = try Signed.token(
            Signed.object([
                "notificationType": type, "notificationUUID": "\"5d12dde6-ac41-4a06-9e45-731fb5d35ac3\"",
                "version": "\"2.0\"", "signedDate": "\(Signed.day(30))",
                "data":
                    "{\"bundleId\":\"com.example.garden\",\"environment\":\"Production\",\"signedTransactionInfo\":\"\(transaction)\","
                    + "\"signedRenewalInfo\":\"\(renewalInfo)\"\(others)}",
            ]))
        let notification = try Signed.verifier().notification(token).payloadValue
        return try JSONDecoder().decode(
            Webhook.self, from: Data(NotificationEvent(notification).webhook)
        ).data
    }

    @Test func `access lasts as long as a grace period that is announced`() throws {
        let failed = "\"DID_FAIL_TO_RENEW\""
        let withDate = try Self.event(failed, renewal: ["gracePeriodExpiresDate": "\(Signed.day(46))"])
        #expect(withDate.access == "keeps")
        #expect(withDate.accessEndDate == "2026-02-16T00:00:00.000Z")
        let withoutDate = try Self.event(failed, data: ",\"status\":4")
        #expect(withoutDate.access == "keeps")
        #expect(withoutDate.accessEndDate == "2026-02-03T00:00:00.000Z")
        for event in [withDate, withoutDate] {
            #expect(event.meaning == "A charge failed; the customer is in a grace period.")
        }
        let retry = try Self.event(failed, data: ",\"status\":3")
        #expect(retry.access == "ends" && retry.meaning == "A charge failed, and there is no grace period.")
        #expect(retry.accessEndDate == "2026-01-31T00:00:00.000Z")
        let gaveUp = try Self.event(
            failed, renewal: ["gracePeriodExpiresDate": "\(Signed.day(46))", "autoRenewStatus": "0"],
            data: ",\"status\":4")
        #expect(gaveUp.access == "ends")
        #expect(gaveUp.accessEndDate == "2026-01-31T00:00:00.000Z")
    }

    @Test func `a cancelled commitment keeps its access`() throws {
        let turnedOff = "\"DID_CHANGE_RENEWAL_STATUS\",\"subtype\":\"AUTO_RENEW_DISABLED\""
        let plan = ["billingPlanType": "\"MONTHLY\""]
        let cancelled = try Self.event(turnedOff, transaction: plan)
        #expect(cancelled.access == "keeps")
        #expect(
            cancelled.meaning
                == "Renewal was turned off: access is kept, and billed monthly, to the end of the commitment."
        )
        let last = try Self.event(turnedOff, renewal: ["autoRenewStatus": "0"], transaction: plan)
        #expect(last.access == "endsWithPeriod")
        #expect(last.meaning == "Renewal was turned off: the subscription will not renew.")
    }
}
