import Foundation
import RequestSigning
import StoreKitTestSession
import StoreKitVerify
import Testing

/// The signatures of Apple's library for Python, app-store-server-library 3.1.2, under the scene's key. Its clock stood at
/// the scene's start, and its nonce is the scene's.
@Suite struct AppleLibraryTests {
    /// `PromotionalOfferV2SignatureCreator`, without a transaction.
    private static let promotionalOffer =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6IlRFU1RLRVkxMjMiLCJ0eXAiOiJKV1QifQ."
        + "eyJwcm9kdWN0SWQiOiJjb20uZXhhbXBsZS5nYXJkZW4ucGx1cy5tb250aGx5Iiwib2ZmZXJJZGVudGlmaWVyIjoic3ByaW5nIiwi"
        + "YmlkIjoiY29tLmV4YW1wbGUuZ2FyZGVuIiwiaXNzIjoiOTliMTY2MjgtMTVlNC00NjY4LTk3MmItZWVmZjU1ZWVmZjU1IiwiYXVk"
        + "IjoicHJvbW90aW9uYWwtb2ZmZXIiLCJpYXQiOjE3NjcyMjU2MDAsIm5vbmNlIjoiMjBmYmE4YTAtMmI4MC00YTdkLWExN2YtODVjMTg1NDcyN2Y4In0"
        + ".1baIhJBA9fOyc6qXiqO2Cww0XRvPrBbZARx9QUaeCEmVukDTpF1fHfQXuGAIbhVxcqXEMdUsfQIFewxjHRVGXw"
    /// `IntroductoryOfferEligibilitySignatureCreator`: not allowed, for the `appTransactionId` of the first customer.
    private static let introductoryOffer =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6IlRFU1RLRVkxMjMiLCJ0eXAiOiJKV1QifQ."
        + "eyJwcm9kdWN0SWQiOiJjb20uZXhhbXBsZS5nYXJkZW4ucGx1cy5tb250aGx5IiwiYWxsb3dJbnRyb2R1Y3RvcnlPZmZlciI6ZmFs"
        + "c2UsInRyYW5zYWN0aW9uSWQiOiI3MDQwMTk4NDA5NzU1OTEwNjUiLCJiaWQiOiJjb20uZXhhbXBsZS5nYXJkZW4iLCJpc3MiOiI5"
        + "OWIxNjYyOC0xNWU0LTQ2NjgtOTcyYi1lZWZmNTVlZWZmNTUiLCJhdWQiOiJpbnRyb2R1Y3Rvcnktb2ZmZXItZWxpZ2liaWxpdHkiLCJpYXQiOjE3NjcyMjU2MDAsIm5vbmNlIjoiMjBmYmE4YTAtMmI4MC00YTdkLWExN2YtODVjMTg1NDcyN2Y4In0"
        + ".Z35ujw2y57F_HW-4XjNBRtrV12YcjLXMJHZoCw7STRT8ycraM7EvgVfNkE_3nffkEA3PJD8zQDN-_1PzkTOsJg"
    /// `PromotionalOfferSignatureCreator`, half a second later.
    private static let firstForm =
        "MEQCIEvwmifNlImHrMFR/dCN4kqeH+WnJCPHp4v/prQsBgY3AiB7RykksjHg+aBJYTMpmIY2jk2+W8wqKl2aR9VodKA1kA=="
    private static let account = "6BB6F6E0-0000-4000-8000-00000000000A"
    private static let customer = "704019840975591065"

    private let scene: SigningScene

    init() throws { scene = try SigningScene() }

    @Test func `the signed texts are those of Apple's library, byte for byte`() throws {
        let (issuer, nonce, start) = (scene.issuer, SigningScene.nonce, SigningScene.start)
        let offer = try issuer.promotionalOffer(
            "spring", productID: SigningScene.monthly, nonce: nonce, at: start)
        #expect(Self.promotionalOffer.hasPrefix(offer.signingInput + "."))
        let eligibility = try issuer.introductoryOffer(
            isAllowed: false, productID: SigningScene.monthly, transactionID: Self.customer, nonce: nonce,
            at: start)
        #expect(Self.introductoryOffer.hasPrefix(eligibility.signingInput + "."))
        let first = try UnsignedPromotionalOffer(
            "spring", productID: SigningScene.monthly, bundleID: SigningScene.bundleID,
            keyID: scene.apiKey.keyID, appAccountToken: Self.account, nonce: nonce, at: start)
        let signature = try #require(Data(base64Encoded: Self.firstForm))
        #expect(scene.verifies(first.signingInput, der: Array(signature)))
    }

    @Test func `the test App Store accepts the signatures of Apple's library`() async throws {
        let account = try #require(UUID(uuidString: Self.account))
        let signature = try #require(Data(base64Encoded: Self.firstForm))
        let first = Product.PurchaseOption.promotionalOffer(
            offerID: "spring", keyID: scene.apiKey.keyID, nonce: SigningScene.nonce, signature: signature,
            timestamp: 1_767_225_600_500)
        let second = Product.PurchaseOption.promotionalOffer("spring", compactJWS: Self.promotionalOffer)
        let eligibility = Product.PurchaseOption.introductoryOfferEligibility(
            compactJWS: Self.introductoryOffer)
        try await buy([eligibility], isSubscriber: false)
        try await buy([second], isSubscriber: true)
        try await buy([first, .appAccountToken(account)], isSubscriber: true)
        await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
            try await buy([first], isSubscriber: true)
        }
    }

    /// Has the customer of a new session buy something. The sessions are new because the nonce is always the same.
    private func buy(_ options: Set<Product.PurchaseOption>, isSubscriber: Bool) async throws {
        let session = try scene.session()
        session.offerSigningKeys = [scene.apiKey]
        try await session.run {
            let product = try #require(try await Product.products(for: [SigningScene.monthly]).first)
            // A customer who never subscribed gets no promotional offer.
            if isSubscriber { _ = try await product.purchase() }
            _ = try await product.purchase(options: options)
        }
    }
}
