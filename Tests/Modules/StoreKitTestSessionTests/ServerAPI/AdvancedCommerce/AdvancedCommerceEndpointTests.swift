import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// What the six endpoints of the Advanced Commerce API change.
///
/// Apple's pages: [Cancel a Subscription](https://developer.apple.com/documentation/advancedcommerceapi/cancel-a-subscription),
/// [Change Subscription Metadata](https://developer.apple.com/documentation/advancedcommerceapi/change-subscription-metadata),
/// [Change Subscription Price](https://developer.apple.com/documentation/advancedcommerceapi/change-subscription-price),
/// [Migrate a Subscription](https://developer.apple.com/documentation/advancedcommerceapi/migrate-a-subscription-to-advanced-commerce-api),
/// [Revoke Subscription](https://developer.apple.com/documentation/advancedcommerceapi/revoke-subscription),
/// [Request Transaction Refund](https://developer.apple.com/documentation/advancedcommerceapi/request-transaction-refund).
@Suite struct AdvancedCommerceEndpointTests {
    private typealias Scene = AdvancedCommerceScene

    private func skus(_ transaction: Transaction) -> [String?] {
        transaction.advancedCommerceInfo?.items.map(\.details.sku) ?? []
    }

    private func skus(_ renewal: Product.SubscriptionInfo.RenewalInfo) -> [String?] {
        renewal.advancedCommerceInfo?.items.map(\.details.sku) ?? []
    }

    @Test func `a subscription that is migrated has the request's words and items`() throws {
        let scene = try Scene(items: [])
        #expect(try scene.transaction().advancedCommerceInfo == nil)
        _ = scene.scene.store.takeNotifications()
        let body = try Scene.migration(["plant", "pot"])
        let (transaction, renewal) = try scene.succeed("migrate", body)
        scene.expect(["MIGRATION"])
        let info = try #require(transaction.advancedCommerceInfo)
        #expect(skus(transaction) == ["plant", "pot"])
        #expect(info.items.map(\.details.displayName) == ["The plant", "The pot"])
        #expect(info.descriptors?.displayName == "Garden" && info.descriptors?.description == "All plants")
        #expect(skus(renewal) == ["plant", "pot"])
        #expect(try scene.transaction().id == transaction.id)
        try scene.refuses(4_000_176, "migrate", Scene.good("migrate"))
    }

    @Test func `renewal items come exactly with a change that waits`() throws {
        let scene = try Scene(items: [])
        var body = try Scene.migration(["plant"])
        body["renewalItems"] = body["items"]
        try scene.refuses(4_000_180, "migrate", body)
        try scene.scene.events("anna: buy com.example.garden.plus.monthly")
        try scene.refuses(4_000_180, "migrate", Scene.migration(["plant"]))
        body["renewalItems"] = try Scene.migration(["seed"])["items"]
        let (transaction, renewal) = try scene.succeed("migrate", body)
        #expect(skus(transaction) == ["plant"])
        #expect(skus(renewal) == ["seed"])
        let next = try scene.transaction(scene.renew())
        #expect(skus(next) == ["seed"])
    }

