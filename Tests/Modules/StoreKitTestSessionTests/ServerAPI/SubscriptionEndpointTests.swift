import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Subscription statuses, and extensions of renewal dates.
@Suite struct SubscriptionEndpointTests {
    private static let product = "com.example.garden.premium.monthly"

    /// The status of the customer's subscription; `nil` if there is none in the answer.
    private func status(_ scene: ServerAPIScene, _ id: String, _ query: String = "") throws -> Int? {
        let answer = try scene.get("/inApps/v1/subscriptions/\(id)\(query)")
        let groups = try #require(answer["data"] as? [[String: Any]])
        guard let group = groups.first else { return nil }
        #expect(groups.count == 1)
        #expect(group["subscriptionGroupIdentifier"] as? String == "5AD00010")
        let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
        #expect(last["originalTransactionId"] as? String == id)
        #expect(String(try scene.transaction(last["signedTransactionInfo"]).originalID) == id)
        #expect((last["signedRenewalInfo"] as? String)?.split(separator: ".").count == 3)
        return last["status"] as? Int
    }

    @Test func `the status follows the subscription through its life`() throws {
        let scene = try ServerAPIScene()
        try scene.events("set grace on")
        let id = try scene.buy("$subscription")
        #expect(try status(scene, id) == 1)
        try scene.events("anna: fail-payments")
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(8 * 86_400))
        #expect(try status(scene, id) == 4)
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(30 * 86_400))
        #expect(try status(scene, id) == 3)
        #expect(try status(scene, id, "?status=1&status=2") == nil)
        #expect(try status(scene, id, "?status=1&status=3") == 3)
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(100 * 86_400))
        #expect(try status(scene, id) == 2)
        try scene.events("anna: fix-payments", "anna: buy $subscription", "anna: refund")
        #expect(try status(scene, id) == 5)
        for wrong in ["0", "6", "active", ""] {
            let target = "/inApps/v1/subscriptions/\(id)?status=\(wrong)"
            #expect(try scene.errorCode("GET", target) == 4_000_031)
        }
    }

    @Test func `a customer without subscriptions has none`() throws {
        let scene = try ServerAPIScene()
        #expect(try status(scene, scene.buy("$consumable")) == nil)
    }

    // MARK: - One extension

    private static let body = #"{"extendByDays":30,"extendReasonCode":1,"requestIdentifier":"r1"}"#

    /// A customer who has paid for a period.
    private func subscriber(_ scene: ServerAPIScene, _ name: String = "anna") throws -> String {
        try scene.buy(Self.product, name)
    }

    @Test func `an extension moves the renewal, twice a year at most`() throws {
        let scene = try ServerAPIScene()
        let id = try subscriber(scene)
        let path = "/inApps/v1/subscriptions/extend/\(id)"
        let before = try scene.transaction(
            scene.get("/inApps/v1/transactions/\(id)")["signedTransactionInfo"])
        let answer = try scene.succeed("PUT", path, Self.body)
        #expect(answer["success"] as? Bool == true)
        #expect(answer["originalTransactionId"] as? String == id)
        #expect(answer["webOrderLineItemId"] as? String == before.webOrderLineItemID)
        let end = try #require(before.expirationDate).timeIntervalSince1970 * 1000 + 30 * 86_400_000
        #expect(answer["effectiveDate"] as? Int == Int(end))
        try scene.succeed("PUT", path, Self.body)
        #expect(try scene.errorCode("PUT", path, Self.body) == 4_030_005)
    }

    @Test func `a subscription that was not paid for, has ended, or is the family's cannot be extended`()
        throws
    {
        let scene = try ServerAPIScene()
        let code = { (id: String) in
            try scene.errorCode("PUT", "/inApps/v1/subscriptions/extend/\(id)", Self.body)
        }
        #expect(try code(scene.buy("$trial")) == 4_030_004)
        let ended = try subscriber(scene, "ben")
        try scene.events("ben: expire")
        #expect(try code(ended) == 4_030_004)
        _ = try subscriber(scene, "carl")
        let shared = try scene.events("carl: share with=dora")
        #expect(try code(try #require(shared.last?["transactionId"] as? String)) == 4_030_007)
        #expect(try code("1") == 4_040_005)
        #expect(try code(scene.buy("$consumable")) == 4_040_005)
        #expect(try code("one") == 4_000_008)
    }

    @Test(
        "a bad member of an extension has Apple's code",
        arguments: [
            (#"{"extendByDays":0,"extendReasonCode":1,"requestIdentifier":"r"}"#, 4_000_009),
            (#"{"extendByDays":91,"extendReasonCode":1,"requestIdentifier":"r"}"#, 4_000_009),
            (#"{"extendReasonCode":1,"requestIdentifier":"r"}"#, 4_000_009),
            (#"{"extendByDays":90,"extendReasonCode":4,"requestIdentifier":"r"}"#, 4_000_010),
            (#"{"extendByDays":90,"requestIdentifier":"r"}"#, 4_000_010),
            (#"{"extendByDays":90,"extendReasonCode":0,"requestIdentifier":""}"#, 4_000_011),
            (#"{"extendByDays":90,"extendReasonCode":0}"#, 4_000_011), ("", 4_000_000), ("[1]", 4_000_000),
        ])
    func refusesBodies(body: String, code: Int) throws {
        let scene = try ServerAPIScene()
        let id = try subscriber(scene)
        #expect(try scene.errorCode("PUT", "/inApps/v1/subscriptions/extend/\(id)", body) == code)
        #expect(try scene.errorCode("POST", Self.mass, body) == code)
    }

    @Test func `a request identifier has 128 characters at most`() throws {
        let scene = try ServerAPIScene()
        let id = try subscriber(scene)
        let body = Self.body.replacing("r1", with: String(repeating: "r", count: 129))
        #expect(try scene.errorCode("PUT", "/inApps/v1/subscriptions/extend/\(id)", body) == 4_000_011)
    }

    // MARK: - Many

    private static let mass = "/inApps/v1/subscriptions/extend/mass"
    private static let request = "c5e0b6f6-9b3f-4f3e-9a53-6d40a4b6f111"

    private static func massBody(_ more: String = "", product: String = product) -> String {
        #"{"extendByDays":7,"extendReasonCode":3,"requestIdentifier":"\#(request)","productId":"\#(product)"\#(more)}"#
    }

    @Test func `all active subscribers are extended once, and the status has the numbers`() throws {
        let scene = try ServerAPIScene()
        _ = try subscriber(scene, "anna")
        let ben = try subscriber(scene, "ben")
        for _ in 0..<2 { try scene.succeed("PUT", "/inApps/v1/subscriptions/extend/\(ben)", Self.body) }
        for _ in 0..<2 {
            let answer = try scene.succeed("POST", Self.mass, Self.massBody())
            #expect(answer["requestIdentifier"] as? String == Self.request)
        }
        let status = try scene.get("\(Self.mass)/\(Self.product)/\(Self.request)")
        #expect(status["requestIdentifier"] as? String == Self.request)
        #expect(status["complete"] as? Bool == true)
        #expect(status["completeDate"] as? Int == Int(ServerAPIScene.start.timeIntervalSince1970 * 1000))
        #expect(status["succeededCount"] as? Int == 1)
        #expect(status["failedCount"] as? Int == 1)
        let names = scene.store.takeNotifications().map(\.name).filter { $0.hasPrefix("RENEWAL_EXTENSION") }
        #expect(names == ["RENEWAL_EXTENSION/FAILURE", "RENEWAL_EXTENSION/SUMMARY"])
    }

    @Test func `storefronts restrict a mass extension`() throws {
        let scene = try ServerAPIScene()
        _ = try subscriber(scene)
        try scene.succeed("POST", Self.mass, Self.massBody(#","storefrontCountryCodes":["DEU","FRA"]"#))
        let status = try scene.get("\(Self.mass)/\(Self.product)/\(Self.request)")
        #expect(status["succeededCount"] as? Int == 0)
    }

    @Test func `a bad mass extension has Apple's code`() throws {
        let scene = try ServerAPIScene()
        let code = { (body: String) in try scene.errorCode("POST", Self.mass, body) }
        #expect(try code(Self.massBody(#","storefrontCountryCodes":[]"#)) == 4_000_027)
        #expect(try code(Self.massBody(#","storefrontCountryCodes":["de"]"#)) == 4_000_028)
        // Apple's page "storefrontCountryCodes": codes of countries and regions that the App Store has.
        #expect(try code(Self.massBody(#","storefrontCountryCodes":["USA","XYZ"]"#)) == 4_000_028)
        #expect(try code(Self.massBody(#","storefrontCountryCodes":"USA""#)) == 4_000_028)
        #expect(try code(Self.massBody(product: "none")) == 4_000_023)
        #expect(try code(Self.massBody(product: "com.example.garden.seeds")) == 4_000_023)
        #expect(try code(Self.massBody().replacing(Self.request, with: "request")) == 4_000_011)
    }

    @Test func `the status of an unknown mass extension is refused`() throws {
        let scene = try ServerAPIScene()
        let code = { (path: String) in try scene.errorCode("GET", "\(Self.mass)/\(path)") }
        #expect(try code("\(Self.product)/\(Self.request)") == 4_040_009)
        #expect(try code("\(Self.product)/request") == 4_000_011)
        #expect(try code("none/\(Self.request)") == 4_000_023)
    }
}
