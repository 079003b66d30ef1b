import Foundation
import SignedPayloads
import StoreKitVerify
import Testing

/// The bodies of the App Store's requests.
@Suite struct NotificationBodyTests {
    @Test func `a body's token is verified, whatever else the body has`() throws {
        let token = try MintedNotification.token(MintedNotification.payload("TEST"))
        let verifier = try MintedNotification.verifier()
        let bodies = [
            #"{"signedPayload":"\#(token)"}"#, #"{ "rain" : [1], "signedPayload" : "\#(token)" }"# + "\r\n",
            #"{"signed\u0050ayload":"\#(token)"}"#, token,
        ]
        for body in bodies {
            #expect(try verifier.notification(body: body.utf8).payloadValue.meaning == .test)
            #expect(try verifier.notification(body: Data(body.utf8)).jwsRepresentation == token)
        }
    }

    @Test func `a body without one token is refused, and the reason says why`() throws {
        let verifier = try MintedNotification.verifier()
        let cases: [(body: String, violation: EnvelopeViolation)] = [
            ("{}", .noToken), (#"{"signedPayload":null}"#, .noToken), (#"{"payload":"x"}"#, .noToken),
            (
                #"{"signedPayload":"x","signedPayload":"x"}"#,
                .severalTokens(["signedPayload", "signedPayload"])
            ),
            (#"{"signedPayload":7}"#, .notAString(member: "signedPayload", found: "a number")),
        ]
        for (body, violation) in cases {
            let error = #expect(throws: PayloadError.self) {
                try verifier.notification(body: body.utf8)
            }
            #expect(error?.cause == .envelope(violation))
            #expect(error?.code == .invalidEncoding)
            let again = #expect(throws: PayloadError.self) {
                try verifier.realtimeRequest(body: body.utf8)
            }
            #expect(again == error)
        }
        let others = ["", "null", "[]", "{", #"{"signedPayload":"x"}}"#, #"{"signedPayload":"x"}"#]
        for body in others + ["\u{feff}{}"] {
            let error = #expect(throws: PayloadError.self) {
                try verifier.notification(body: body.utf8)
            }
            #expect(error?.code == .invalidEncoding)
        }
        let error = #expect(throws: PayloadError.self) {
            try verifier.notification(body: [0x7b, 0xff, 0x7d])
        }
        #expect(error?.code == .invalidEncoding)
    }

    @Test func `a body's unverified token still has a value`() throws {
        let token = MintedNotification.headless(MintedNotification.payload("TEST"))
        let body = #"{"signedPayload":"\#(token)"}"#
        let result = try MintedNotification.verifier().notification(body: body.utf8)
        guard case .unverified(let notification, .invalidEncoding) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(notification.meaning == .test)
    }
}