    @Test func `a cancelled subscription ends with its period`() throws {
        let scene = try Scene()
        let (_, renewal) = try scene.succeed("cancel", Scene.body())
        #expect(!renewal.willAutoRenew)
        scene.expect(["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        try scene.expect(status: 1)
        try scene.refuses(4_000_135, "cancel", Scene.body())
        try scene.refuses(4_030_010, "changePrice", Scene.good("changePrice"))
        _ = try scene.renew()
        try scene.expect(status: 2)
        try scene.refuses(4_030_010, "cancel", Scene.body())
    }

    @Test func `words change at once or with the next renewal`() throws {
        let scene = try Scene(items: ["plant", "pot"])
        let body = try Scene.body(
            #"""
            {"descriptors":{"effective":"NEXT_BILL_CYCLE","displayName":"Park"},"taxCode":"C003-00-1",
             "items":[{"currentSKU":"plant","SKU":"fern","effective":"IMMEDIATELY","description":"Green"}]}
            """#)
        let (transaction, renewal) = try scene.succeed("changeMetadata", body)
        scene.expect(["METADATA_UPDATE"])
        let info = try #require(transaction.advancedCommerceInfo)
        #expect(info.descriptors?.displayName == "Garden" && info.taxCode == "C003-00-1")
        #expect(info.items.map(\.details.sku) == ["fern", "pot"])
        #expect(info.items.first?.details.description == "Green")
        #expect(renewal.advancedCommerceInfo?.descriptors?.displayName == "Park")
        #expect(try scene.transaction(scene.renew()).advancedCommerceInfo?.descriptors?.displayName == "Park")
        // A name that another item has, and an item that there is not.
        let taken = #"{"items":[{"currentSKU":"pot","SKU":"fern","effective":"IMMEDIATELY"}]}"#
        try scene.refuses(4_000_115, "changeMetadata", Scene.body(taken))
        try scene.refuses(4_000_121, "changeMetadata", Scene.good("changeMetadata"))
        try scene.scene.events("anna: expire")
        let late = #"{"taxCode":"C003-00-1"}"#
        try scene.refuses(4_030_015, "changeMetadata", Scene.body(late))
    }

    @Test func `a price changes with the next renewal`() throws {
        let scene = try Scene()
        let before = try #require(try scene.transaction().price)
        let (transaction, renewal) = try scene.succeed("changePrice", Scene.good("changePrice"))
        scene.expect(["PRICE_CHANGE"])
        #expect(transaction.price == before)
        #expect(renewal.renewalPrice == Decimal(string: "99.99"))
        let item = try #require(renewal.advancedCommerceInfo?.items.first)
        #expect(item.priceIncreaseInfo?.price == Decimal(string: "99.99"))
        #expect(item.priceIncreaseInfo?.status == .pending)
        try scene.refuses(4_000_205, "changePrice", Scene.good("changePrice"))
        #expect(try scene.transaction(scene.renew()).price == Decimal(string: "99.99"))
        // A price that falls needs no notice.
        let lower = try scene.succeed(
            "changePrice", Scene.body(#"{"items":[{"SKU":"plant","price":1990}]}"#))
        #expect(lower.renewal.renewalPrice == Decimal(string: "1.99"))
        #expect(lower.renewal.advancedCommerceInfo?.items.first?.priceIncreaseInfo == nil)
        #expect(try scene.transaction(scene.renew()).price == Decimal(string: "1.99"))
        // While payments fail, nothing renews at another price.
        try scene.scene.events("anna: fail-payments")
        _ = try scene.renew()
        try scene.expect(status: 3)
        try scene.refuses(4_030_010, "changePrice", Scene.good("changePrice"))
    }

    @Test func `items that follow a price are named with it`() throws {
        let scene = try Scene(items: ["plant", "pot", "seed"])
        let plant = #"{"SKU":"plant","price":99990,"dependentSKUs":["pot"]}"#
        let mistakes = [
            (plant + #",{"SKU":"seed","price":10,"dependentSKUs":["pot"]}"#, 4_000_192),
            (plant + #",{"SKU":"pot","price":10,"dependentSKUs":["seed"]}"#, 4_000_193),
            (#"{"SKU":"plant","price":99990,"dependentSKUs":["tree"]}"#, 4_000_220),
            (#"{"SKU":"plant","price":99990,"dependentSKUs":["pot","pot"]}"#, 4_000_194),
        ]
        for (items, code) in mistakes {
            try scene.refuses(code, "changePrice", Scene.body(#"{"items":[\#(items)]}"#))
        }
        let (_, renewal) = try scene.succeed("changePrice", Scene.body(#"{"items":[\#(plant)]}"#))
        #expect(renewal.advancedCommerceInfo?.items.first?.priceIncreaseInfo?.dependentSKUs == ["pot"])
    }

    // MARK: - Refunds

    @Test func `a revoked subscription ends, and all of its items are refunded`() throws {
        let scene = try Scene(items: ["plant", "pot"])
        let (transaction, renewal) = try scene.succeed("revoke", Scene.good("revoke"))
        scene.expect(["REFUND"])
        try scene.expect(status: 5)
        #expect(!renewal.willAutoRenew)
        #expect(transaction.revocationDate != nil && transaction.revocationType == nil)
        let refunds = try #require(transaction.advancedCommerceInfo?.items.map(\.refunds))
        #expect(refunds.map { $0.map(\.type) } == [[.full], [.full]])
        #expect(refunds.first?.first?.reason == .legal)
        let history = try scene.scene.get("/inApps/v2/refund/lookup/\(scene.id)")
        #expect(try scene.scene.identifiers(history["signedTransactions"]) == [scene.id])
        try scene.refuses(4_030_021, "revoke", Scene.good("revoke"))
        let ended = try Scene()
        try ended.scene.events("anna: expire")
        try ended.refuses(4_000_186, "revoke", Scene.good("revoke"))
    }

    @Test func `half of a period is half of a price`() throws {
        let scene = try Scene()
        let bought = try scene.transaction()
        let (start, end) = (bought.purchaseDate, try #require(bought.expirationDate))
        try scene.scene.store.advance(to: start.addingTimeInterval(end.timeIntervalSince(start) / 2))
        var body = try Scene.good("revoke")
        body["refundType"] = "PRORATED"
        let refund = try #require(
            try scene.succeed("revoke", body).transaction.advancedCommerceInfo?.items.first?.refunds.first)
        #expect(refund.type == .prorated)
        let (price, amount) = (try #require(bought.price), try #require(refund.amount))
        let tolerance = try #require(Decimal(string: "0.001"))
        #expect(abs(amount - price / 2) <= tolerance)
    }

    @Test func `an item is refunded, and one that is revoked does not renew`() throws {
        let scene = try Scene(items: ["plant", "pot"])
        let items = #"[{"SKU":"pot","refundReason":"OTHER","refundType":"FULL","revoke":true}]"#
        let body = try Scene.body(#"{"refundRiskingPreference":true,"items":\#(items)}"#)
        let (transaction, renewal) = try scene.succeed("requestRefund", body)
        scene.expect(["CONSUMPTION_REQUEST", "REFUND"])
        #expect(transaction.revocationDate == nil)
        let parts = try #require(transaction.advancedCommerceInfo?.items)
        #expect(parts.map(\.refunds.count) == [0, 1])
        #expect(parts.map { $0.revocationDate != nil } == [false, true])
        #expect(skus(renewal) == ["plant"])
        try scene.expect(status: 1)
        let history = try scene.scene.get("/inApps/v2/refund/lookup/\(scene.id)")
        #expect(try scene.scene.identifiers(history["signedTransactions"]) == [scene.id])
        let again = try Scene.body(#"{"refundRiskingPreference":false,"items":\#(items)}"#)
        try scene.refuses(4_030_021, "requestRefund", again)
        let next = try scene.transaction(scene.renew())
        #expect(skus(next) == ["plant"])
        #expect(next.advancedCommerceInfo?.items.first?.refunds.isEmpty == true)
    }

    @Test func `a sum is paid back as the request says, and at most the price`() throws {
        let scene = try Scene()
        func refund(_ amount: String) throws -> [String: Any] {
            try Scene.body(
                #"""
                {"refundRiskingPreference":false,"items":[{"SKU":"plant","refundReason":"OTHER",
                 "refundType":"CUSTOM","revoke":false,"refundAmount":\#(amount)}]}
                """#)
        }
        try scene.refuses(4_000_132, "requestRefund", refund("999999"))
        try scene.refuses(4_000_154, "requestRefund", refund("0"))
        try scene.refuses(4_000_153, "requestRefund", refund("null"))
        let (transaction, _) = try scene.succeed("requestRefund", refund("500"))
        let paidBack = try #require(transaction.advancedCommerceInfo?.items.first?.refunds.first)
        #expect(paidBack.amount == Decimal(string: "0.5") && paidBack.type == .custom)
    }

    @Test func `a refusal is simulated for all items or for none`() throws {
        let scene = try Scene(items: ["plant", "pot"])
        func items(_ reasons: String...) throws -> [String: Any] {
            let items = zip(["plant", "pot"], reasons).map { sku, reason in
                #"{"SKU":"\#(sku)","refundReason":"\#(reason)","refundType":"FULL","revoke":false}"#
            }
            return try Scene.body(
                #"{"refundRiskingPreference":false,"items":[\#(items.joined(separator: ","))]}"#)
        }
        let declined = "SIMULATE_REFUND_DECLINE"
        try scene.refuses(4_000_184, "requestRefund", items(declined, "LEGAL"))
        let (transaction, _) = try scene.succeed("requestRefund", items(declined, declined))
        scene.expect(["REFUND_DECLINED"])
        #expect(transaction.advancedCommerceInfo?.items.allSatisfy(\.refunds.isEmpty) == true)
        var body = try Scene.good("revoke")
        body["refundReason"] = declined
        #expect(try !scene.succeed("revoke", body).renewal.willAutoRenew)
        #expect(scene.scene.store.takeNotifications().last?.name == "REFUND_DECLINED")
        try scene.expect(status: 1)
        let production = try Scene(environment: .production)
        try production.refuses(4_000_158, "revoke", body)
    }

    @Test func `only the latest transaction is prorated, and one item stays`() throws {
        let scene = try Scene()
        _ = try scene.renew()
        var body = try Scene.good("requestRefund")
        body["items"] = [
            ["SKU": "plant", "refundReason": "OTHER", "refundType": "PRORATED", "revoke": false]
                as [String: Any]
        ]
        try scene.refuses(4_000_182, "requestRefund", body)
        body["items"] = [
            ["SKU": "plant", "refundReason": "OTHER", "refundType": "FULL", "revoke": true] as [String: Any]
        ]
        try scene.refuses(4_000_168, "requestRefund", body, id: scene.latest())
        // Of a former period, everything can be taken back.
        #expect(try scene.succeed("requestRefund", body).transaction.revocationDate == nil)
        let free = try ServerAPIScene()
        let id = try free.buy("$trial")
        try free.events("anna: migrate")
        let trial = #"{"refundReason":"LEGAL","refundRiskingPreference":false,"refundType":"FULL","#
        let info = #""requestInfo":{"requestReferenceId":"\#(UUID())"}}"#
        try free.refuses(4_030_024, "POST", "/advancedCommerce/v1/subscription/revoke/\(id)", trial + info)
    }
}
