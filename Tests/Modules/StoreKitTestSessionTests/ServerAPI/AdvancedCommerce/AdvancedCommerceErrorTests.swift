import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// The errors of the Advanced Commerce API that a request alone settles.
///
/// Apple's page: [Error codes](https://developer.apple.com/documentation/advancedcommerceapi/error-codes).
@Suite struct AdvancedCommerceErrorTests {
    private typealias Scene = AdvancedCommerceScene

    private static func long(_ count: Int) -> String { #""\#(String(repeating: "x", count: count))""# }

    /// An endpoint, a member by its path, its value in JSON, and the code of the error. `null` leaves the member out.
    private static let mistakes: [(String, String, String, Int)] = [
        ("cancel", "requestInfo", "null", 4_000_079),
        ("cancel", "requestInfo", "1", 4_000_079),
        ("cancel", "requestInfo.requestReferenceId", "null", 4_000_080),
        ("cancel", "requestInfo.requestReferenceId", #""1""#, 4_000_081),
        ("cancel", "requestInfo.appAccountToken", #""1""#, 4_000_033),
        ("cancel", "requestInfo.consistencyToken", #""made up""#, 4_000_082),
        ("cancel", "storefront", #""usa""#, 4_000_028),
        ("cancel", "storefront", "1", 4_000_028),
        ("cancel", "storefront", #""DEU""#, 4_000_133),
        ("changeMetadata", "items", "null", 4_000_165),
        ("changeMetadata", "items", "[]", 4_000_160),
        ("changeMetadata", "items", "{}", 4_000_173),
        ("changeMetadata", "items.0.currentSKU", "null", 4_000_169),
        ("changeMetadata", "items.0.currentSKU", long(129), 4_000_170),
        ("changeMetadata", "items.0.currentSKU", #""""#, 4_000_122),
        ("changeMetadata", "items.0.SKU", long(129), 4_000_087),
        ("changeMetadata", "items.0.SKU", "1", 4_000_122),
        ("changeMetadata", "items.0.effective", "null", 4_000_111),
        ("changeMetadata", "items.0.effective", #""TODAY""#, 4_000_173),
        ("changeMetadata", "items.0.displayName", long(31), 4_000_089),
        ("changeMetadata", "items.0.displayName", #""""#, 4_000_118),
        ("changeMetadata", "items.0.description", long(46), 4_000_088),
        ("changeMetadata", "items.0.description", "[]", 4_000_119),
        ("changeMetadata", "descriptors", #"{"effective":"IMMEDIATELY"}"#, 4_000_165),
        ("changeMetadata", "descriptors", #"{"displayName":"A"}"#, 4_000_111),
        ("changeMetadata", "taxCode", #""C003""#, 4_000_127),
        ("changePrice", "items", "null", 4_000_101),
        ("changePrice", "items", "[]", 4_000_160),
        ("changePrice", "items.0.SKU", "null", 4_000_105),
        ("changePrice", "items.0.SKU", #""tree""#, 4_000_220),
        ("changePrice", "items.0.price", "null", 4_000_109),
        ("changePrice", "items.0.price", "-10", 4_000_086),
        ("changePrice", "items.0.price", "1095", 4_000_132),
        ("changePrice", "items.0.price", "1.5", 4_000_132),
        ("changePrice", "items.0.price", "9999999999999990", 4_000_132),
        ("changePrice", "items.0.dependentSKUs", "1", 4_000_173),
        ("changePrice", "items.0.dependentSKUs", "[1]", 4_000_173),
        ("changePrice", "currency", #""XXX""#, 4_000_053),
        ("migrate", "targetProductId", "null", 4_000_166),
        ("migrate", "targetProductId", #""""#, 4_000_167),
        ("migrate", "taxCode", "null", 4_000_099),
        ("migrate", "taxCode", #""c003-00-2""#, 4_000_127),
        ("migrate", "descriptors", "null", 4_000_103),
        ("migrate", "descriptors.displayName", "null", 4_000_106),
        ("migrate", "descriptors.description", "null", 4_000_107),
        ("migrate", "items", "null", 4_000_101),
        ("migrate", "items", "[]", 4_000_160),
        ("migrate", "items.0.SKU", "null", 4_000_105),
        ("migrate", "items.0.displayName", "null", 4_000_106),
        ("migrate", "items.0.description", "null", 4_000_107),
        ("revoke", "refundReason", "null", 4_000_156),
        ("revoke", "refundReason", #""BORED""#, 4_000_124),
        ("revoke", "refundType", "null", 4_000_157),
        ("revoke", "refundType", #""CUSTOM""#, 4_000_123),
        ("revoke", "refundRiskingPreference", "null", 4_000_159),
        ("requestRefund", "items", "null", 4_000_101),
        ("requestRefund", "items.0.SKU", #""tree""#, 4_000_121),
        ("requestRefund", "items.0.refundReason", "null", 4_000_156),
        ("requestRefund", "items.0.refundReason", "1", 4_000_124),
        ("requestRefund", "items.0.refundType", "null", 4_000_157),
        ("requestRefund", "items.0.refundType", #""HALF""#, 4_000_123),
        ("requestRefund", "items.0.refundAmount", "100", 4_000_155),
        ("requestRefund", "items.0.revoke", "null", 4_000_173),
        ("requestRefund", "refundRiskingPreference", #""no""#, 4_000_159),
    ]

    /// Sets a member at a path.
    private static func set(_ value: Any, at path: ArraySlice<Substring>, in object: Any) -> Any {
        guard let name = path.first else { return value }
        if var list = object as? [Any], let index = Int(name) {
            list[index] = set(value, at: path.dropFirst(), in: list[index])
            return list
        }
        var members = object as? [String: Any] ?? [:]
        members[String(name)] = set(value, at: path.dropFirst(), in: members[String(name)] ?? NSNull())
        return members
    }

    @Test(arguments: mistakes)
    func `each mistake has its code, and changes nothing`(
        _ endpoint: String, _ path: String, _ value: String, _ code: Int
    ) throws {
        let scene = try Scene(items: endpoint == "migrate" ? [] : ["plant"])
        _ = scene.scene.store.takeNotifications()
        let new = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
        let body = Self.set(new, at: path.split(separator: ".")[...], in: try Scene.good(endpoint))
        try scene.refuses(code, endpoint, try #require(body as? [String: Any]))
        scene.expect([])
        try scene.succeed(endpoint, Scene.good(endpoint))
    }

    @Test(arguments: ["cancel", "changeMetadata", "changePrice", "migrate", "revoke", "requestRefund"])
    func `what is no managed subscription has a code`(_ endpoint: String) throws {
        let scene = try Scene(items: [])
        var cases = [("x", 4_000_006), ("1", 4_040_010)]
        cases.append((try scene.scene.buy("$consumable", "ben"), 4_030_008))
        if endpoint != "migrate" { cases.append((scene.id, 4_030_010)) }
        let shared = try scene.scene.event("anna: share with=dora")
        cases.append((try shared.text("transactionId"), 4_030_013))
        for (id, code) in cases { try scene.refuses(code, endpoint, Scene.good(endpoint), id: id) }
        let folder = endpoint == "requestRefund" ? "transaction" : "subscription"
        let path = "/advancedCommerce/v1/\(folder)/\(endpoint)/\(scene.id)"
        try scene.scene.refuses(4_000_173, "POST", path, "[")
    }

    @Test(arguments: ["changeMetadata", "revoke", "requestRefund"])
    func `a request that succeeded cannot come again`(_ endpoint: String) throws {
        let scene = try Scene()
        let body = try Scene.good(endpoint)
        try scene.succeed(endpoint, body)
        try scene.refuses(4_000_097, endpoint, body)
    }

    @Test func `a token of the renewal information, and one of the app's account, are taken`() throws {
        let scene = try Scene()
        let answer = try scene.scene.get("/inApps/v1/subscriptions/\(scene.id)")
        let group = try #require((answer["data"] as? [[String: Any]])?.first)
        let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
        let renewal = try StoreKitVerifier(scene.scene.store.verifier)
            .renewalInfo(#require(last["signedRenewalInfo"] as? String)).payloadValue
        let account = UUID()
        var body = try Scene.good("changeMetadata")
        body["requestInfo"] = [
            "requestReferenceId": UUID().uuidString, "appAccountToken": account.uuidString,
            "consistencyToken": try #require(renewal.advancedCommerceInfo?.consistencyToken),
        ]
        #expect(try scene.succeed("changeMetadata", body).renewal.appAccountToken == account)
        body["requestInfo"] = ["requestReferenceId": UUID().uuidString, "appAccountToken": ""]
        #expect(try scene.succeed("changeMetadata", body).renewal.appAccountToken == account)
    }

    @Test func `an increase that was announced prevents a migration, and India every increase`() throws {
        let raised = try Scene(items: [])
        try raised.scene.events("anna: raise-price 99.99")
        try raised.refuses(4_030_027, "migrate", Scene.good("migrate"))
        let india = try ServerAPIScene()
        try india.events("set storefront IND")
        let id = try india.buy(Garden.premium)
        try india.events("anna: migrate")
        let info = #""requestInfo":{"requestReferenceId":"\#(UUID())"}"#
        let body = #"{\#(info),"items":[{"SKU":"\#(Garden.premium)","price":9999990}]}"#
        try india.refuses(4_000_221, "POST", "/advancedCommerce/v1/subscription/changePrice/\(id)", body)
    }

    @Test func `any code of the table can be asked for, once`() throws {
        let scene = try Scene()
        let path = "/inApps/v1/transactions/\(scene.id)"
        for code in [4_000_179, 4_030_020, 4_030_025, 4_000_193, 5_000_001, 4_009_903, 4_290_000] {
            #expect(scene.scene.local("/test/errors", "\(code)").status == 200)
            try scene.scene.refuses(code, "GET", path)
            #expect(try scene.scene.send("GET", path).status == 200)
        }
        for wrong in ["", "4000999", "x"] {
            #expect(scene.scene.local("/test/errors", wrong).status == 400)
        }
    }
}
