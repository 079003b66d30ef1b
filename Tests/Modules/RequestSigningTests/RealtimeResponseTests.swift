import Foundation
import RequestSigning
import Testing

/// The bodies of answers to retention requests, in Apple's `RealtimeResponseBody`.
@Suite struct RealtimeResponseTests {
    private static let message = UUID(uuidString: "A1C7C1D4-5B6E-4C4F-8D2A-0F2F3D9B3333") ?? UUID()
    private static let id = #""messageIdentifier":"a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b3333""#

    private func body(_ response: Data) -> String {
        String(decoding: response, as: UTF8.self)
    }

    @Test func `each choice is one member, with identifiers in lower case`() throws {
        #expect(body(RealtimeResponse.defaultMessage) == "{}")
        #expect(body(RealtimeResponse.message(Self.message)) == "{\"message\":{\(Self.id)}}")
        #expect(
            body(RealtimeResponse.alternateProduct("p", message: Self.message))
                == #"{"alternateProduct":{"productId":"p",\#(Self.id)}}"#)
        #expect(
            body(RealtimeResponse.alternateProduct("p", message: Self.message, billingPlanType: "MONTHLY"))
                == #"{"alternateProduct":{"productId":"p","billingPlanType":"MONTHLY",\#(Self.id)}}"#)
        #expect(
            body(RealtimeResponse.promotionalOffer(compactJWS: "a.b.c", message: Self.message))
                == #"{"promotionalOffer":{"promotionalOfferSignatureV2":"a.b.c",\#(Self.id)}}"#)
        let data = RequestIssuer.advancedCommerceData(compactJWS: "a.b.c")
        #expect(
            body(RealtimeResponse.advancedCommerce(compactJWS: "a.b.c", message: Self.message))
                == #"{"advancedCommerceInfo":{"advancedCommerceData":"\#(data.base64EncodedString())",\#(Self.id)}}"#
        )
    }

    @Test func `a promotional offer in its first form has all that was signed`() throws {
        let scene = try SigningScene()
        let account = "6BB6F6E0-0000-4000-8000-00000000000A"
        let offer = try UnsignedPromotionalOffer(
            "spring", productID: "plus", bundleID: "b", keyID: "k", appAccountToken: account,
            nonce: SigningScene.nonce, at: SigningScene.start)
        let signed = try offer.signed(by: scene.key)
        #expect(
            body(RealtimeResponse.promotionalOffer(signed, message: Self.message))
                == #"{"promotionalOffer":{"promotionalOfferSignatureV1":{"encodedSignature":"\#(signed.encodedSignature)","productId":"plus","nonce":"20fba8a0-2b80-4a7d-a17f-85c1854727f8","timestamp":1767225600500,"keyId":"k","offerIdentifier":"spring","appAccountToken":"\#(account.lowercased())"},\#(Self.id)}}"#
        )
    }
}
