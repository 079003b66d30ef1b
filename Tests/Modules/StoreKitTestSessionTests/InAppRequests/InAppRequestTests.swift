import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Purchases by requests of the Advanced Commerce API that an app's server signs.
///
/// Apple's pages:
/// [Sending Advanced Commerce API requests from your app](https://developer.apple.com/documentation/storekit/sending-advanced-commerce-api-requests-from-your-app),
/// [Generating JWS to sign App Store requests](https://developer.apple.com/documentation/storekit/generating-jws-to-sign-app-store-requests).
@Suite struct InAppRequestTests {
    /// The price of both items of the subscription.
    private static let price = Decimal(string: "8.99")

    @Test func `an item that is sold once is in its transaction`() async throws {
        let scene = try InAppScene()
        let sold = try await scene.bought(Garden.seeds, InAppScene.request(InAppScene.charge))
        let info = try #require(sold.advancedCommerceInfo)
        #expect(sold.productID == Garden.seeds && sold.price == Decimal(string: "4.99"))
        #expect(info.items.map(\.details.sku) == ["fern"] && info.items.first?.price == sold.price)
        #expect(info.items.first?.details.displayName == "Fern" && info.descriptors == nil)
        #expect(info.taxCode == "C003-00-2" && info.period == nil)
        #expect(scene.session.notificationNames() == ["ONE_TIME_CHARGE"])
        // Other options of the app's own choice have no effect.
        let plain = try await scene.session.bought(
            Garden.seeds,
            [.custom(key: "a", value: "b"), .custom(key: "c", value: 1.5), .custom(key: "d", value: true)])
        #expect(plain.advancedCommerceInfo == nil && plain.price == Decimal(string: "0.99"))
    }

