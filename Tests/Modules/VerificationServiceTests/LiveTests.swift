#if Service
    import DatabaseFolders
    import Foundation
    import HTTPTypes
    import NIOCore
    import RepositoryFiles
    import StoreKitFixtures
    import Testing
    import VerificationService
    import WireFormats

    /// The service over real connections.
    @Suite(.timeLimit(.minutes(10))) struct LiveTests {
        private let folder: DatabaseFolder

        init() throws { folder = try DatabaseFolder() }

        @Test func `one connection carries requests of every kind`() async throws {
            let service = TestedService([try Apps.garden(in: folder)])
            let token = try Sent.subscription(1)
            try await service.served { client, _ in
                for _ in 0..<3 {
                    #expect(try await client.post("/v1/verify", token).text.hasPrefix(#"{"verified":true"#))
                    #expect(try await client.post("/v1/verify", "").status == .badRequest)
                    #expect(try await client.get("/nothing").status == .notFound)
                    #expect(try await client.post("/v1/verify/batch", "\(token)\nx\n").lines().count == 2)
                    #expect(
                        try await client.post("/v1/notifications", Sent.notification(UUID(), about: token))
                            .status == .ok)
                    #expect(try await client.get("/readyz").status == .ok)
                }
                let metrics = try await client.get("/metrics").text
                #expect(metrics.contains("storekit_verify_open_connections 1\n"))
                #expect(metrics.contains("storekit_verify_timeouts_total 0\n"))
            }
        }

        @Test func `a streamed batch over a connection is whole`() async throws {
            let tokens = try Repository.text("TestVectors/valid/transactions.jws")
            let many = String(repeating: tokens, count: 200)
            try await TestedService([Apps.vectors()]).served { client, _ in
                for answer in ["whole", "stream"] {
                    let given = try await client.post("/v1/verify/batch?answer=\(answer)", many)
                    #expect(try given.lines().count == many.split(separator: "\n").count)
                    #expect((given.headers[.contentLength] != nil) == (answer == "whole"))
                }
            }
        }

        @Test func `another host's name is misdirected`() async throws {
            let service = TestedService([try Apps.vectors()]) { $0.allowedHosts = ["verify.example"] }
            try await service.served { client, port in
                for host in ["localhost:\(port)", "127.0.0.1", "verify.example"] {
                    let status = try await client.get("/healthz", host: host).status
                    #expect(status == .ok, "\(host)")
                }
                for host in ["evil.example", "192.0.2.1"] {
                    try await client.get("/healthz", host: host).problem(.misdirectedRequest)
                }
            }
        }

        @Test func `connections are counted, and each answer has a date`() async throws {
            try await TestedService([Apps.vectors()]).served { client, port in
                let other = try await Connection(port: port)
                let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/healthz")
                let answer = try await other.answer(to: head, ByteBuffer())
                #expect(answer.headers[.date]?.hasSuffix(" GMT") == true)
                let metrics = try await client.get("/metrics").text
                #expect(metrics.contains("storekit_verify_open_connections 2\n"))
                await other.close()
            }
        }
    }
#endif
