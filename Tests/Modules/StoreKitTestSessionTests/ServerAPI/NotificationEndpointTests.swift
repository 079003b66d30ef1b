import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// The notification history and test notifications.
@Suite struct NotificationEndpointTests {
    private static let path = "/inApps/v1/notifications"
    private static let start = Int(ServerAPIScene.start.timeIntervalSince1970 * 1000)
    private static let whole = #""startDate":\#(start),"endDate":\#(start + 1_000_000_000)"#

    private func history(
        _ scene: ServerAPIScene, _ more: String = "", token: String = ""
    ) throws -> [String: Any] {
        try scene.succeed("POST", "\(Self.path)/history\(token)", "{\(Self.whole)\(more)}")
    }

    private func names(_ answer: [String: Any], _ scene: ServerAPIScene) throws -> [String] {
        try answer.list("notificationHistory").map { item in
            let token = try item.text("signedPayload")
            let notification = try StoreKitVerifier(scene.store.verifier).notification(token).payloadValue
            return [notification.notificationType.rawValue, notification.subtype?.rawValue].compactMap(\.self)
                .joined(separator: "/")
        }
    }

    private func scene(_ environment: AppStore.Environment = .sandbox) throws -> ServerAPIScene {
        var options = TestAppStoreAPI.Options()
        options.hasNotificationURL = true
        return try ServerAPIScene(environment: environment, options: options)
    }

