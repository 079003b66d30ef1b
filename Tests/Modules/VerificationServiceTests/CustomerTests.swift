#if Service
    import DatabaseFolders
    import Foundation
    import HTTPTypes
    import StoreKitFixtures
    import Testing
    import VerificationService
    import WireFormats

    /// Purchases that an app's server sends, and questions about customers.
    @Suite struct CustomerTests {
        private let folder: DatabaseFolder
        /// Within the subscriptions' time.
        private let at = "at=2026-01-10"

        init() throws { folder = try DatabaseFolder() }

        private func service(_ configure: (inout VerificationService.Configuration) -> Void = { _ in }) throws
            -> TestedService
        {
            TestedService([try Apps.garden(in: folder)], configure)
        }

        private func outcomes(_ answer: JSONTree) -> [String?] {
            answer["payloads"]?.elements?.map { $0["outcome"]?.stringValue ?? $0["error"]?.stringValue } ?? []
        }

        @Test func `a purchase is kept, and its customer owns it`() async throws {
            let token = try Sent.subscription(1)
            let name = Sent.token.uuidString.lowercased()
            try await service().asked { client in
                let answer = try await client.post("/v1/purchases?\(at)", token).object()
                #expect(outcomes(answer) == ["new"])
                #expect(answer["customers"]?.elements?.map { $0["name"]?.stringValue } == [name])
                for form in [
                    token, #"{"signedTransactionInfo":"\#(token)"}"#, "\"\(token)\"", "\(token)\r\n",
                ] {
                    #expect(
                        try await outcomes(client.post("/v1/purchases?\(at)", form).object()) == ["known"])
                }
                let owned = try await client.get("/v1/customers/\(name)/entitlements?\(at)").object()
                #expect(owned["entitlements"]?.elements?.count == 1)
                #expect(owned["entitlements"] == answer["customers"]?.elements?.first?["entitlements"])
                let later = try await client.get("/v1/customers/\(name)/entitlements?at=2026-03-01").object()
                #expect(later["entitlements"]?.elements?.isEmpty == true)
            }
        }

        @Test func `each payload of a body has its verdict, and the good ones are kept`() async throws {
            let good = try Sent.subscription(1)
            let lines = try [good, "", Signed.tampered(Signed.transactionPayload(id: 2)), "hello"]
            try await service().asked { client in
                let answer = try await client.post("/v1/purchases?\(at)", lines.joined(separator: "\n"))
                    .object()
                #expect(outcomes(answer) == ["new", "invalidSignature", "invalidEncoding"])
                #expect(answer["payloads"]?.elements?.map { $0["line"]?.wholeNumber } == [1, 3, 4])
                #expect(answer["new"]?.wholeNumber == 1 && answer["refused"]?.wholeNumber == 2)
                let history = #"{"signedTransactions":["\#(good)"],"hasMore":false}"#
                let places = try await client.post("/v1/purchases?\(at)", history).object()
                #expect(
                    places["payloads"]?.elements?.map { $0["at"]?.stringValue } == ["signedTransactions[0]"])
            }
        }

        @Test func `a request that is refused keeps nothing`() async throws {
            let (mine, others) = try (Sent.subscription(1), Sent.subscription(2, of: Sent.otherToken))
            try await service { $0.maximumBodyBytes = 100_000 }.asked { client in
                for (body, status, code) in [
                    (
                        try Signed.tampered(Signed.transactionPayload(id: 1)), HTTPResponse.Status.forbidden,
                        "invalidSignature"
                    ),
                    ("hello", .badRequest, "invalidEncoding"), ("", .badRequest, nil),
                    ("{", .badRequest, nil),
                    (String(repeating: "x\n", count: 1_001), .contentTooLarge, nil),
                    (String(repeating: "x", count: 100_001), .contentTooLarge, nil),
                ] as [(String, HTTPResponse.Status, String?)] {
                    try await client.post("/v1/purchases", body).problem(status, code)
                }
                for query in [
                    "customer=x", "environment=sandbox", "bundleId=com.example.other", "at=now", "x=y",
                    "at=2026-01-17&asOf=2026-01-17",
                ] {
                    try await client.post("/v1/purchases?\(query)", mine).problem(.badRequest)
                }
                let stolen = try await client.post(
                    "/v1/purchases?customer=\(Sent.token)", "\(mine)\n\(others)")
                #expect(try stolen.problem(.conflict, "wrongCustomer").contains("nothing was kept"))
                _ = try await client.post("/v1/purchases?customer=\(Sent.otherToken)", others).object()
            }
            #expect(try folder.count("payload") == 1)
        }

        @Test func `customers are listed, searched, drawn and forgotten`() async throws {
            let name = Sent.token.uuidString.lowercased()
            try await service().asked { client in
                let bodies = try [
                    Sent.subscription(1), Sent.subscription(2, of: Sent.otherToken, expires: 3),
                ]
                _ = try await client.post("/v1/purchases", bodies.joined(separator: "\n")).object()
                func names(_ query: String) async throws -> [String] {
                    let page = try await client.get("/v1/customers?\(query)").object()
                    return page["customers"]?.elements?.compactMap { $0["names"]?.texts.first }.sorted() ?? []
                }
                #expect(
                    try await names(at) == [Sent.token, Sent.otherToken].map { $0.uuidString.lowercased() })
                #expect(try await names("\(at)&state=subscribed") == [name])
                #expect(try await names("\(at)&product=other").isEmpty)
                let first = try await client.get("/v1/customers?\(at)&limit=1").object()
                let next = try #require(first["next"]?.stringValue)
                #expect(try await names("\(at)&limit=1&after=\(next)").count == 1)
                let lines = try await client.get("/v1/customers?\(at)", [.accept: "application/x-ndjson"])
                #expect(try lines.lines().count == 2)
                let matches = try await client.get("/v1/search?q=2").object()["matches"]?.elements
                #expect(matches?.contains { $0["transactionID"]?.stringValue == "2" } == true)
                let timeline = try await client.get("/v1/customers/\(name)/timeline?\(at)")
                #expect(try timeline.object()["lanes"]?.elements?.count == 1, "\(timeline.text)")
                let picture = try await client.get("/v1/customers/\(name)/timeline.svg?\(at)")
                #expect(picture.text.hasPrefix("<svg") && picture.headers[.contentType] == "image/svg+xml")
                #expect(picture.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                let forgotten = try await client.send(.delete, "/v1/customers/\(name)").object()
                #expect(forgotten["remains"]?.wholeNumber == 0 && forgotten["payloads"]?.wholeNumber == 1)
                #expect(try await names(at) == [Sent.otherToken.uuidString.lowercased()])
                for query in ["limit=0", "after=x", "state=x", "product=", "output=ndjson&limit=1"] {
                    try await client.get("/v1/customers?\(query)").problem(.badRequest)
                }
                for path in ["/v1/customers/bob/entitlements", "/v1/search", "/v1/customers/bob/timeline"] {
                    try await client.get(path).problem(.badRequest)
                }
            }
            #expect(try folder.count("payload") == 1)
        }

        @Test func `several customers are asked about at once`() async throws {
            try await service().asked { client in
                _ = try await client.post("/v1/purchases", Sent.subscription(1)).object()
                let forms = [
                    "[\"\(Sent.token)\", \"\(Sent.otherToken)\"]", "\(Sent.token)\n\(Sent.otherToken)\n",
                ]
                for form in forms {
                    let answer = try await client.post("/v1/entitlements?\(at)", form).object()
                    let counts = answer["customers"]?.elements?.map { $0["entitlements"]?.elements?.count }
                    #expect(counts == [1, 0])
                }
                let sentences = [
                    "": "The body has no name;",
                    "[1": "The body starts with [ but is not a valid JSON array: ",
                    "bob": "Customer 1 of the body has no name.",
                    String(repeating: "\(Sent.token)\n", count: 1_001):
                        "The body has more than 1000 customers;",
                ]
                for (body, sentence) in sentences {
                    #expect(
                        try await client.post("/v1/entitlements", body).problem(.badRequest).hasPrefix(
                            sentence))
                }
            }
        }

        // MARK: - Seats

        @Test func `a seat is a member's until its end`() async throws {
            let claim = UUID()
            let member = Sent.otherToken.uuidString.lowercased()
            @Sendable func body(_ original: Int) -> [UInt8] {
                Array(
                    #"{"originalTransactionId":"\#(original)","customers":["\#(member)"],"claimedDate":"2026-01-02T00:00:00Z"}"#
                        .utf8)
            }
            try await service().asked { client in
                _ = try await client.post("/v1/purchases", Sent.subscription(1)).object()
                let given = try await client.send(.put, "/v1/seats/\(claim)", body(1)).object()
                #expect(given["customers"]?.texts == [member] && given["endDate"] == nil)
                let taken = try await client.send(.put, "/v1/seats/\(claim)", body(2))
                #expect(
                    try taken.problem(.conflict) == "This seatClaimId belongs to purchase 1; use a new one.")
                let ended = try await client.send(.delete, "/v1/seats/\(claim)").object()
                #expect(ended["endDate"] != nil)
            }
        }

        @Test func `a wrong claim is refused`() async throws {
            try await service().asked { client in
                try await client.send(.put, "/v1/seats/x", Array("{}".utf8)).problem(.badRequest)
                let bodies = [
                    "[]", "{}", #"{"originalTransactionId":1}"#,
                    #"{"originalTransactionId":"1","customers":[]}"#,
                    #"{"originalTransactionId":"1","customers":["bob"]}"#,
                    #"{"originalTransactionId":"1","customers":["\#(Sent.token)"],"claimedDate":"now"}"#,
                ]
                for body in bodies {
                    try await client.send(.put, "/v1/seats/\(UUID())", Array(body.utf8)).problem(.badRequest)
                }
                let more = try await client.send(.put, "/v1/seats/\(UUID())", Array(#"{"more":1}"#.utf8))
                #expect(
                    try more.problem(.badRequest)
                        == "Unknown member \"more\"; known: originalTransactionId, customers, claimedDate.")
            }
        }
    }
#endif
