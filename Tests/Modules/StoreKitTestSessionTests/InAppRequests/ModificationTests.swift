import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// `MODIFY_SUBSCRIPTION`, and offers of items.
///
/// Apple's page:
/// [SubscriptionModifyInAppRequest](https://developer.apple.com/documentation/advancedcommerceapi/subscriptionmodifyinapprequest).
@Suite struct ModificationTests {
    /// A session, and the first transaction of a subscription to a plant (6.99) and a pot (2.00).
    private let scene: InAppScene
    private let first: Transaction

    init() async throws {
        scene = try InAppScene()
        first = try await scene.bought(Garden.premium, InAppScene.request(InAppScene.subscription))
        _ = scene.session.takeNotifications()
    }

    private static let lamp =
        #"[{"SKU":"lamp","displayName":"Lamp","description":"Light","price":3000}]"#

    /// An item in place of the pot, with other members set.
    private static func vase(_ members: String = "") -> String {
        #"[{"currentSKU":"pot","SKU":"vase","displayName":"Vase","description":"A vase","price":4000,"#
            + #""effective":"IMMEDIATELY","reason":"UPGRADE"\#(members)}]"#
    }

    /// A request about the first transaction.
    private func request(_ changes: [String: String]) throws -> Data {
        let base = #"{"operation":"MODIFY_SUBSCRIPTION","version":"1","retainBillingCycle":true}"#
        let own = ["transactionId": #""\#(first.id)""#]
        return try InAppScene.request(base, own.merging(changes) { $1 })
    }

    @discardableResult
    private func modify(
        _ changes: [String: String], _ product: String = Garden.premium
    ) async throws -> Transaction { try await scene.bought(product, request(changes)) }

    private func items(_ transaction: Transaction) -> [String] {
        transaction.advancedCommerceInfo?.items.compactMap(\.details.sku) ?? []
    }

    private func renewal() async throws -> Product.SubscriptionInfo.RenewalInfo {
        try await scene.session.status().renewalInfo.payloadValue
    }

    /// The newest transaction of the group, after some days.
    private func latest(afterDays days: Double) async throws -> Transaction {
        try scene.session.advance(days: days)
        return try await scene.session.status().transaction.payloadValue
    }

    private func past(_ id: UInt64) async throws -> Transaction {
        let all = await scene.session.history()
        return try #require(all.first { $0.id == id })
    }

    @Test func `an added item is paid for the rest of the period, which ends as before`() async throws {
        let changed = try await modify([
            "addItems": Self.lamp.replacing("3000", with: #"3000,"proratedPrice":1500"#)
        ])
        #expect(changed.price == Decimal(string: "1.5") && changed.expirationDate == first.expirationDate)
        #expect(items(changed) == ["plant", "pot", "lamp"] && changed.id != first.id)
        #expect(changed.originalID == first.originalID)
        #expect(scene.session.notificationNames() == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let old = try await past(first.id)
        #expect(old.isUpgraded && items(old) == ["plant", "pot"] && old.revocationDate == nil)
        #expect(try await renewal().renewalPrice == Decimal(string: "11.99"))
        let next = try await latest(afterDays: 32)
        #expect(next.price == Decimal(string: "11.99") && items(next) == ["plant", "pot", "lamp"])
        #expect(next.purchaseDate == first.expirationDate)
    }

    @Test func `without a price for the rest, it is the part of the price that is left`() async throws {
        try scene.session.advance(days: 15)
        let changed = try await modify(["addItems": Self.lamp])
        // The same half of the period is left for a second change.
        let second = try await modify(["addItems": Self.lamp.replacing("lamp", with: "shade")])
        for price in [changed.price, second.price] {
            let distance = try #require(price) - Decimal(3) / 2
            #expect(abs(distance) < Decimal(1) / 10)
        }
    }

    @Test func `a new billing cycle begins at once with the full price`() async throws {
        try scene.session.advance(days: 10)
        let changed = try await modify([
            "retainBillingCycle": "false", "changeItems": Self.vase(), "removeItems": #"[{"SKU":"plant"}]"#,
        ])
        #expect(changed.price == 4 && items(changed) == ["vase"])
        #expect(changed.purchaseDate == scene.session.now)
        #expect(try #require(changed.expirationDate) > #require(first.expirationDate))
        #expect(try await past(first.id).isUpgraded)
    }

    @Test func `what is removed stays until the retained period ends`() async throws {
        let changed = try await modify([
            "changeItems": Self.vase(#","proratedPrice":0"#), "removeItems": #"[{"SKU":"plant"}]"#,
        ])
        #expect(changed.price == 0 && items(changed) == ["plant", "vase"])
        #expect(try await renewal().advancedCommerceInfo?.items.map(\.details.sku) == ["vase"])
        let next = try await latest(afterDays: 32)
        #expect(items(next) == ["vase"] && next.price == 4)
    }

    @Test func `a change at the next period leaves the present one as it is`() async throws {
        let later = Self.vase().replacing("IMMEDIATELY", with: "NEXT_BILL_CYCLE")
        let present = try await modify(["changeItems": later])
        #expect(present.id == first.id && items(present) == ["plant", "pot"] && !present.isUpgraded)
        #expect(scene.session.notificationNames() == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        #expect(try await renewal().renewalPrice == Decimal(string: "10.99"))
        let next = try await latest(afterDays: 32)
        #expect(items(next) == ["plant", "vase"] && next.price == Decimal(string: "10.99"))
        #expect(try await items(past(first.id)) == ["plant", "pot"])
    }

    @Test func `words alone are told of as metadata`() async throws {
        let words = #"{"effective":"IMMEDIATELY","displayName":"Crate"}"#
        let present = try await modify(["descriptors": words, "taxCode": #""C003-00-1""#])
        #expect(present.id == first.id && present.advancedCommerceInfo?.descriptors?.displayName == "Crate")
        #expect(present.advancedCommerceInfo?.taxCode == "C003-00-1")
        #expect(scene.session.notificationNames() == ["METADATA_UPDATE"])
    }

    @Test func `another length of the periods is another product of the group`() async throws {
        let items =
            #"[{"currentSKU":"plant","SKU":"plant","displayName":"P","description":"p","price":50000,"#
            + #""effective":"IMMEDIATELY","reason":"UPGRADE"}]"#
        let change = [
            "retainBillingCycle": "false", "changeItems": items, "removeItems": #"[{"SKU":"pot"}]"#,
            "periodChange": #"{"effective":"IMMEDIATELY","period":"P1Y"}"#,
        ]
        try await refuses(change, 4_000_130)
        let changed = try await modify(change, Garden.yearly)
        #expect(changed.productID == Garden.yearly && changed.price == 50)
        #expect(changed.advancedCommerceInfo?.period?.unit == .year)
        let half = [
            "periodChange": #"{"effective":"IMMEDIATELY","period":"P1M"}"#, "retainBillingCycle": "false",
        ]
        try await refuses(half, 4_000_140, Garden.premium)
    }

    @Test func `another length can begin with the next period`() async throws {
        let items =
            #"[{"currentSKU":"plant","SKU":"plant","displayName":"P","description":"p","price":50000,"#
            + #""effective":"NEXT_BILL_CYCLE","reason":"DOWNGRADE"}]"#
        let change = [
            "changeItems": items, "removeItems": #"[{"SKU":"pot"}]"#,
            "periodChange": #"{"effective":"NEXT_BILL_CYCLE","period":"P1Y"}"#,
        ]
        #expect(try await modify(change, Garden.yearly).id == first.id)
        let info = try await renewal()
        #expect(info.autoRenewPreference == Garden.yearly && info.renewalPrice == 50)
        let next = try await latest(afterDays: 32)
        #expect(next.productID == Garden.yearly && next.price == 50 && self.items(next) == ["plant"])
    }

    @Test func `an offer of an item has its price for its periods`() async throws {
        let offer = #","offer":{"period":"P1M","periodCount":2,"price":1000,"reason":"RETENTION"}"#
        let change = Self.vase(offer).replacing(#""SKU":"vase""#, with: #""SKU":"pot""#)
            .replacing("4000", with: "2000").replacing("UPGRADE", with: "APPLY_OFFER")
            .replacing("IMMEDIATELY", with: "NEXT_BILL_CYCLE")
        try await modify(["changeItems": change])
        var prices: [Decimal?] = []
        for _ in 0..<3 { prices.append(try await latest(afterDays: 31).price) }
        #expect(prices == [Decimal(string: "7.99"), Decimal(string: "7.99"), Decimal(string: "8.99")])
    }

    @Test func `a subscription that begins with an offer tells it, and renews without it`() async throws {
        let scene = try InAppScene()
        let offer = #"{"period":"P1M","periodCount":1,"price":0,"reason":"ACQUISITION"}"#
        let sold = try await scene.bought(
            Garden.premium, InAppScene.request(InAppScene.subscription, ["items.offer": offer]))
        let item = try #require(sold.advancedCommerceInfo?.items.first)
        #expect(sold.price == 2 && item.price == Decimal(string: "6.99"))
        #expect(item.offer?.price == 0 && item.offer?.periodCount == 1 && item.offer?.reason == .acquisition)
        try scene.session.advance(days: 32)
        let next = try await scene.session.status().transaction.payloadValue
        #expect(next.price == Decimal(string: "8.99") && next.advancedCommerceInfo?.items.first?.offer == nil)
    }

    // MARK: - Refusals

    private func refuses(
        _ changes: [String: String], _ code: Int, _ product: String = Garden.premium
    ) async throws {
        try await scene.refuses(product, scene.data(request(changes)), code)
    }

    /// The members of a request, their values in JSON, and Apple's code.
    private static let mistakes: [([String: String], Int)] = {
        let lampTwice = lamp.replacing("]", with: ",") + lamp.dropFirst()
        let later = vase().replacing("IMMEDIATELY", with: "NEXT_BILL_CYCLE")
        let offer = #","offer":{"period":"P1M","periodCount":1,"price":100,"reason":"RETENTION"}"#
        let now = #"{"effective":"IMMEDIATELY","period":"P1Y"}"#
        let pots = #"[{"SKU":"pot"}]"#
        func changed(_ old: String, _ new: String) -> [String: String] {
            ["changeItems": vase().replacing(old, with: new)]
        }
        func offered(_ members: String) -> [String: String] {
            ["addItems": lamp.replacing("3000", with: "3000,\"offer\":{\(members)}")]
        }
        return [
            ([:], 4_000_063), (["addItems": "[]"], 4_000_139), (["changeItems": "[]"], 4_000_139),
            (["removeItems": pots], 4_000_144), (["addItems": lamp, "removeItems": "[]"], 4_000_160),
            (["addItems": lamp, "removeItems": #"[{"SKU":"x"}]"#], 4_000_145),
            (["addItems": lampTwice], 4_000_194), (["changeItems": vase(), "removeItems": pots], 4_000_143),
            (["addItems": lamp.replacing("lamp", with: "pot")], 4_000_114),
            (["addItems": lamp, "retainBillingCycle": "null"], 4_000_110),
            (["addItems": lamp, "retainBillingCycle": "1"], 4_000_173),
            (["addItems": lamp, "transactionId": "null"], 4_000_085),
            (["addItems": lamp, "transactionId": "1"], 4_000_006),
            (["addItems": lamp, "transactionId": #""1""#], 4_040_010),
            (["addItems": lamp, "currency": #""EUR""#], 4_000_053),
            (["changeItems": later, "retainBillingCycle": "false"], 4_000_148),
            (["changeItems": vase(), "periodChange": now], 4_000_141),
            (["changeItems": later, "periodChange": now, "retainBillingCycle": "false"], 4_000_149),
            (
                ["addItems": lamp, "periodChange": now.replacing("IMMEDIATELY", with: "NEXT_BILL_CYCLE")],
                4_000_142
            ),
            (["periodChange": #"{"effective":"IMMEDIATELY"}"#], 4_000_104),
            (["periodChange": #"{"period":"P1Y"}"#], 4_000_111),
            (["changeItems": vase(offer + #","proratedPrice":10"#)], 4_000_150),
            (["changeItems": later.replacing(":4000", with: #":4000,"proratedPrice":10"#)], 4_000_222),
            (["changeItems": vase(#","proratedPrice":-10"#)], 4_000_091),
            (["changeItems": vase(#","proratedPrice":1"#)], 4_000_151),
            (changed(#""SKU":"vase","#, ""), 4_000_112), (changed(#""currentSKU":"pot","#, ""), 4_000_169),
            (changed("UPGRADE", "FUN"), 4_000_125), (changed("UPGRADE", "APPLY_OFFER"), 4_000_125),
            (changed(#","reason":"UPGRADE""#, ""), 4_000_095),
            (changed(#""effective":"IMMEDIATELY","#, ""), 4_000_111),
            (changed("\"pot\"", "\"cup\""), 4_000_146), (changed("\"vase\"", "\"pot\""), 4_000_178),
            (changed("\"vase\"", "\"plant\""), 4_000_114),
            (["descriptors": #"{"effective":"IMMEDIATELY"}"#], 4_000_165),
            (offered(#""periodCount":1,"price":0,"reason":"RETENTION""#), 4_000_092),
            (offered(#""period":"P1D","periodCount":1,"price":0,"reason":"RETENTION""#), 4_000_128),
            (offered(#""period":"P3M","periodCount":1,"price":0,"reason":"RETENTION""#), 4_000_128),
            (offered(#""period":"P1M","price":0,"reason":"RETENTION""#), 4_000_093),
            (offered(#""period":"P1M","periodCount":0,"price":0,"reason":"RETENTION""#), 4_000_094),
            (offered(#""period":"P1M","periodCount":13,"price":0,"reason":"RETENTION""#), 4_000_129),
            (offered(#""period":"P1M","periodCount":2,"price":0,"reason":"RETENTION""#), 4_000_223),
            (offered(#""period":"P1M","periodCount":1,"price":0"#), 4_000_095),
            (offered(#""period":"P1M","periodCount":1,"price":0,"reason":"FUN""#), 4_000_126),
            (offered(#""period":"P1M","periodCount":1,"reason":"RETENTION""#), 4_000_109),
            (offered(#""period":"P1M","periodCount":1,"price":4000,"reason":"RETENTION""#), 4_000_152),
        ]
    }()

    @Test func `each mistake has its code, and changes nothing`() async throws {
        for (changes, code) in Self.mistakes { try await refuses(changes, code) }
        #expect(scene.session.allTransactions().count == 1 && scene.session.takeNotifications().isEmpty)
        try await modify(["addItems": Self.lamp])
    }

    @Test func `neither an item in its offer nor an ended subscription can change`() async throws {
        let offer = #","offer":{"period":"P1M","periodCount":3,"price":1000,"reason":"RETENTION"}"#
        try await modify(["changeItems": Self.vase(offer)])
        try await refuses(["changeItems": Self.vase().replacing("\"pot\"", with: "\"vase\"")], 4_000_177)
        try await refuses(["addItems": Self.lamp], 4_000_116, Garden.yearly)
        try scene.session.expireSubscription(productIdentifier: Garden.premium)
        try await refuses(["addItems": Self.lamp], 4_030_015)
    }
}
