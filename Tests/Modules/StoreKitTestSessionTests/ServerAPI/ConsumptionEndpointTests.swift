import StoreKitTestSession
import TestServerAPI
import Testing

/// What an app tells of the use of a purchase, in both versions.
@Suite struct ConsumptionEndpointTests {
    private static func path(_ id: String, version: Int = 2) -> String {
        "/inApps/v\(version)/transactions/consumption/\(id)"
    }

    private static func body(_ changes: [String: String?], _ members: [String: String]) -> String {
        let all = changes.reduce(into: members) { $0[$1.key] = $1.value }
        return "{" + all.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private static let good = [
        "customerConsented": "true", "sampleContentProvided": "false", "deliveryStatus": "\"DELIVERED\"",
    ]

    @Test(
        "information that Apple accepts is kept, with status 202",
        arguments: [
            [:], ["refundPreference": "\"DECLINE\"", "consumptionPercentage": "0"],
            ["refundPreference": "\"GRANT_PRORATED\"", "consumptionPercentage": "99999"],
            ["deliveryStatus": "\"UNDELIVERED_OTHER\"", "consumptionPercentage": "0"],
            ["consumptionPercentage": "null", "refundPreference": "null"],
        ])
    func accepts(_ changes: [String: String]) throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable")
        let body = Self.body(changes, Self.good)
        let number = try #require(UInt64(id))
        #expect(scene.api.consumptionInformation(ofTransaction: number) == nil)
        try scene.succeed("PUT", Self.path(id), body, status: 202)
        #expect(scene.api.consumptionInformation(ofTransaction: number) == Array(body.utf8))
    }

    private static let mistakes: [([String: String?], Int)] = [
        (["customerConsented": "false"], 4_000_035), (["customerConsented": nil], 4_000_035),
        (["sampleContentProvided": nil], 4_000_041), (["sampleContentProvided": "1"], 4_000_041),
        (["deliveryStatus": "\"LOST\""], 4_000_036), (["deliveryStatus": "0"], 4_000_036),
        (["refundPreference": "\"MAYBE\""], 4_000_044), (["refundPreference": "1"], 4_000_044),
        (["consumptionPercentage": "-1"], 4_000_000), (["consumptionPercentage": "100001"], 4_000_000),
        (["deliveryStatus": "\"UNDELIVERED_OTHER\"", "consumptionPercentage": "1"], 4_000_000),
        (["refundPreference": "\"GRANT_PRORATED\"", "consumptionPercentage": "100000"], 4_000_000),
    ]

    @Test("a bad member has Apple's code", arguments: mistakes)
    func refuses(_ changes: [String: String?], code: Int) throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable")
        try scene.refuses(code, "PUT", Self.path(id), Self.body(changes, Self.good))
        let number = try #require(UInt64(id))
        #expect(scene.api.consumptionInformation(ofTransaction: number) == nil)
    }

    @Test func `subscriptions have no percentage, and the family's purchases no information`() throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$shareable")
        let body = Self.body(["consumptionPercentage": "5"], Self.good)
        try scene.refuses(4_000_209, "PUT", Self.path(id), body)
        let member = try scene.event("anna: share with=ben").text("transactionId")
        try scene.refuses(4_000_185, "PUT", Self.path(member), Self.body([:], Self.good))
        try scene.succeed("PUT", Self.path(id), Self.body([:], Self.good), status: 202)
    }

    @Test(arguments: [1, 2])
    func `a body that is no JSON object is refused without a code`(version: Int) throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable")
        for body in ["", "[]", "{", #"{"a":1,"a":2}"#] {
            let response = try scene.send("PUT", Self.path(id, version: version), body)
            #expect(response.status == 400)
            #expect(response.body.isEmpty)
        }
    }

    // MARK: - The first version

    private static let former = [
        "customerConsented": "true", "sampleContentProvided": "false", "consumptionStatus": "1",
        "platform": "1", "deliveryStatus": "0", "accountTenure": "7", "playTime": "0",
        "lifetimeDollarsRefunded": "0", "lifetimeDollarsPurchased": "7", "userStatus": "4",
        "appAccountToken": "\"\"",
    ]

    @Test func `the first version takes consumables and subscriptions`() throws {
        let scene = try ServerAPIScene()
        for product in ["$consumable", "$subscription"] {
            let path = Self.path(try scene.buy(product), version: 1)
            try scene.succeed("PUT", path, Self.body([:], Self.former), status: 202)
            let more = [
                "refundPreference": "3", "appAccountToken": "\"5c1b0c63-7a3c-4a3b-8a53-1f9be2f0a111\"",
            ]
            try scene.succeed("PUT", path, Self.body(more, Self.former), status: 202)
        }
        for product in ["$non-consumable", "$non-renewing"] {
            let path = Self.path(try scene.buy(product), version: 1)
            try scene.refuses(4_000_047, "PUT", path, Self.body([:], Self.former))
        }
    }

    private static let formerMistakes: [(String, String, Int)] = [
        ("customerConsented", "false", 4_000_035), ("sampleContentProvided", "1", 4_000_041),
        ("consumptionStatus", "4", 4_000_034), ("platform", "3", 4_000_039),
        ("deliveryStatus", "6", 4_000_036), ("accountTenure", "8", 4_000_032),
        ("playTime", "-1", 4_000_040), ("lifetimeDollarsRefunded", "8", 4_000_038),
        ("lifetimeDollarsPurchased", "\"0\"", 4_000_037), ("userStatus", "5", 4_000_042),
        ("refundPreference", "4", 4_000_044), ("appAccountToken", "\"anna\"", 4_000_033),
    ]

    @Test("a bad member of the first version has Apple's code", arguments: formerMistakes)
    func refusesFormer(name: String, value: String, code: Int) throws {
        let scene = try ServerAPIScene()
        let path = Self.path(try scene.buy("$consumable"), version: 1)
        try scene.refuses(code, "PUT", path, Self.body([name: value], Self.former))
        guard name != "refundPreference" else { return }
        try scene.refuses(code, "PUT", path, Self.body([name: nil], Self.former))
    }
}
