import Minting
import SignedPayloads
import Testing

/// Signed payloads inside notifications.
@Suite struct NestedPayloadTests {
    private let date = #""signedDate":1760000000000"#

    @Test func `payloads inside pass every check themselves, and are handed on`() throws {
        let transaction = try Minted.token(#"{"transactionId":"1","bundleId":"a",\#(date)}"#)
        let renewal = try Minted.token(#"{"autoRenewStatus":1,\#(date)}"#)
        let payload = notification(
            "data",
            #""bundleId":"a","signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(renewal)""#)
        let verified = try Minted.verify(payload) { $0.bundleIdentifiers = ["a"] }.get()
        #expect(verified.nested.map(\.member) == ["data.signedTransactionInfo", "data.signedRenewalInfo"])
        #expect(verified.nested.map(\.payload.kind) == [.transaction, .renewalInfo])
        let app = try Minted.token(#"{"receiptCreationDate":1760000000000}"#)
        let consent = try Minted.verify(notification("appData", #""signedAppTransactionInfo":"\#(app)""#))
            .get()
        #expect(consent.nested.map(\.payload.kind) == [.appTransaction])
    }

    @Test func `the failure of one inside is the notification's, with its place`() throws {
        let good = try Minted.token(#"{"transactionId":"1","bundleId":"a",\#(date)}"#)
        var broken = try TestPKI.p256().minter().segments(payload: Array("{}".utf8))
        broken.payload = "e30x"
        let cases: [(String, PayloadError.Code)] = [
            ("x", .invalidEncoding), (broken.compact, .invalidSignature),
            (try Minted.token(#"{"transactionId":"1"}"#), .missingRequiredProperties),
            (try Minted.token(#"{"transactionId":"1","bundleId":"b",\#(date)}"#), .wrongBundleIdentifier),
            (try Minted.token("null"), .invalidEncoding),
            (
                try TestPKI.forged().minter().token(payload: #"{"transactionId":"1",\#(date)}"#),
                .invalidCertificateChain
            ),
        ]
        for (inner, code) in cases {
            let payload = notification(
                "data", #""bundleId":"a","signedTransactionInfo":"\#(good)","signedRenewalInfo":"\#(inner)""#)
            let error = try Minted.verify(payload) { $0.bundleIdentifiers = ["a"] }.error
            #expect(error?.code == code)
            #expect(error?.member == "data.signedRenewalInfo")
            #expect(error?.check == .nestedPayloads)
            #expect(error?.description.contains(" at data.signedRenewalInfo: ") ?? false)
        }
    }

    @Test func `a payload inside that is null or absent is no payload, and one that is no string is refused`()
        throws
    {
        #expect(
            try Minted.verify(notification("data", #""signedTransactionInfo":null"#)).get().nested.isEmpty)
        let error = try Minted.verify(notification("data", #""signedTransactionInfo":{}"#)).error
        #expect(error?.code == .invalidEncoding)
        #expect(error?.member == "data.signedTransactionInfo")
        #expect(try Minted.verify(#"{"notificationType":"T","data":null,\#(date)}"#).error == nil)
        #expect(
            try Minted.verify(#"{"notificationType":"T","data":[],\#(date)}"#).error?.detail == "memberType")
    }

    @Test func `an inner date later than its envelope's is fine`() throws {
        let inner = try Minted.token(#"{"transactionId":"1","signedDate":1760000005000}"#)
        #expect(try Minted.verify(notification("data", #""signedTransactionInfo":"\#(inner)""#)).error == nil)
    }

    @Test func `notifications inside notifications are followed to the innermost`() throws {
        var token = try Minted.token(#"{"transactionId":"1"}"#)
        for _ in 0..<4 {
            token = try Minted.token(notification("data", #""signedTransactionInfo":"\#(token)""#))
        }
        let error = #expect(throws: PayloadError.self) { try Minted.verifier().verify(token) }
        #expect(error?.code == .missingRequiredProperties)
        #expect(
            error?.member == Array(repeating: "data.signedTransactionInfo", count: 4).joined(separator: "."))
    }

    @Test func `signed members of other kinds are not verified`() throws {
        let payload = #"{"transactionId":"1","data":{"signedTransactionInfo":"x"},"data":7,\#(date)}"#
        #expect(try Minted.verify(payload).error == nil)
    }

    private func notification(_ part: String, _ members: String) -> String {
        #"{"notificationType":"SUBSCRIBED","\#(part)":{\#(members)},\#(date)}"#
    }
}
