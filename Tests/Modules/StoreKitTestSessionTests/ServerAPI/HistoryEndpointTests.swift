import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// The transaction history and the refund history: pages and filters.
@Suite struct HistoryEndpointTests {
    /// All pages of a history.
    private func pages(_ scene: ServerAPIScene, _ target: String) throws -> [[String]] {
        var pages: [[String]] = []
        var revision = ""
        while true {
            let answer = try scene.get(target + revision)
            pages.append(try scene.identifiers(answer["signedTransactions"]))
            let mark = target.contains("?") ? "&" : "?"
            revision = "\(mark)revision=\(try answer.text("revision"))"
            guard try #require(answer["hasMore"] as? Bool) else { return pages }
        }
    }

    private func bought(_ count: Int, in scene: ServerAPIScene) throws -> [String] {
        var lines: [String] = []
        for number in 0..<count { lines.append("+\(number == 0 ? 0 : 1)m buy $consumable") }
        return try lines.flatMap { try scene.events($0) }.compactMap { $0["transactionId"] as? String }
    }

    @Test(arguments: [1, 19, 20, 21, 45])
    func `pages have 20 transactions and miss none`(count: Int) throws {
        let scene = try ServerAPIScene()
        let all = try bought(count, in: scene)
        let ascending = try pages(scene, "/inApps/v2/history/\(all[0])")
        #expect(ascending.flatMap(\.self) == all)
        #expect(ascending.dropLast().allSatisfy { $0.count == 20 })
        let descending = try pages(scene, "/inApps/v2/history/\(all[0])?sort=DESCENDING")
        #expect(descending.flatMap(\.self) == all.reversed())
    }

    @Test func `a transaction that changes between two pages comes again`() throws {
        let scene = try ServerAPIScene()
        let all = try bought(25, in: scene)
        let first = try scene.get("/inApps/v2/history/\(all[0])")
        try scene.events("+1m refund \(all[0])")
        let revision = try first.text("revision")
        let second = try scene.get("/inApps/v2/history/\(all[0])?revision=\(revision)")
        #expect(try scene.identifiers(second["signedTransactions"]) == all[20...] + [all[0]])
        // What comes later is found with the last revision.
        let last = try second.text("revision")
        #expect(second["hasMore"] as? Bool == false)
        let later = try scene.buy("$consumable", "customer")
        let third = try scene.get("/inApps/v2/history/\(all[0])?revision=\(last)")
        #expect(try scene.identifiers(third["signedTransactions"]) == [later])
    }

    @Test func `an answer names the app, its number in production alone`() throws {
        for (environment, number) in [(AppStore.Environment.sandbox, nil), (.production, 1_234_567_890)] {
            let scene = try ServerAPIScene(environment: environment)
            let answer = try scene.get("/inApps/v2/history/\(try scene.buy("$consumable"))")
            answer.expect([
                "environment": .text(environment.rawValue), "bundleId": "com.example.garden",
                "appAppleId": number.map { MemberValue.number($0) },
            ])
        }
    }