    @Test func `the history has all notifications, also after they were taken`() throws {
        let scene = try scene()
        let id = try scene.buy("$subscription")
        #expect(scene.store.takeNotifications().map(\.name) == ["SUBSCRIBED/INITIAL_BUY"])
        try scene.events("ben: buy $consumable", "anna: cancel", "anna: refund")
        let all = [
            "SUBSCRIBED/INITIAL_BUY", "ONE_TIME_CHARGE", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            "REFUND",
        ]
        #expect(try names(history(scene), scene) == all)
        let cases = [
            (#","notificationType":"REFUND""#, ["REFUND"]), (#","notificationType":"TEST""#, []),
            (#","notificationType":"SUBSCRIBED","notificationSubtype":"INITIAL_BUY""#, [all[0]]),
            (#","notificationType":"SUBSCRIBED","notificationSubtype":"RESUBSCRIBE""#, []),
            (#","transactionId":"\#(id)""#, [all[0], all[2], all[3]]), (#","onlyFailures":false"#, all),
            (#","notificationType":null,"transactionId":null"#, all),
        ]
        for (more, expected) in cases {
            #expect(try names(history(scene, more), scene) == expected, "\(more)")
        }
    }

    @Test func `attempts are told, and a notification that arrived is no failure`() throws {
        let scene = try scene()
        _ = try scene.buy("$consumable")
        _ = try scene.buy("$consumable")
        let sent = scene.store.takeNotifications()
        for result in [NotificationAttempt.Result.timedOut, .success] {
            scene.api.record(.init(at: ServerAPIScene.start, result), of: sent[0].uuid)
        }
        scene.api.record(.init(at: ServerAPIScene.start, .tlsIssue), of: sent[1].uuid)
        scene.api.record(.init(at: ServerAPIScene.start, .success), of: UUID())
        let items = try history(scene).list("notificationHistory")
        let results = items.map { item in
            (item["sendAttempts"] as? [[String: Any]])?.map { $0["sendAttemptResult"] as? String }
        }
        #expect(results == [["TIMED_OUT", "SUCCESS"], ["TLS_ISSUE"]])
        #expect(items.map { $0["firstSendAttemptResult"] as? String } == ["TIMED_OUT", "TLS_ISSUE"])
        let first = (items[0]["sendAttempts"] as? [[String: Any]])?.first
        #expect(first?["attemptDate"] as? Int == Self.start)
        let failures = try #require(
            try history(scene, #","onlyFailures":true"#)["notificationHistory"] as? [[String: Any]])
        #expect(failures.map { $0["signedPayload"] as? String } == [sent[1].signedPayload])
    }

    @Test func `pages have 20 notifications, and their tokens are bound to the request`() throws {
        let scene = try scene()
        for _ in 0..<41 { _ = try scene.buy("$consumable") }
        var counts: [Int] = []
        var token = ""
        while true {
            let page = try history(scene, token: token)
            counts.append(try names(page, scene).count)
            guard page["hasMore"] as? Bool == true else {
                #expect(page["paginationToken"] == nil)
                break
            }
            token = "?paginationToken=\(try page.text("paginationToken"))"
        }
        #expect(counts == [20, 20, 1])
        let body = #"{\#(Self.whole),"onlyFailures":true}"#
        try scene.refuses(4_000_014, "POST", "\(Self.path)/history\(token)", body)
        for wrong in ["", "x", "1-1", "-", "zzzzzzzzzzzzzzzzz-1"] {
            let target = "\(Self.path)/history?paginationToken=\(wrong)"
            try scene.refuses(4_000_014, "POST", target, "{\(Self.whole)}")
        }
    }

    private static let mistakes: [(String, Int)] = [
        (#""startDate":\#(start)"#, 4_000_016), (#""endDate":\#(start)"#, 4_000_015),
        (#""startDate":"1","endDate":2"#, 4_000_015), (#""startDate":1,"endDate":-2"#, 4_000_016),
        (#""startDate":\#(start),"endDate":\#(start)"#, 4_000_013),
        (#""startDate":\#(start),"endDate":\#(start - 1)"#, 4_000_013),
        (#""startDate":\#(start - 180 * 86_400_000 - 1),"endDate":\#(start)"#, 4_000_012),
        (whole + #","notificationType":"SOLD""#, 4_000_018),
        (whole + #","notificationType":1"#, 4_000_018),
        (whole + #","notificationSubtype":"UPGRADE""#, 4_000_018),
        (whole + #","notificationType":"REFUND","notificationSubtype":"UPGRADE""#, 4_000_018),
        (whole + #","notificationType":"REFUND","transactionId":"1""#, 4_000_019),
        (whole + #","transactionId":"1""#, 4_040_010), (whole + #","transactionId":"x""#, 4_000_006),
        (whole + #","transactionId":1"#, 4_000_006), (whole + #","onlyFailures":1"#, 4_000_000),
    ]

    @Test("a bad member has Apple's code", arguments: mistakes)
    func refusesMembers(members: String, code: Int) throws {
        try scene().refuses(code, "POST", "\(Self.path)/history", "{\(members)}")
    }

    // Apple's page "Get Notification History": 180 days, and 30 in the Sandbox.
    @Test(
        "the first day of the history is still known, and the one before is not",
        arguments: [(AppStore.Environment.production, 180), (.sandbox, 30)])
    func beginsHistory(environment: AppStore.Environment, days: Int) throws {
        let first = Self.start - days * 86_400_000
        let scene = try scene(environment)
        try scene.succeed(
            "POST", "\(Self.path)/history", #"{"startDate":\#(first),"endDate":\#(Self.start)}"#)
        let before = #"{"startDate":\#(first - 1),"endDate":\#(Self.start)}"#
        try scene.refuses(4_000_012, "POST", "\(Self.path)/history", before)
    }

    // MARK: - Test notifications

    @Test func `a test notification has a status when it was sent, for six months`() throws {
        let scene = try scene()
        let answer = try scene.succeed("POST", "\(Self.path)/test")
        let token = try answer.text("testNotificationToken")
        let status = "\(Self.path)/test/\(token)"
        try scene.refuses(4_040_008, "GET", status)
        let sent = scene.store.takeNotifications()
        #expect(sent.map(\.name) == ["TEST"])
        scene.api.record(.init(at: scene.store.now, .success), of: sent[0].uuid)
        let found = try scene.get(status)
        #expect(found["signedPayload"] as? String == sent[0].signedPayload)
        #expect((found["sendAttempts"] as? [[String: Any]])?.count == 1)
        try scene.store.advance(to: ServerAPIScene.start.addingTimeInterval(184 * 86_400))
        try scene.refuses(4_040_008, "GET", status)
    }

    @Test func `a test notification of production names the app's number`() throws {
        for (environment, number) in [(AppStore.Environment.sandbox, nil), (.production, 1_234_567_890)] {
            let scene = try scene(environment)
            try scene.succeed("POST", "\(Self.path)/test")
            let token = try #require(scene.store.takeNotifications().first?.signedPayload)
            let notification = try StoreKitVerifier(scene.store.verifier).notification(token).payloadValue
            #expect(notification.data?.appAppleID.map { Int($0) } == number)
        }
    }

    @Test func `test notifications need an address, and their status a token`() throws {
        let scene = try ServerAPIScene()
        try scene.refuses(4_040_007, "POST", "\(Self.path)/test")
        try scene.refuses(4_000_020, "GET", "\(Self.path)/test/one")
        // Apple's tokens have a time behind the identifier (page "Get Test Notification Status").
        let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301_1767225600000"
        try scene.refuses(4_040_008, "GET", "\(Self.path)/test/\(token)")
        let unknown = "c5e0b6f6-9b3f-4f3e-9a53-6d40a4b6f111"
        try scene.refuses(4_040_008, "GET", "\(Self.path)/test/\(unknown)")
    }
}
