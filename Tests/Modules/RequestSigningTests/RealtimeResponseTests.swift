import Foundation
import RequestSigning
import Testing

/// The bodies of answers to retention requests, in Apple's `RealtimeResponseBody`.
@Suite struct RealtimeResponseTests {
    private static let message = UUID(uuidString: "A1C7C1D4-5B6E-4C4F-8D2A-0F2F3D9B3333") ?? UUID()
    private static let id = #""messageIdentifier":"a1c7c1d4-5b6e-4c4f-8d2a-0f2f3d9b3333""#

    private func body(_ response: RealtimeResponse) -> String {
        String(decoding: response.json, as: UTF8.self)
    }

    @Test func `each choice is one member, with identifiers in lower case`() throws {
        #expect(body(.defaultMessage) == "{}")
        #expect(body(.message(Self.message)) == "{\"message\":{\(Self.id)}}")
        #expect(
            body(.alternateProduct(message: Self.message, productID: "p"))
                == #"{"alternateProduct":{\#(Self.id),"productId":"p"}}"#)
        #expect(
            body(.alternateProduct(message: Self.message, productID: "p", billingPlanType: "MONTHLY"))
                == #"{"alternateProduct":{\#(Self.id),"productId":"p","billingPlanType":"MONTHLY"}}"#)
        #expect(
            body(.promotionalOffer(message: Self.message, compactJWS: "a.b.c"))
                == #"{"promotionalOffer":{\#(Self.id),"promotionalOfferSignatureV2":"a.b.c"}}"#)
        let data = AdvancedCommerceData(compactJWS: "a.b.c")
        #expect(
            body(.advancedCommerce(message: Self.message, data))
                == #"{"advancedCommerceInfo":{\#(Self.id),"advancedCommerceData":"\#(data.data.base64EncodedString())"}}"#
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
            body(.promotionalOfferV1(message: Self.message, signed))
                == #"{"promotionalOffer":{\#(Self.id),"promotionalOfferSignatureV1":{"encodedSignature":"\#(signed.encodedSignature)","productId":"plus","nonce":"20fba8a0-2b80-4a7d-a17f-85c1854727f8","timestamp":1767225600500,"keyId":"k","offerIdentifier":"spring","appAccountToken":"\#(account.lowercased())"}}}"#
        )
    }
}
