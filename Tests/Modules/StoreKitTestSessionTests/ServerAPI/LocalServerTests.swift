import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Rate limits, and the paths by which a developer lets customers act.
@Suite struct LocalServerTests {
    private func statuses(
        _ environment: AppStore.Environment, _ method: String, _ path: String, count: Int,
        limits: Bool = true, milliseconds: Int = 0
    ) throws -> [Int] {
        var options = TestAppStoreAPI.Options()
        options.limitsRates = limits
        let scene = try ServerAPIScene(environment: environment, options: options)
        return try (0..<count).map { number in
            let time = ServerAPIScene.start.addingTimeInterval(Double(number * milliseconds) / 1000)
            return try scene.send(method, path, at: time).status
        }
    }

    @Test func `more requests a second than allowed are refused, fewer in the Sandbox`() throws {
        let path = "/inApps/v1/transactions/1"
        let found = { (count: Int) in [Int](repeating: 404, count: count) }
        #expect(try statuses(.production, "GET", path, count: 51) == found(50) + [429])
        #expect(try statuses(.sandbox, "GET", path, count: 7) == found(5) + [429, 429])
        #expect(try statuses(.sandbox, "GET", path, count: 20, limits: false) == found(20))
        #expect(try statuses(.sandbox, "GET", path, count: 7, milliseconds: 200) == found(7))
        #expect(try statuses(.sandbox, "POST", "/inApps/v1/notifications/test", count: 2) == [404, 429])
    }

    @Test func `a request that was too many may come again in the next second`() throws {
        var options = TestAppStoreAPI.Options()
        options.limitsRates = true
        let scene = try ServerAPIScene(options: options)
        let time = ServerAPIScene.start.addingTimeInterval(0.4)
        _ = try scene.send("POST", "/inApps/v1/notifications/test", at: time)
        let refused = try scene.send("POST", "/inApps/v1/notifications/test", at: time)
        #expect(try scene.errorCode(of: refused) == 4_290_000)
        #expect(refused.headers.contains(.init("Retry-After", "1767225601000")))
        // Other endpoints have counts of their own.
        try scene.refuses(4_040_010, "GET", "/inApps/v1/transactions/1")
    }

    // MARK: - Events

    private func post(_ scene: ServerAPIScene, _ lines: String) throws -> (status: Int, [String: Any]) {
        let response = scene.local("/test/events", lines)
        return (response.status, try scene.object(response))
    }

    @Test func `events need no token and name what is new, and customers stay known`() throws {
        let scene = try ServerAPIScene()
        let first = try post(scene, "anna: buy $consumable\n# a remark\n\nben: buy $consumable").1
        let bought = try first.list("transactions")
        #expect(bought.map { $0["customer"] as? String } == ["anna", "ben"])
        #expect(first["notifications"] as? [String] == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
        let second = try post(scene, "anna: refund\r\n").1
        #expect((second["transactions"] as? [Any])?.isEmpty == true)
        #expect(second["notifications"] as? [String] == ["REFUND"])
        let response = scene.api.respond(
            to: ServerAPIRequest("GET", "/test/transactions"), at: ServerAPIScene.start)
        let list = try scene.object(response).list("transactions")
        #expect(list.map { $0["revocationDate"] != nil } == [true, false])
    }

    @Test func `a time in an event lets the App Store's time leap, at the rate that is set`() throws {
        let scene = try ServerAPIScene()
        let answer = try post(scene, "anna: buy $subscription\n+40d anna: cancel").1
        let end = ServerAPIScene.start.addingTimeInterval(40 * 86_400)
        #expect(scene.store.now == end)
        answer.expect(["now": .number(Int(end.timeIntervalSince1970 * 1000))])
        #expect((answer["transactions"] as? [Any])?.count == 3)
        let names = try #require(answer["notifications"] as? [String])
        #expect(names.last == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED")
        let fast = try ServerAPIScene()
        try fast.events("set rate oneRenewalEveryTwoSeconds", "anna: buy $subscription intro=no")
        #expect(try fast.events("+3p anna: cancel").count == 3)
        #expect(fast.store.now == ServerAPIScene.start.addingTimeInterval(6))
        try fast.events("+30d anna: buy $consumable")
        #expect(fast.store.now == ServerAPIScene.start.addingTimeInterval(8))
    }

    @Test func `an event that the App Store refuses is told, with its line`() throws {
        let scene = try ServerAPIScene()
        let cases = [
            ("buy $consumable\ncancel", "line 2: the customer has no subscription"),
            ("dance", "line 1: there is no action \"dance\""),
        ]
        for (lines, reason) in cases {
            let (status, answer) = try post(scene, lines)
            #expect(status == 400)
            answer.expect(["error": .text(reason)])
        }
        let broken = scene.api.respond(
            to: ServerAPIRequest("POST", "/test/events", body: [0xff]), at: ServerAPIScene.start)
        #expect(broken.status == 400)
    }

    @Test func `a scenario leaves its customers and its notifications behind`() throws {
        let scene = try ServerAPIScene()
        let scenario = try Scenario("+0 anna: buy $consumable\n+1d ben: buy $consumable", name: "two")
        try scene.api.run(scenario)
        #expect(scene.store.takeNotifications().map(\.name) == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
        #expect(try scene.events("anna: refund").isEmpty)
        #expect(scene.store.takeNotifications().map(\.name) == ["REFUND"])
    }
}
