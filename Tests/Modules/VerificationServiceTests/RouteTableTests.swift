#if Service
    import Foundation
    import HTTPTypes
    import RepositoryFiles
    import Testing
    import VerificationService
    import WireFormats

    /// The table of routes, and the order in which a request is refused.
    @Suite struct RouteTableTests {
        private static let token = "correct-horse-battery"

        /// What the OpenAPI document says.
        private struct Document: Decodable {
            struct Operation: Decodable {
                let security: [[String: [String]]]?
            }

            let paths: [String: [String: Operation]]
        }

        private let document: Document

        init() throws {
            let file = Repository.file("Sources/Doors/VerificationService/Resources/openapi.json")
            document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: file))
        }

        private func service() throws -> TestedService {
            let token = try #require(BearerTokens(file: Array(Self.token.utf8)))
            return TestedService([try Apps.garden()]) { $0.tokens = token }
        }

        /// An address of a path: each name in braces stands for a text that fits no route's other segments.
        private func address(_ path: String) -> String {
            path.replacing(/\{[^}]+\}/, with: "x")
        }

        private let authorized: HTTPFields = [.authorization: "Bearer \(RouteTableTests.token)"]

        @Test func `the router's table is the OpenAPI document's`() async throws {
            let service = try service()
            let described = document.paths.flatMap { path, operations in
                operations.map {
                    "\($0.key.uppercased()) \(path), open: \($0.value.security?.isEmpty == true)"
                }
            }
            // The page's files are not an interface for programs.
            let served = service.application.routes.filter { !$0.isPage }
            #expect(
                served.map { "\($0.method) \($0.path), open: \(!$0.needsToken)" }.sorted()
                    == described.sorted())
            #expect(service.application.routes.filter(\.isPage).allSatisfy { !$0.needsToken })
            await service.application.end()
        }

        @Test func `the service's own copy is the document`() async throws {
            let file = Repository.file("Sources/Doors/VerificationService/Resources/openapi.json")
            let expected = try String(contentsOf: file, encoding: .utf8)
            try await service().asked { [authorized] client in
                let answer = try await client.get("/openapi.json", authorized)
                #expect(answer.text == expected)
                #expect(answer.headers[.contentType] == "application/json")
            }
        }

        @Test func `every route but the open ones needs the token`() async throws {
            let service = try service()
            try await service.asked { client in
                for route in service.application.routes {
                    let method = try #require(HTTPRequest.Method(route.method))
                    for wrong in [
                        nil, "Bearer wrong", "Basic \(Self.token)", Self.token, "Bearer",
                        "Bearer \(Self.token) x",
                    ] {
                        var fields = HTTPFields()
                        fields[.authorization] = wrong
                        let answer = try await client.send(method, address(route.path), [], fields)
                        guard route.needsToken else {
                            #expect(answer.status != .unauthorized, "\(route.path)")
                            continue
                        }
                        let sentence = try answer.problem(.unauthorized)
                        #expect(sentence.contains("Authorization: Bearer TOKEN"))
                        #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"storekit-verify\"")
                        #expect(answer.headers[.connection] == "close")
                    }
                    for scheme in ["Bearer", "bearer", "BEARER"] {
                        let answer = try await client.send(
                            method, address(route.path), [], [.authorization: "\(scheme) \(Self.token)"])
                        #expect(answer.status != .unauthorized, "\(route.path)")
                    }
                }
            }
        }

        @Test func `another site is refused first, then a wrong path, a wrong method and a missing token`()
            async throws
        {
            try await service().asked { [authorized] client in
                let elsewhere: HTTPFields = [.origin: "http://evil.example"]
                try await client.get("/nothing", elsewhere).problem(.forbidden)
                try await client.get("/v1/verify", elsewhere).problem(.forbidden)
                try await client.get("/nothing").problem(.notFound)
                let method = try await client.get("/v1/verify")
                #expect(try method.problem(.methodNotAllowed) == "This path takes POST only.")
                #expect(method.headers[.allow] == "POST")
                let methods = try await client.send(.delete, "/v1/notifications")
                #expect(methods.headers[.allow] == "POST, GET, HEAD")
                try await client.post("/v1/verify?more=1").problem(.unauthorized)
                let query = try await client.post("/v1/verify?more=1", "", authorized)
                #expect(
                    try query.problem(.badRequest) == "Unknown query parameter \"more\"; known: app, view.")
                let none = try await client.get("/healthz?more=1")
                #expect(
                    try none.problem(.badRequest)
                        == "Unknown query parameter \"more\"; this path takes no parameters.")
                try await client.post("/v1/verify?app=a&app=b", "", authorized).problem(.badRequest)
                #expect(
                    try await client.post("/v1/verify?app=%ff", "", authorized).problem(.badRequest).contains(
                        "percent-encoded"))
            }
        }

        @Test func `a database's routes say how to get one`() async throws {
            try await service().asked { [authorized] client in
                let wanting = [
                    (HTTPRequest.Method.get, "/v1/notifications"), (.get, "/v1/customers"),
                    (.get, "/v1/deliveries"),
                    (.get, "/v1/search?q=1"), (.post, "/v1/purchases"), (.post, "/v1/entitlements"),
                    (.delete, "/v1/customers/original-transaction:1"),
                ]
                for (method, uri) in wanting {
                    let answer = try await client.send(method, uri, [], authorized)
                    #expect(try answer.problem(.notFound).contains("--database FILE"), "\(uri)")
                }
                let signing = try await client.post("/v1/sign/promotional-offer", "{}", authorized)
                #expect(try signing.problem(.notFound).contains("--signing-key FILE"))
            }
        }

        @Test func `a target that is too long is refused`() async throws {
            try await service().asked { [authorized] client in
                let text = String(repeating: "x", count: 8_192)
                try await client.get("/v1/search?q=\(text)", authorized).problem(.uriTooLong)
            }
        }

        @Test func `the answer to HEAD is that to GET without the body`() async throws {
            try await service().asked { client in
                let answer = try await client.send(.head, "/healthz")
                #expect(answer.status == .ok)
                #expect(answer.bytes.isEmpty)
                #expect(answer.headers[.contentType] == "application/json")
            }
        }

        @Test func `several apps are told apart by their names`() async throws {
            let service = TestedService([try Apps.vectors("a"), try Apps.garden("b")])
            let body = try Sent.subscription(1)
            try await service.asked { client in
                #expect(
                    try await client.post("/v1/verify", body).problem(.badRequest)
                        == "Several apps are served; name one with ?app=NAME: a, b.")
                #expect(
                    try await client.post("/v1/verify?app=c", body).problem(.badRequest)
                        == "Unknown app \"c\"; served: a, b.")
                let verdicts = [
                    try await client.post("/v1/verify?app=a", body).object(),
                    try await client.post("/v1/verify?app=b", body).object(),
                ]
                #expect(verdicts.map { $0["error"]?.stringValue } == ["invalidCertificateChain", nil])
            }
        }
    }
#endif
