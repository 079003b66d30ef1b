#if Service
    import DatabaseFolders
    import Foundation
    import GRDB
    import HTTPTypes
    import StoreKitFixtures
    import Testing
    import VerificationService
    import WireFormats

    /// Notifications on their way into a database file, and their deliveries.
    @Suite struct NotificationTests {
        private let folder: DatabaseFolder
        private let identifiers = (0..<3).map { _ in UUID() }

        init() throws { folder = try DatabaseFolder() }

        private func service(_ addresses: [String] = []) throws -> TestedService {
            TestedService([try Apps.garden(in: folder, forwardingTo: addresses)])
        }

        private func body(_ place: Int) throws -> String {
            try Sent.notification(identifiers[place], about: Sent.subscription(place + 1))
        }

        @Test func `a notification is kept once, and accepted each time`() async throws {
            try await service().asked { client in
                for isNew in ["true", "false"] {
                    let given = try await client.post("/v1/notifications", body(0))
                    #expect(given.status == .ok)
                    let uuid = identifiers[0].uuidString.lowercased()
                    #expect(given.text == #"{"notificationUUID":"\#(uuid)","isNew":\#(isNew)}"# + "\n")
                }
                let listed = try await client.get("/v1/notifications").object()["notifications"]?.elements
                #expect(listed?.count == 1)
                #expect(listed?.first?["notificationType"]?.stringValue == "DID_RENEW")
                #expect(
                    listed?.first?["customers"]?.texts.contains(Sent.token.uuidString.lowercased()) == true)
                let metrics = try await client.get("/metrics").text
                #expect(
                    metrics.contains(
                        #"storekit_verify_notifications_total{app="garden",outcome="accepted"} 1"#))
                #expect(
                    metrics.contains(
                        #"storekit_verify_notifications_total{app="garden",outcome="duplicate"} 1"#))
            }
            #expect(try folder.count("payload") == 1)
        }

        @Test func `one that is not verified is refused, logged and not kept`() async throws {
            let service = try service()
            let forged = #"{"signedPayload":"\#(try Signed.tampered(#"{"signedDate":1}"#))"}"#
            try await service.asked { client in
                try await client.post("/v1/notifications", forged).problem(.forbidden, "invalidSignature")
                try await client.post("/v1/notifications", "{}").problem(.badRequest, "invalidEncoding")
                try await client.post("/v1/notifications?app=other", body(0)).problem(.badRequest)
                let lines = await service.log
                #expect(lines.filter { $0.contains(#""message":"a notification is refused""#) }.count == 2)
                #expect(lines.contains { $0.contains(#""code":"invalidSignature""#) })
                #expect(lines.contains { $0.contains("a notification came to an address without an app") })
                #expect(lines.allSatisfy { !$0.contains("eyJ") })
                #expect(
                    try await client.get("/metrics").text.contains(
                        #"notifications_total{outcome="misdirected"} 1"#))
                #expect(
                    try await client.get("/v1/notifications").object()["notifications"]?.elements?.isEmpty
                        == true)
            }
        }

        /// The App Store may give up after a status of 4xx, and somebody may still mend the configuration.
        @Test func `one that only the configuration refuses is to come again, unless it is told otherwise`()
            async throws
        {
            let elsewhere = try Sent.notification(
                UUID(), about: Sent.subscription(1), bundleID: "com.example.other")
            let service = try service()
            try await service.asked { client in
                let answer = try await client.post("/v1/notifications", elsewhere)
                #expect(answer.headers[.retryAfter] != nil)
                let sentence = try answer.problem(.serviceUnavailable, "wrongBundleIdentifier")
                #expect(sentence.contains("com.example.other") && sentence.contains("configuration"))
                #expect(await service.log.contains { $0.contains("is of another app, environment or root") })
                #expect(
                    try await client.get("/metrics").text.contains(
                        #"storekit_verify_notifications_total{app="garden",outcome="foreign"} 1"#))
            }
            let strict = TestedService([try Apps.garden(in: folder)]) {
                $0.refusesForeignNotifications = true
            }
            try await strict.asked { client in
                _ = try await client.post("/v1/notifications", elsewhere).problem(
                    .misdirectedRequest, "wrongBundleIdentifier")
            }
            #expect(try folder.count("payload") == 0)
        }

        @Test(
            .enabled(
                if: Self.genuine != nil, "PRIVATE_TEST_DATA names no folder with Apple's payloads"))
        func `a genuine one under another root is to come again, and a forged one is not`() async throws {
            let genuine = try String(contentsOf: try #require(Self.genuine), encoding: .utf8)
            let token = genuine.trimmingCharacters(in: .whitespacesAndNewlines)
            try await service().asked { client in
                let answer = try await client.post("/v1/notifications", #"{"signedPayload":"\#(token)"}"#)
                try answer.problem(.serviceUnavailable, "invalidCertificateChain")
                // The same chain, and another signature.
                let forged = String(token.dropLast(4)) + "AAAA"
                try await client.post("/v1/notifications", #"{"signedPayload":"\#(forged)"}"#).problem(
                    .forbidden, "invalidCertificateChain")
            }
        }

        private static let genuine = ProcessInfo.processInfo.environment["PRIVATE_TEST_DATA"].flatMap {
            let file = URL(filePath: $0).appending(path: "genuine/jws/003-notification-Sandbox.jws")
            return FileManager.default.fileExists(atPath: file.path) ? file : nil
        }

        @Test func `nothing is acknowledged while the database cannot be used`() async throws {
            let service = TestedService([try Apps.garden(in: folder)]) { $0.readinessAge = .zero }
            try await service.asked { client in
                _ = try await client.post("/v1/notifications", body(0)).object()
                _ = try await client.get("/readyz")
                // Another program adds a table: writing goes on, and the next start would refuse the file.
                try folder.inspect { try $0.execute(sql: "CREATE TABLE other (x)") }
                try await client.get("/readyz").problem(.serviceUnavailable)
                for (path, text) in try [
                    ("/v1/notifications", body(1)), ("/v1/purchases", Sent.subscription(5)),
                ] {
                    #expect(
                        try await client.post(path, text).problem(.serviceUnavailable).contains(
                            "its log says how"))
                }
                try await client.send(.delete, "/v1/customers/\(Sent.token)").problem(.serviceUnavailable)
                try folder.inspect { try $0.execute(sql: "DROP TABLE other") }
                _ = try await client.post("/v1/notifications", body(1)).object()
                #expect(
                    try await client.get("/metrics").text.contains(
                        #"storekit_verify_notifications_total{app="garden",outcome="failed"} 1"#))
            }
        }

        @Test func `a kept notification has its body and its deliveries`() async throws {
            try await service(["http://127.0.0.1:9/a"]).asked { client in
                let body = try body(0)
                _ = try await client.post("/v1/notifications", body).object()
                let one = try await client.get("/v1/notifications/\(identifiers[0])").object()
                #expect(one["body"]?.stringValue == body)
                #expect(one["deliveries"]?.elements?.first?["state"]?.stringValue == "waiting")
                try await client.get("/v1/notifications/\(UUID())").problem(.notFound)
                try await client.get("/v1/notifications/x").problem(.badRequest)
                try await client.get("/v1/notifications/%ff").problem(.notFound)
            }
        }

        @Test func `the list is cut into pages, and is filtered`() async throws {
            try await service().asked { client in
                for place in identifiers.indices {
                    _ = try await client.post("/v1/notifications", body(place)).object()
                }
                var found: [String] = []
                var uri = "/v1/notifications?limit=2"
                while true {
                    let page = try await client.get(uri).object()
                    found +=
                        page["notifications"]?.elements?.compactMap { $0["notificationUUID"]?.stringValue }
                        ?? []
                    guard let next = page["next"]?.stringValue else { break }
                    uri = "/v1/notifications?limit=2&after=\(next)"
                }
                #expect(found == identifiers.reversed().map { $0.uuidString.lowercased() })
                #expect(try await client.get("/v1/notifications?output=ndjson&limit=1").lines().count == 3)
                for (query, count) in [
                    ("type=DID_RENEW", 3), ("type=REFUND", 0), ("subtype=x", 0),
                    ("customer=\(Sent.token)", 3), ("customer=\(UUID())", 0), ("until=2026-01-01", 0),
                ] {
                    let page = try await client.get("/v1/notifications?\(query)").object()
                    #expect(page["notifications"]?.elements?.count == count, "\(query)")
                }
                for query in ["limit=0", "limit=501", "after=x", "since=now", "customer=bob", "output=csv"] {
                    try await client.get("/v1/notifications?\(query)").problem(.badRequest)
                }
            }
        }

        @Test func `deliveries are counted, sent at once, queued again and deleted`() async throws {
            let (here, there) = ("http://127.0.0.1:9/a", "http://127.0.0.1:9/b")
            try await service([here, there]).asked { client in
                for place in identifiers.indices {
                    _ = try await client.post("/v1/notifications", body(place)).object()
                }
                let all = try await client.get("/v1/deliveries").object()
                #expect(all["counts"]?.elements?.map { $0["waiting"]?.wholeNumber } == [3, 3])
                #expect(all["deliveries"]?.elements?.count == 6)
                let part = try await client.get("/v1/deliveries?address=\(here)&state=waiting&limit=2")
                    .object()
                #expect(part["deliveries"]?.elements?.count == 2)
                #expect(part["next"] != nil)
                let sent = try await client.post("/v1/deliveries/send?address=\(here)")
                // Nothing is sent sooner than it would have been: all were due already.
                #expect(try sent.object()["sent"]?.wholeNumber == 0, "\(sent.text)")
                #expect(try await client.post("/v1/deliveries/retry").object()["queued"]?.wholeNumber == 0)
                let dropped = try await client.send(.delete, "/v1/deliveries?address=\(there)").object()
                #expect(dropped["dropped"]?.wholeNumber == 3)
                let replayed = try await client.post(
                    "/v1/deliveries/replay?address=\(there)&since=2020-01-01"
                ).object()
                #expect(replayed["queued"]?.wholeNumber == 3)
                let metrics = try await client.get("/metrics").text
                #expect(
                    metrics.contains(
                        #"storekit_verify_deliveries{app="garden",address="\#(there)",state="waiting"} 3"#))
            }
        }

        @Test func `a request about deliveries that names a wrong address is refused`() async throws {
            try await service(["http://127.0.0.1:9/a"]).asked { client in
                for uri in [
                    "retry?address=http://x/", "send?address=http://x/", "replay?since=2020-01-01",
                    "replay?address=http://127.0.0.1:9/a",
                    "replay?address=http://127.0.0.1:9/a&since=2999-01-01",
                ] {
                    try await client.post("/v1/deliveries/\(uri)").problem(.badRequest)
                }
                for query in [
                    "", "?state=waiting", "?address=http://127.0.0.1:9/a&state=delivered",
                    "?address=http://x/&state=x",
                ] {
                    try await client.send(.delete, "/v1/deliveries\(query)").problem(.badRequest)
                }
                #expect(
                    try await client.get("/v1/deliveries?state=x").problem(.badRequest).hasPrefix(
                        "?state= is one of: "))
            }
        }
    }
#endif
