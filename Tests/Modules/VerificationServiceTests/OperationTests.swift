#if Service
    import DatabaseFolders
    import Foundation
    import HTTPTypes
    import Hummingbird
    import NIOCore
    import NIOEmbedded
    import RequestSigning
    import StoreKitTestSession
    import Synchronization
    import Testing
    import VerificationService
    import WireFormats

    /// Health, readiness, metrics, signatures and the log.
    @Suite struct OperationTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        @Test func `a service that ends is alive, and not ready`() async throws {
            let service = TestedService([try Apps.garden(in: folder)])
            try await service.asked { client in
                let health = try await client.get("/healthz").text
                #expect(health == "{\"status\":\"ok\"}\n")
                #expect(try await client.get("/readyz").text == "{\"status\":\"ready\"}\n")
                service.application.readiness.end()
                #expect(try await client.get("/readyz").problem(.serviceUnavailable).contains("ending"))
                #expect(try await client.get("/healthz").status == .ok)
            }
        }

        @Test func `each request that comes to no handler is counted by its reason, and logged`() async throws
        {
            let service = TestedService([try Apps.vectors()]) {
                $0.tokens = BearerTokens(file: Array("0123456789abcdef".utf8))
                $0.maximumBodyBytes = 100
            }
            let authorization: HTTPFields = [.authorization: "Bearer 0123456789abcdef"]
            try await service.asked { client in
                try await client.get("/metrics").problem(.unauthorized)
                try await client.get("/metrics", authorization, host: "example.com").problem(
                    .misdirectedRequest)
                try await client.get("/nothing").problem(.notFound)
                try await client.post("/metrics").problem(.methodNotAllowed)
                try await client.get("/healthz?a=%ff").problem(.badRequest)
                try await client.get("/" + String(repeating: "a", count: 9_000)).problem(.uriTooLong)
                try await client.post("/v1/verify", String(repeating: "a", count: 101), authorization)
                    .problem(
                        .contentTooLarge)
                var zipped = authorization
                zipped[.contentEncoding] = "gzip"
                try await client.post("/v1/verify", "a", zipped).problem(.unsupportedMediaType)
                let metrics = try await client.get("/metrics", authorization).text
                let log = await service.log
                for reason in ["token", "host", "path", "method", "query", "target", "length", "form"] {
                    #expect(
                        metrics.contains(#"storekit_verify_refusals_total{reason="\#(reason)"} 1"#),
                        "\(reason)")
                    #expect(log.contains { $0.contains(#""refusal":"\#(reason)""#) }, "\(reason)")
                }
                #expect(metrics.contains(#"storekit_verify_refusals_total{reason="head"} 0"#))
            }
        }

        @Test func `a database that cannot keep payloads makes the service unready`() async throws {
            let service = TestedService([try Apps.garden(in: folder)]) { $0.readinessAge = .zero }
            try await service.asked { client in
                let notification = try Sent.notification(UUID(), about: Sent.subscription(1))
                _ = try await client.post("/v1/notifications", notification).object()
                try FileManager.default.removeItem(at: folder.url)
                let given = try await client.get("/readyz")
                #expect(try given.problem(.serviceUnavailable).contains("its log says why"))
                #expect(given.headers[.retryAfter] == "10")
                #expect(await service.log.contains { $0.contains(#""message":"a database is not ready""#) })
            }
        }

        @Test func `the metrics count requests by route and status, and verdicts by app`() async throws {
            let service = TestedService([try Apps.vectors("a"), try Apps.garden("b", in: folder)])
            try await service.asked { client in
                _ = try await client.post("/v1/verify?app=b", Sent.subscription(1)).object()
                _ = try await client.post("/v1/verify?app=b", "x").object()
                _ = try await client.post("/v1/verify/batch?app=b", "x\ny\n").lines()
                _ = try await client.post("/v1/verify?app=c", "x").problem(.badRequest)
                _ = try await client.get("/nothing")
                _ = try await client.get("/page.css")
                let answer = try await client.get("/metrics")
                #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
                let lines = Set(answer.text.split(separator: "\n").map(String.init))
                let expected = [
                    #"storekit_verify_requests_total{route="/v1/verify",status="2xx"} 2"#,
                    #"storekit_verify_requests_total{route="/v1/verify",status="4xx"} 1"#,
                    #"storekit_verify_requests_total{route="other",status="4xx"} 1"#,
                    #"storekit_verify_requests_total{route="other",status="2xx"} 1"#,
                    #"storekit_verify_verdicts_total{app="b",error="ok"} 1"#,
                    #"storekit_verify_verdicts_total{app="b",error="invalidEncoding"} 3"#,
                    #"storekit_verify_batch_lines_total{app="b"} 2"#,
                    #"storekit_verify_build_info{version="1.2.3"} 1"#, "storekit_verify_malformed_total 0",
                    "# TYPE storekit_verify_request_seconds histogram",
                    "# HELP storekit_verify_open_connections Connections that are open now.",
                ]
                for line in expected { #expect(lines.contains(line), "\(line)") }
                #expect(
                    lines.contains {
                        $0.hasPrefix(#"storekit_verify_database_bytes{app="b",file="database"} "#)
                    })
                #expect(!answer.text.contains("page.css"))
            }
        }

        @Test func `the service says what it serves, and its page needs nothing from elsewhere`() async throws
        {
            let service = TestedService([try Apps.vectors("a"), try Apps.garden("b", in: folder)])
            try await service.asked { client in
                let answer = try await client.get("/v1/service").text
                #expect(answer.contains(#""version":"1.2.3""#))
                #expect(
                    answer.contains(#""name":"a","bundleIds":[]"#) && answer.contains(#""hasDatabase":false"#)
                )
                #expect(answer.contains(#""name":"b","bundleIds":["com.example.garden"]"#))
                let page = try await client.get("/")
                #expect(page.text.contains("<title>"))
                #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
                #expect(page.headers[.xContentTypeOptions] == "nosniff")
            }
        }

        @Test func `offers and requests are signed with the app's key`() async throws {
            let pem = try ServerAPIKey(of: TestAuthority.appStore("service tests")).pem
            let key = try NamedKey(SigningKey(pem: Array(pem.utf8)), keyID: "K1", issuerID: "I1")
            try await TestedService([Apps.garden(key: key)]).asked { client in
                let offer = #"{"productId":"plus","offerIdentifier":"spring","transactionId":"20"}"#
                let signed = try await client.post("/v1/sign/promotional-offer", offer).object()
                #expect(signed["compactJWS"]?.stringValue?.split(separator: ".").count == 3)
                let request = try await client.post(
                    "/v1/sign/advanced-commerce", #"{"operation":"CREATE_SUBSCRIPTION","version":"1"}"#
                ).object()
                #expect(request["advancedCommerceData"] != nil)
                for body in ["", "[]", #"{"productId":1}"#] {
                    try await client.post("/v1/sign/promotional-offer", body).problem(.badRequest)
                }
                try await client.post("/v1/sign/promotional-offer?bundleId=x", offer).problem(.badRequest)
                try await client.post("/v1/sign/token", offer).problem(.notFound)
                #expect(try await client.get("/v1/service").text.contains(#""signs":true"#))
            }
        }

        // MARK: - The log

        @Test func `a request has its own name in the answer and in the log`() async throws {
            let service = TestedService([try Apps.garden()]) { $0.logsRequests = true }
            let requestID = try #require(HTTPField.Name("X-Request-ID"))
            let parent = try #require(HTTPField.Name("traceparent"))
            let trace = String(repeating: "a1", count: 16)
            try await service.asked { client in
                let given = try await client.get(
                    "/healthz", [requestID: "abc-1", parent: "00-\(trace)-\(trace.prefix(16))-01"])
                #expect(given.headers[requestID] == "abc-1")
                let replaced = try await client.get(
                    "/v1/customers/secret/timeline", [requestID: String(repeating: "x", count: 129)])
                #expect(replaced.headers[requestID]?.wholeMatch(of: /[0-9a-f]{16}-[0-9]+/) != nil)
                let lines = await service.log
                #expect(lines.count == 2)
                #expect(
                    lines[0].contains(#""requestID":"abc-1""#) && lines[0].contains(#""traceID":"\#(trace)""#)
                )
                #expect(lines[0].contains(#""route":"/healthz""#) && lines[0].contains(#""status":"200""#))
                #expect(
                    lines[1].contains(#""route":"/v1/customers/{name}/timeline""#)
                        && !lines[1].contains("secret"))
            }
        }

        @Test func `repeated lines are counted, not written`() async throws {
            let service = TestedService([try Apps.garden(in: folder)])
            try await service.asked { client in
                for _ in 0..<50 {
                    try await client.post("/v1/notifications", "{}").problem(.badRequest, "invalidEncoding")
                }
                #expect((10...30).contains(await service.log.count))
            }
        }

        /// With a pipe that no program reads, standard error takes some 64 KiB, and the next line waits for ever.
        @Test func `a log that no program reads stops no request`() async throws {
            let reader = Reader()
            var settings = VerificationService.Configuration()
            settings.logsRequests = true
            let application = ServiceApplication(settings, apps: [try Apps.garden()]) { reader.write($0) }
            // More than the queue takes.
            let count = 12_000
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/healthz")
            let channel = NIOAsyncTestingChannel()
            for _ in 0..<count {
                let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
                let status = try await application.respond(to: request, on: channel).status
                #expect(status == .ok)
            }
            reader.begin()
            application.flushLog()
            let lines = reader.lines
            let gap = try #require(lines.last)
            #expect(
                gap.contains(
                    #""message":"lines of the log were dropped, because standard error was not read""#))
            let dropped = try #require(Int(gap.firstMatch(of: /"leftOut":"(\d+)"/)?.1 ?? ""))
            #expect(dropped > 0 && lines.count - 1 + dropped == count)
            await application.end()
        }

        /// Takes no line before it begins to read.
        private final class Reader: Sendable {
            private let isReading = DispatchSemaphore(value: 0)
            private let taken = Mutex<[String]>([])

            var lines: [String] { taken.withLock(\.self) }

            func write(_ line: String) {
                isReading.wait()
                isReading.signal()
                taken.withLock { $0.append(line) }
            }

            func begin() { isReading.signal() }
        }
    }
#endif
