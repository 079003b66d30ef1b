import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Subscription statuses, and extensions of renewal dates.
@Suite struct SubscriptionEndpointTests {
    /// The status of the customer's subscription; `nil` if there is none in the answer.
    private func status(_ scene: ServerAPIScene, _ id: String, _ query: String = "") throws -> Int? {
        let answer = try scene.get("/inApps/v1/subscriptions/\(id)\(query)")
        let groups = try answer.list("data")
        guard let group = groups.first else { return nil }
        #expect(groups.count == 1)
        group.expect(["subscriptionGroupIdentifier": "5AD00010"])
        let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
        last.expect(["originalTransactionId": .text(id)])
        #expect(String(try scene.transaction(last["signedTransactionInfo"]).originalID) == id)
        #expect((last["signedRenewalInfo"] as? String)?.split(separator: ".").count == 3)
        return last["status"] as? Int
    }

    @Test func `the status follows the subscription through its life`() throws {
        let scene = try ServerAPIScene()
        try scene.events("set grace on")
        let id = try scene.buy("$subscription")
        var statuses = [try status(scene, id)]
        try scene.events("anna: fail-payments")
        for day in [8, 30, 100] as [Double] {
            try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(day * 86_400))
            statuses.append(try status(scene, id))
            guard day == 30 else { continue }
            #expect(try status(scene, id, "?status=1&status=2") == nil)
            #expect(try status(scene, id, "?status=1&status=3") == 3)
        }
        try scene.events("anna: fix-payments", "anna: buy $subscription", "anna: refund")
        statuses.append(try status(scene, id))
        #expect(statuses == [1, 4, 3, 2, 5])
        for wrong in ["0", "6", "active", ""] {
            try scene.refuses(4_000_031, "GET", "/inApps/v1/subscriptions/\(id)?status=\(wrong)")
        }
        // A customer without subscriptions.
        #expect(try status(scene, scene.buy("$consumable", "ben")) == nil)
    }

    // MARK: - One extension

    private static let body = #"{"extendByDays":30,"extendReasonCode":1,"requestIdentifier":"r1"}"#

    /// A customer who has paid for a period.
    private func subscriber(_ scene: ServerAPIScene, _ name: String = "anna") throws -> String {
        try scene.buy(Garden.premium, name)
    }

    @Test func `an extension moves the renewal, twice a year at most`() throws {
        let scene = try ServerAPIScene()
        let id = try subscriber(scene)
        let path = "/inApps/v1/subscriptions/extend/\(id)"
        let before = try scene.transaction(
            scene.get("/inApps/v1/transactions/\(id)")["signedTransactionInfo"])
        let answer = try scene.succeed("PUT", path, Self.body)
        #expect(answer["success"] as? Bool == true)
        let end = try #require(before.expirationDate).timeIntervalSince1970 * 1000 + 30 * 86_400_000
        answer.expect([
            "originalTransactionId": .text(id), "effectiveDate": .number(Int(end)),
            "webOrderLineItemId": .text(try #require(before.webOrderLineItemID)),
        ])
        try scene.succeed("PUT", path, Self.body)
        try scene.refuses(4_030_005, "PUT", path, Self.body)
    }

    @Test func `what is not paid for, has ended, or is the family's is not extended`() throws {
        let scene = try ServerAPIScene()
        func refuses(_ code: Int, _ id: String) throws {
            try scene.refuses(code, "PUT", "/inApps/v1/subscriptions/extend/\(id)", Self.body)
        }
        try refuses(4_030_004, scene.buy("$trial"))
        let ended = try subscriber(scene, "ben")
        try scene.events("ben: expire")
        try refuses(4_030_004, ended)
        _ = try subscriber(scene, "carl")
        let member = try scene.event("carl: share with=dora").text("transactionId")
        try refuses(4_030_007, member)
        try refuses(4_040_005, "1")
        try refuses(4_040_005, scene.buy("$consumable"))
        try refuses(4_000_008, "one")
        // A request identifier has 128 characters at most.
        let long = Self.body.replacing("r1", with: String(repeating: "r", count: 129))
        let eva = try subscriber(scene, "eva")
        try scene.refuses(4_000_011, "PUT", "/inApps/v1/subscriptions/extend/\(eva)", long)
    }

    private static let mistakes: [(String, Int)] = [
        (#"{"extendByDays":0,"extendReasonCode":1,"requestIdentifier":"r"}"#, 4_000_009),
        (#"{"extendByDays":91,"extendReasonCode":1,"requestIdentifier":"r"}"#, 4_000_009),
        (#"{"extendReasonCode":1,"requestIdentifier":"r"}"#, 4_000_009),
        (#"{"extendByDays":90,"extendReasonCode":4,"requestIdentifier":"r"}"#, 4_000_010),
        (#"{"extendByDays":90,"requestIdentifier":"r"}"#, 4_000_010),
        (#"{"extendByDays":90,"extendReasonCode":0,"requestIdentifier":""}"#, 4_000_011),
        (#"{"extendByDays":90,"extendReasonCode":0}"#, 4_000_011), ("", 4_000_000), ("[1]", 4_000_000),
    ]

    @Test("a bad member of an extension has Apple's code", arguments: mistakes)
    func refusesBodies(body: String, code: Int) throws {
        let scene = try ServerAPIScene()
        let id = try subscriber(scene)
        try scene.refuses(code, "PUT", "/inApps/v1/subscriptions/extend/\(id)", body)
        try scene.refuses(code, "POST", Self.mass, body)
    }

    // MARK: - Many

    private static let mass = "/inApps/v1/subscriptions/extend/mass"
    private static let request = "c5e0b6f6-9b3f-4f3e-9a53-6d40a4b6f111"

    private static func massBody(_ more: String = "", product: String = Garden.premium) -> String {
        #"{"extendByDays":7,"extendReasonCode":3,"requestIdentifier":"\#(request)","productId":"\#(product)"\#(more)}"#
    }

    @Test func `all active subscribers are extended once, and the status has the numbers`() throws {
        let scene = try ServerAPIScene()
        _ = try subscriber(scene, "anna")
        let ben = try subscriber(scene, "ben")
        for _ in 0..<2 { try scene.succeed("PUT", "/inApps/v1/subscriptions/extend/\(ben)", Self.body) }
        for _ in 0..<2 {
            try scene.succeed("POST", Self.mass, Self.massBody())
                .expect(["requestIdentifier": .text(Self.request)])
        }
        let status = try scene.get("\(Self.mass)/\(Garden.premium)/\(Self.request)")
        #expect(status["complete"] as? Bool == true)
        status.expect([
            "requestIdentifier": .text(Self.request), "succeededCount": 1, "failedCount": 1,
            "completeDate": .number(Int(ServerAPIScene.start.timeIntervalSince1970 * 1000)),
        ])
        let names = scene.store.takeNotifications().map(\.name).filter { $0.hasPrefix("RENEWAL_EXTENSION") }
        #expect(names == ["RENEWAL_EXTENSION/FAILURE", "RENEWAL_EXTENSION/SUMMARY"])
    }

    @Test func `storefronts restrict a mass extension`() throws {
        let scene = try ServerAPIScene()
        _ = try subscriber(scene)
        try scene.succeed("POST", Self.mass, Self.massBody(#","storefrontCountryCodes":["DEU","FRA"]"#))
        try scene.get("\(Self.mass)/\(Garden.premium)/\(Self.request)").expect(["succeededCount": 0])
    }

    private static let massMistakes: [(String, Int)] = [
        (massBody(#","storefrontCountryCodes":[]"#), 4_000_027),
        (massBody(#","storefrontCountryCodes":["de"]"#), 4_000_028),
        // Apple's page "storefrontCountryCodes": codes of countries and regions that the App Store has.
        (massBody(#","storefrontCountryCodes":["USA","XYZ"]"#), 4_000_028),
        (massBody(#","storefrontCountryCodes":"USA""#), 4_000_028),
        (massBody(product: "none"), 4_000_023),
        (massBody(product: "com.example.garden.seeds"), 4_000_023),
        (massBody().replacing(request, with: "request"), 4_000_011),
    ]

    @Test("a bad mass extension has Apple's code", arguments: massMistakes)
    func refusesMassExtensions(body: String, code: Int) throws {
        try ServerAPIScene().refuses(code, "POST", Self.mass, body)
    }

    @Test func `the status of an unknown mass extension is refused`() throws {
        let scene = try ServerAPIScene()
        try scene.refuses(4_040_009, "GET", "\(Self.mass)/\(Garden.premium)/\(Self.request)")
        try scene.refuses(4_000_011, "GET", "\(Self.mass)/\(Garden.premium)/request")
        try scene.refuses(4_000_023, "GET", "\(Self.mass)/none/\(Self.request)")
    }
}
