#if Service
    import HTTPConnections
    import HTTPTypes
    import Hummingbird
    import NIOCore
    import Testing
    import VerificationService
    import WireFormats

    /// Bodies that are too long, in other forms, or cut.
    @Suite struct BodyTests {
        private static func head(_ target: String) -> HTTPRequest {
            HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: target)
        }

        @Test func `a longer body is refused, whether or not it says its length`() async throws {
            let service = try TestedService([Apps.vectors()]) { $0.maximumBodyBytes = 1_000 }
            let long = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1_001)
            try await service.asked { client in
                let refused = try await client.post("/v1/verify", String(buffer: long))
                #expect(try refused.problem(.contentTooLarge).contains("1000 bytes"))
                #expect(refused.headers[.connection] == "close")
                let most = try await client.post("/v1/verify", String(repeating: "x", count: 1_000))
                #expect(try most.object()["verified"] != nil)
                let response = try await service.response(
                    to: Self.head("/v1/verify"), RequestBody(buffer: long))
                #expect(response.status == .contentTooLarge)
            }
        }

        @Test func `a body in another form is refused`() async throws {
            let token = try Sent.subscription(1)
            try await TestedService([Apps.garden()]).asked { client in
                let packed = try await client.post("/v1/verify", token, [.contentEncoding: "gzip"])
                try packed.problem(.unsupportedMediaType)
                #expect(packed.headers[.acceptEncoding] == "identity")
                for type in ["multipart/form-data; boundary=x", "image/png", "text/html"] {
                    let given = try await client.post("/v1/verify", token, [.contentType: type])
                    #expect(try given.problem(.unsupportedMediaType).contains("application/json"))
                }
                for type in [
                    "Application/JSON; charset=utf-8", "text/plain", "application/x-www-form-urlencoded",
                ] {
                    let given = try await client.post("/v1/verify", token, [.contentType: type])
                    #expect(given.text.hasPrefix(#"{"verified":true"#))
                }
            }
        }

        @Test func `the bodies of all requests together have a limit`() async throws {
            let service = try TestedService([Apps.vectors()]) { $0.bodyMemory = 100_000 }
            try await service.asked { client in
                let given = try await client.post("/v1/verify", String(repeating: "x", count: 120_000))
                try given.problem(.serviceUnavailable)
                #expect(given.headers[.retryAfter] == "1")
                // The memory of the refused one is free again, and short bodies need none.
                for count in [90_000, 90_000, 10_000] {
                    let text = String(repeating: "x", count: count)
                    #expect(try await client.post("/v1/verify", text).object()["error"] != nil)
                }
            }
        }

        @Test func `a body that comes too slowly gets an answer`() async throws {
            let service = try TestedService([Apps.vectors()])
            let parts = AsyncThrowingStream<ByteBuffer, any Error> { $0.finish(throwing: BodyTimeout()) }
            let response = try await service.response(
                to: Self.head("/v1/verify"), RequestBody(asyncSequence: parts))
            #expect(response.status == .requestTimeout)
            #expect(response.headers[.connection] == "close")
            await service.application.end()
        }

        @Test func `a body that breaks off ends its connection without a verdict`() async throws {
            struct Cut: Error {}
            let service = try TestedService([Apps.vectors()])
            for target in ["/v1/verify", "/v1/verify/batch"] {
                let parts = AsyncThrowingStream<ByteBuffer, any Error> { parts in
                    parts.yield(ByteBuffer(string: "eyJ"))
                    parts.finish(throwing: Cut())
                }
                await #expect(throws: Cut.self) {
                    _ = try await service.response(to: Self.head(target), RequestBody(asyncSequence: parts))
                }
            }
            // The batch gave its place back.
            try await service.asked { client in
                for _ in 0..<20 {
                    let verdicts = try await client.post("/v1/verify/batch", "x\n").lines()
                    #expect(verdicts.count == 1)
                }
            }
        }
    }
#endif