    @Test func `an item that can be owned once is sold once`() async throws {
        let scene = try InAppScene()
        let sold = try await scene.bought(Garden.greenhouse, InAppScene.request(InAppScene.charge))
        let again = try scene.data(InAppScene.request(InAppScene.charge))
        try await scene.refuses(Garden.greenhouse, again, 4_000_114)
        let other = try await scene.bought(
            Garden.greenhouse, InAppScene.request(InAppScene.charge, ["item.SKU": #""palm""#]))
        #expect(sold.id != other.id)
    }

    @Test func `a subscription renews with its items and their price`() async throws {
        let scene = try InAppScene()
        let sold = try await scene.bought(Garden.premium, InAppScene.request(InAppScene.subscription))
        let info = try #require(sold.advancedCommerceInfo)
        #expect(sold.price == Self.price && sold.offer == nil && sold.reason == .purchase)
        #expect(
            info.items.map(\.details.sku) == ["plant", "pot"]
                && info.items.compactMap(\.price).reduce(0, +) == sold.price)
        #expect(info.descriptors?.displayName == "Box" && info.period?.iso8601Text == "P1M")
        #expect(scene.session.notificationNames() == ["SUBSCRIBED/INITIAL_BUY"])
        try scene.session.advance(days: 32)
        let latest = try scene.session.latest()
        #expect(latest.identifier != UInt(sold.id))
        let status = try await scene.session.status()
        let renewed = try status.transaction.payloadValue
        #expect(renewed.price == Self.price && renewed.advancedCommerceInfo?.items.count == 2)
        #expect(try status.renewalInfo.payloadValue.advancedCommerceInfo?.items.count == 2)
        let second = try scene.data(InAppScene.request(InAppScene.subscription))
        try await scene.refuses(Garden.premium, second, 4_030_009)
    }

    @Test func `a subscription begins again with other items, and the past keeps its own`() async throws {
        let scene = try InAppScene()
        let first = try await scene.bought(Garden.premium, InAppScene.request(InAppScene.subscription))
        try scene.session.expireSubscription(productIdentifier: Garden.premium)
        let wrong = ["previousTransactionId": #""1""#]
        try await scene.refuses(
            Garden.premium, scene.data(InAppScene.request(InAppScene.subscription, wrong)), 4_000_096)
        let changes = ["items.SKU": #""palm""#, "previousTransactionId": #""\#(first.id)""#]
        let second = try await scene.bought(
            Garden.premium, InAppScene.request(InAppScene.subscription, changes))
        #expect(second.originalID == first.originalID)
        #expect(second.advancedCommerceInfo?.items.map(\.details.sku) == ["palm", "pot"])
        let skus = await scene.session.history().map {
            "\($0.id) \($0.advancedCommerceInfo?.items.first?.details.sku ?? "none")"
        }
        #expect(Set(skus) == ["\(first.id) plant", "\(second.id) palm"])
    }

    @Test func `a cancelled subscription is reactivated with some of its items`() async throws {
        let scene = try InAppScene()
        let sold = try await scene.bought(Garden.premium, InAppScene.request(InAppScene.subscription))
        let text = #"{"operation":"REACTIVATE_SUBSCRIPTION","version":"1","transactionId":"\#(sold.id)"}"#
        try await scene.refuses(Garden.premium, scene.data(InAppScene.request(text)), 4_030_011)
        try scene.session.disableAutoRenewForTransaction(identifier: sold.id)
        try await scene.refuses(
            Garden.premium, scene.data(InAppScene.request(text, ["items": #"[{"SKU":"tree"}]"#])), 4_000_121)
        try await scene.bought(Garden.premium, InAppScene.request(text, ["items": #"[{"SKU":"pot"}]"#]))
        #expect(scene.session.notificationNames().last == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED")
        try scene.session.advance(days: 32)
        let renewed = try await scene.session.status().transaction.payloadValue
        #expect(renewed.price == 2)
        #expect(renewed.advancedCommerceInfo?.items.map(\.details.sku) == ["pot"])
        for (id, code) in [("null", 4_000_085), (#""x""#, 4_000_006), (#""1""#, 4_040_010)] {
            let wrong = try scene.data(InAppScene.request(text, ["transactionId": id]))
            try await scene.refuses(Garden.premium, wrong, code)
        }
    }

    @Test func `a purchase that waits for a parent is signed when it begins`() async throws {
        let scene = try InAppScene()
        scene.session.askToBuyEnabled = true
        let data = try scene.data(InAppScene.request(InAppScene.charge))
        #expect(try await scene.buy(Garden.seeds, data) == .pending)
        try scene.session.advance(days: 3)
        try scene.session.approveAskToBuyTransaction(identifier: scene.session.latest().identifier)
        let bought = try #require(scene.session.allTransactions().last)
        #expect(bought.state == .purchased)
        let wrong = try scene.data(InAppScene.request(InAppScene.charge, ["item.SKU": "null"]))
        try await scene.refuses(Garden.seeds, wrong, 4_000_105)
    }

    @Test func `the endpoints take what was sold in the app`() async throws {
        let scene = try InAppScene()
        let api = TestAppStoreAPI(scene.session.appStore, keys: [scene.key])
        func post(_ endpoint: String, _ id: UInt64, _ members: String) throws -> ServerAPIResponse {
            let token = try scene.key.token(for: "com.example.garden", at: Garden.start)
            let info = #""requestInfo":{"requestReferenceId":"\#(UUID())"}"#
            return api.respond(
                to: ServerAPIRequest(
                    "POST", "/advancedCommerce/v1/\(endpoint)/\(id)",
                    headers: [.init("Authorization", "Bearer \(token)")],
                    body: Array("{\(info)\(members)}".utf8)), at: Garden.start)
        }
        let item = try await scene.bought(Garden.greenhouse, InAppScene.request(InAppScene.charge))
        let box = try await scene.bought(Garden.premium, InAppScene.request(InAppScene.subscription))
        let price = try post("subscription/changePrice", box.id, #","items":[{"SKU":"pot","price":2990}]"#)
        #expect(price.status == 200)
        #expect(try post("subscription/cancel", item.id, "").status == 403)
        let refund = { (sku: String, type: String) in
            #","refundRiskingPreference":false,"items":[{"SKU":"\#(sku)","refundReason":"LEGAL","#
                + #""refundType":"\#(type)","revoke":true}]"#
        }
        let path = "transaction/requestRefund"
        // What is sold once has no period of which a part is left.
        #expect(try post(path, item.id, refund("fern", "PRORATED")).status == 400)
        #expect(try post(path, item.id, refund("fern", "FULL")).status == 200)
        #expect(try post(path, item.id, refund("fern", "FULL")).status == 403)
        #expect(try post(path, box.id, refund("pot", "FULL")).status == 200)
        await scene.session.expect(entitled: [Garden.premium])
        #expect(try post("subscription/cancel", box.id, "").status == 200)
        let names = scene.session.notificationNames()
        #expect(
            names == [
                "ONE_TIME_CHARGE", "SUBSCRIBED/INITIAL_BUY", "PRICE_CHANGE", "REFUND", "REFUND",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            ])
    }
}

extension Product.SubscriptionPeriod {
    /// The form of payloads.
    fileprivate var iso8601Text: String { "P\(value)\("\(unit)".prefix(1).uppercased())" }
}
