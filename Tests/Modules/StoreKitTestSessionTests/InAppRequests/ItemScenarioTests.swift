import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Items that an app's server sells in a scenario.
@Suite struct ItemScenarioTests {
    @Test func `items are sold, renew and end`() throws {
        let played = try PlayedScenario(
            """
            +0    buy-items PREMIUM plant:6.99 pot:2
            +1d   anna: buy-items SEEDS fern:4.99
            +1p1d cancel
            +2p1d end
            """)
        let first = try played.event("SUBSCRIBED/INITIAL_BUY").transaction
        first.expect(["price": 8990])
        let items = try first.object("advancedCommerceInfo").list("items")
        #expect(items.map { $0["SKU"] as? String } == ["plant", "pot"])
        try played.event("ONE_TIME_CHARGE").transaction.expect(["price": 4990])
        try played.event("DID_RENEW").transaction.expect(["price": 8990])
        #expect(try played.event("EXPIRED/VOLUNTARY").status == 2)
    }

    @Test func `a token that the app's server signed is a purchase`() throws {
        let scene = try ServerAPIScene()
        let request = try InAppScene.request(InAppScene.charge)
        let data = try scene.key.advancedCommerceData(
            request, for: ServerAPIScene.bundleID, at: ServerAPIScene.start)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: String]])
        let token = try #require(object["signatureInfo"]?["token"])
        let id = try scene.buy(Garden.seeds, options: "signed-request=\(token)")
        let answer = try scene.get("/inApps/v1/transactions/\(id)")
        let sold = try scene.transaction(answer["signedTransactionInfo"])
        #expect(sold.advancedCommerceInfo?.items.map(\.details.sku) == ["fern"])
        let again = scene.local("/test/events", "anna: buy \(Garden.seeds) signed-request=\(token)")
        #expect(again.status == 400)
        #expect(String(decoding: again.body, as: UTF8.self).contains("its nonce was used before"))
    }

    private static let mistakes: [(String, String)] = [
        ("buy-items SEEDS", "line 1: buy-items needs an item, such as plant:4.99"),
        ("buy-items SEEDS plant", "line 1: \"plant\" is not an item and its price, such as plant:4.99"),
        ("buy-items SEEDS plant:x", "line 1: \"plant:x\" is not an item and its price, such as plant:4.99"),
        ("buy-items", "line 1: buy-items needs a product"),
        (
            "buy-items SEEDS a:1 b:2",
            "line 1: \"\(Garden.seeds)\" does not renew: it sells one item at a time"
        ),
        (
            "buy-items SEEDS a:1\nset generic PREMIUM",
            "line 1: the Advanced Commerce request is refused (4000116): \"\(Garden.seeds)\" is not a generic product"
        ),
        (
            "buy SEEDS signed-request=x",
            "line 1: the Advanced Commerce request is refused (4000173): the token is no compact JWS of two JSON objects"
        ),
    ]

    @Test(arguments: mistakes)
    func `a line that sells nothing has a sentence`(_ line: String, _ sentence: String) {
        #expect { try PlayedScenario("+0 " + line) } throws: { "\($0)" == sentence }
    }
}
