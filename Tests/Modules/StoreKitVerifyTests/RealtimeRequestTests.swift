import Foundation
import SignedPayloads
import StoreKitVerify
import Testing

/// Requests for a retention message.
@Suite struct RealtimeRequestTests {
    private let payload = """
        {"originalTransactionId":"2000000900000000","appAppleId":1234567890,\
        "productId":"com.example.garden.plus","userLocale":"de-DE",\
        "requestIdentifier":"d1b7f0c2-4e5a-4c3b-8f6d-7e8091a2b3c4","signedDate":1760000000123,\
        "environment":"Sandbox","rain":true}
        """

    @Test func `every member comes out of its property`() throws {
        let token = try MintedNotification.token(payload)
        let verifier = try MintedNotification.verifier { $0.environments = [.sandbox] }
        for result in [
            try verifier.realtimeRequest(token),
            try verifier.realtimeRequest(body: #"{"signedPayload":"\#(token)"}"#.utf8),
        ] {
            let request = try result.payloadValue
            #expect(request.originalTransactionID == 2_000_000_900_000_000)
            #expect(request.appAppleID == 1_234_567_890)
            #expect(request.productID == "com.example.garden.plus")
            #expect(request.userLocaleIdentifier == "de-DE")
            #expect(request.userLocale == Locale(identifier: "de-DE"))
            #expect(request.requestIdentifier == UUID(uuidString: "d1b7f0c2-4e5a-4c3b-8f6d-7e8091a2b3c4"))
            #expect(request.signedDate == Date(timeIntervalSince1970: 1_760_000_000.123))
            #expect(request.environment == .sandbox)
            #expect(request.jsonRepresentation == Data(payload.utf8))
            #expect(request.debugDescription == payload)
            #expect(result.jwsRepresentation == token)
        }
    }

    @Test func `a request with another signature is not verified`() throws {
        let token = MintedNotification.tampered(
            try MintedNotification.token(payload), payload: payload.replacing("de-DE", with: "fr-FR"))
        let result = try MintedNotification.verifier().realtimeRequest(token)
        guard case .unverified(let request, .invalidSignature) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(request.userLocaleIdentifier == "fr-FR")
    }

    @Test(arguments: ["originalTransactionId", "productId", "requestIdentifier", "signedDate"])
    func `a request without a member that its answer needs is refused`(member: String) throws {
        let verifier = try MintedNotification.verifier {
            $0.effectiveDate = Date(timeIntervalSince1970: 1_760_000_000)
        }
        for value in ["null", "{}", "true"] {
            let changed = payload.replacing(#""\#(member)":"#, with: #""\#(member)":\#(value),"x":"#)
            let error = #expect(throws: PayloadError.self) {
                try verifier.realtimeRequest(try MintedNotification.token(changed))
            }
            #expect(error?.cause == .missingProperty(member: member, of: "realtime request"))
        }
    }

    @Test func `optional members that are absent or odd do not fail the rest`() throws {
        for value in ["null", "{}", "0"] {
            var changed = payload
            for member in ["appAppleId", "userLocale", "environment"] {
                changed = changed.replacing(#""\#(member)":"#, with: #""\#(member)":\#(value),"x":"#)
            }
            let request = try MintedNotification.verifier().realtimeRequest(
                try MintedNotification.token(changed)
            ).payloadValue
            #expect(request.appAppleID == nil)
            #expect(request.userLocaleIdentifier == "")
            #expect(request.environment.rawValue == "")
            #expect(request.productID == "com.example.garden.plus")
        }
    }

    @Test func `a notification is not accepted as a request`() throws {
        let token = try MintedNotification.token(MintedNotification.payload("TEST"))
        let error = #expect(throws: PayloadError.self) {
            try MintedNotification.verifier().realtimeRequest(token)
        }
        #expect(error?.code == .missingRequiredProperties)
    }
}