    @Test func `filters restrict each other, and their values add up`() throws {
        let scene = try ServerAPIScene()
        let seeds = try scene.buy("$consumable")
        let house = try scene.buy("$non-consumable")
        let plus = try scene.buy("$subscription")
        let season = try scene.buy("$non-renewing")
        try scene.events("+1h anna: refund \(house)", "+1h ben: buy $consumable")
        let family = try scene.event("+1h ben: buy $shareable-product", "+1h ben: share with=anna").text(
            "transactionId")
        let milliseconds = Int(ServerAPIScene.start.timeIntervalSince1970 * 1000)
        let cases: [(query: String, expected: [String])] = [
            ("", [seeds, plus, season, house, family]), ("productType=CONSUMABLE", [seeds]),
            ("productType=CONSUMABLE&productType=AUTO_RENEWABLE", [seeds, plus]),
            ("productType=NON_RENEWABLE", [season]), ("productType=NON_CONSUMABLE", [house, family]),
            ("productId=com.example.garden.seeds&productId=com.example.garden.season", [seeds, season]),
            ("productId=com.example.none", []), ("subscriptionGroupIdentifier=5AD00010", [plus]),
            ("productType=CONSUMABLE&subscriptionGroupIdentifier=5AD00010", []),
            ("revoked=true", [house]), ("revoked=True", [house]),
            ("revoked=false", [seeds, plus, season, family]),
            ("excludeRevoked=true", [seeds, plus, season, family]),
            ("inAppOwnershipType=FAMILY_SHARED", [family]),
            ("inAppOwnershipType=PURCHASED", [seeds, plus, season, house]),
            ("startDate=\(milliseconds + 1)", [family]),
            ("startDate=\(milliseconds)&endDate=\(milliseconds + 1)", [seeds, plus, season, house]),
            ("endDate=\(milliseconds)", []), ("startDate=5&endDate=3", []),
            ("unknown=1", [seeds, plus, season, house, family]),
        ]
        for (query, expected) in cases {
            let answer = try scene.get("/inApps/v2/history/\(plus)?\(query)")
            #expect(try scene.identifiers(answer["signedTransactions"]) == expected, "\(query)")
        }
    }

    @Test func `a history without transactions has revision 0, good for the next request`() throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable")
        let empty = try scene.get("/inApps/v2/history/\(id)?productId=none")
        empty.expect(["revision": "0"])
        #expect(empty["hasMore"] as? Bool == false)
        let again = try scene.get("/inApps/v2/history/\(id)?revision=0")
        #expect(try scene.identifiers(again["signedTransactions"]) == [id])
    }

    private static let mistakes: [(String, Int)] = [
        ("startDate=yesterday", 4_000_015), ("startDate=-1", 4_000_015), ("endDate=1.5", 4_000_016),
        ("productId=", 4_000_023), ("productType=consumable", 4_000_022), ("productType=", 4_000_022),
        ("sort=ascending", 4_000_021), ("revoked=1", 4_000_030), ("excludeRevoked=no", 4_000_025),
        ("inAppOwnershipType=FAMILY", 4_000_026), ("subscriptionGroupIdentifier=", 4_000_024),
        ("revision=nonsense", 4_000_005), ("revision=", 4_000_005), ("revision=1_1", 4_000_005),
        ("revision=1_2_3", 4_000_005), ("revision=x_2000000000000001", 4_000_005),
    ]

    @Test("a bad parameter has Apple's code", arguments: mistakes)
    func refusesParameters(query: String, code: Int) throws {
        let scene = try ServerAPIScene()
        let id = try scene.buy("$consumable")
        try scene.refuses(code, "GET", "/inApps/v2/history/\(id)?\(query)")
        try scene.refuses(code, "GET", "/inApps/v1/history/\(id)?\(query)")
        if code == 4_000_005 {
            try scene.refuses(code, "GET", "/inApps/v2/refund/lookup/\(id)?\(query)")
        }
    }

    // MARK: - Refunds

    @Test func `refunds are in the order of their dates, without what the family has lost`() throws {
        let scene = try ServerAPIScene()
        let first = try scene.buy("$consumable")
        let second = try scene.buy("$shareable-product")
        try scene.events("anna: share \(second) with=ben")
        #expect(try pages(scene, "/inApps/v2/refund/lookup/\(first)") == [[]])
        try scene.events("+1h anna: refund \(second)", "+2h anna: refund \(first) percent=50")
        #expect(try pages(scene, "/inApps/v2/refund/lookup/\(first)") == [[second, first]])
        let former = try scene.get("/inApps/v1/refund/lookup/\(second)")
        #expect(try scene.identifiers(former["signedTransactions"]) == [second, first])
        former.expect(["revision": nil])
    }

    @Test func `refunds have pages too`() throws {
        let scene = try ServerAPIScene()
        let all = try bought(22, in: scene)
        for id in all { try scene.events("refund \(id)") }
        let pages = try pages(scene, "/inApps/v2/refund/lookup/\(all[0])")
        #expect(pages.map(\.count) == [20, 2])
        #expect(pages.flatMap(\.self) == all)
    }
}
