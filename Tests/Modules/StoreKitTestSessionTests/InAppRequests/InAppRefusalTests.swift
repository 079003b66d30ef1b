import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Requests of the Advanced Commerce API that the App Store refuses in a purchase.
@Suite struct InAppRefusalTests {
    private static let past = Int(Garden.start.timeIntervalSince1970)

    /// A claim of the token, its value in JSON, Apple's code, and words of the sentence. `nil` leaves the claim out.
    private static let claims: [(String, String?, Int, String)] = [
        ("aud", #""promotional-offer""#, 4_000_174, "aud"), ("aud", nil, 4_000_174, "aud"),
        ("bid", #""com.example.other""#, 4_000_174, "bid"), ("bid", nil, 4_000_174, "bid"),
        ("iss", #""somebody""#, 4_000_174, "iss"),
        ("iat", "\(past + 120)", 4_000_174, "future"), ("iat", "\(past - 90_000)", 4_000_174, "a day"),
        ("iat", #""now""#, 4_000_174, "iat"), ("iat", "-1", 4_000_174, "iat"), ("iat", nil, 4_000_174, "iat"),
        ("nonce", #""1""#, 4_000_174, "nonce"), ("nonce", nil, 4_000_174, "nonce"),
        ("request", #""e30""#, 4_000_173, "base64"), ("request", "{}", 4_000_173, "base64"),
        ("request", #""W10=""#, 4_000_173, "base64"), ("request", nil, 4_000_173, "base64"),
    ]

    @Test(arguments: claims)
    func `a token with a wrong claim is refused, and a good one is taken afterwards`(
        _ claim: String, _ value: String?, _ code: Int, _ words: String
    ) async throws {
        let scene = try InAppScene()
        let request = try InAppScene.request(InAppScene.charge)
        try await scene.refuses(Garden.seeds, scene.data(request, claims: [claim: value]), code, words)
        #expect(scene.session.allTransactions().isEmpty && scene.session.takeNotifications().isEmpty)
        try await scene.bought(Garden.seeds, request)
    }

    @Test func `only the session's key signs, each nonce and each request once`() async throws {
        let scene = try InAppScene()
        let request = try InAppScene.request(InAppScene.charge)
        let other = try ServerAPIKey(of: TestAuthority.appStore("another"))
        let forged = try scene.data(request, claims: [:], by: other)
        try await scene.refuses(Garden.seeds, forged, 4_000_174, "signature")
        for header in [#"{"alg":"none","kid":"TESTKEY123"}"#, #"{"alg":"ES256","kid":"OTHER"}"#] {
            let data = try scene.data(request, claims: [:], header: header)
            try await scene.refuses(Garden.seeds, data, 4_000_174, "header")
        }
        let nonce = #""\#(UUID())""#
        _ = try await scene.buy(Garden.seeds, scene.data(request, claims: ["nonce": nonce]))
        let next = try InAppScene.request(InAppScene.charge)
        try await scene.refuses(
            Garden.seeds, scene.data(next, claims: ["nonce": nonce]), 4_000_174, "used before")
        try await scene.refuses(Garden.seeds, scene.data(request), 4_000_097)
        // The keys that the API was opened with sign, too.
        let second = try ServerAPIKey(of: scene.session.appStore.authority, keyID: "SECOND")
        let signed = try second.advancedCommerceData(next, for: "com.example.garden", at: scene.session.now)
        try await scene.refuses(Garden.seeds, signed, 4_000_174)
        _ = TestAppStoreAPI(scene.session.appStore, keys: [second])
        #expect(try await scene.buy(Garden.seeds, signed) != .pending)
    }

    private static let broken: [(String, Int)] = [
        ("", 4_000_171), ("{}", 4_000_173), ("[", 4_000_173),
        (#"{"signatureInfo":{"token":"a.b"}}"#, 4_000_173),
        (#"{"signatureInfo":{"token":1}}"#, 4_000_173), (#"{"signatureInfo":"x"}"#, 4_000_173),
    ]

    @Test(arguments: broken)
    func `data without a token are refused`(_ text: String, _ code: Int) async throws {
        try await InAppScene().refuses(Garden.seeds, Data(text.utf8), code)
    }

    /// Whether the request is for a subscription, a member by its path, its value in JSON, and Apple's code.
    private static let mistakes: [(Bool, String, String, Int)] = [
        (false, "operation", "null", 4_000_172), (false, "operation", #""CREATE""#, 4_000_172),
        (false, "item.offer", "{}", 4_000_137),
        (false, "version", "null", 4_000_083), (false, "version", "1", 4_000_084),
        (false, "requestInfo", "null", 4_000_079), (false, "requestInfo.requestReferenceId", "1", 4_000_081),
        (false, "currency", "null", 4_000_098), (false, "currency", #""EUR""#, 4_000_053),
        (false, "storefront", #""XXX""#, 4_000_028), (false, "storefront", #""DEU""#, 4_000_133),
        (false, "taxCode", "null", 4_000_099), (false, "taxCode", #""C3""#, 4_000_127),
        (false, "item", "null", 4_000_102), (false, "item.SKU", "null", 4_000_105),
        (false, "item.SKU", #""\#(String(repeating: "x", count: 129))""#, 4_000_087),
        (false, "item.displayName", "null", 4_000_106), (false, "item.description", "null", 4_000_107),
        (false, "item.price", "null", 4_000_109), (false, "item.price", "1095", 4_000_132),
        (false, "item.price", "-10", 4_000_086),
        (true, "items", "null", 4_000_101), (true, "items", "[]", 4_000_160),
        (true, "items.SKU", #""pot""#, 4_000_194), (true, "items.offer", "{}", 4_000_092),
        (true, "descriptors", "null", 4_000_103), (true, "descriptors.displayName", "null", 4_000_106),
        (true, "period", "null", 4_000_104), (true, "period", #""P1Y""#, 4_000_117),
        (true, "previousTransactionId", "1", 4_000_096), (true, "previousTransactionId", #""1""#, 4_000_096),
    ]

    @Test(arguments: mistakes)
    func `each mistake of a request has its code, and nothing is bought`(
        _ isSubscription: Bool, _ path: String, _ value: String, _ code: Int
    ) async throws {
        let scene = try InAppScene()
        let text = isSubscription ? InAppScene.subscription : InAppScene.charge
        let product = isSubscription ? Garden.premium : Garden.seeds
        try await scene.refuses(product, scene.data(InAppScene.request(text, [path: value])), code)
        #expect(scene.session.allTransactions().isEmpty)
        try await scene.bought(product, InAppScene.request(text))
    }

    @Test func `a product that is not a generic one sells no items`() async throws {
        let scene = try InAppScene()
        let (charge, subscription) = (
            try scene.data(InAppScene.request(InAppScene.charge)),
            try scene.data(InAppScene.request(InAppScene.subscription))
        )
        try await scene.refuses(Garden.premium, charge, 4_000_116, "renews")
        try await scene.refuses(Garden.seeds, subscription, 4_000_116, "does not renew")
        scene.session.genericProductIDs = [Garden.premium]
        try await scene.refuses(Garden.seeds, charge, 4_000_116, "not a generic product")
        #expect(try await scene.buy(Garden.premium, subscription) != .pending)
        scene.session.resetToDefaultState()
        #expect(scene.session.genericProductIDs == nil)
        #expect(try await scene.buy(Garden.seeds, charge) != .pending)
    }

    @Test func `a request goes with no quantity, offer, plan or seats, and with money`() async throws {
        let scene = try InAppScene()
        let option = Product.PurchaseOption.custom(
            key: "advancedCommerceData", value: try scene.data(InAppScene.request(InAppScene.charge)))
        for other in [Product.PurchaseOption.quantity(2), .seats(2), .promotionalOffer(id: "spring")] {
            await #expect(throws: SKTestError.self) {
                try await scene.session.buy(Garden.seeds, [option, other])
            }
        }
        try await scene.session.buyProduct(identifier: Garden.seeds, options: [option])
        #expect(scene.session.allTransactions().count == 1)
    }
}
