#if Service
    import Foundation
    import HTTPTypes
    import Hummingbird
    import NIOCore
    import RepositoryFiles
    import Testing
    import VerificationService
    import WireFormats

    /// Batches: their places, and the verdicts that wait for a client.
    @Suite struct BatchTests {
        /// As many batches as run at a time.
        private static let places = 16

        private let tokens: String

        init() throws { tokens = try Repository.text("TestVectors/valid/transactions.jws") }

        /// Collects an answer, and does something before its end.
        private struct Writer: ResponseBodyWriter {
            var text = ""
            var beforeTheEnd: @Sendable () async throws -> Void = {}

            mutating func write(_ buffer: ByteBuffer) async throws { text += String(buffer: buffer) }

            consuming func finish(_ trailers: HTTPFields?) async throws { try await beforeTheEnd() }
        }

        private func begin(_ service: TestedService) async throws -> Response {
            try await service.response(
                to: HTTPRequest(
                    method: .post, scheme: "http", authority: "localhost", path: "/v1/verify/batch",
                    headerFields: [.transferEncoding: "chunked"]),
                RequestBody(buffer: ByteBuffer(string: tokens)))
        }

        /// A place that is released too early shows here, in optimised code: another batch would get it.
        @Test func `a batch keeps its place until its answer is written`() async throws {
            let service = TestedService([try Apps.vectors()])
            var answers: [Response] = []
            for _ in 0..<Self.places { answers.append(try await begin(service)) }
            #expect(answers.allSatisfy { $0.status == .ok })
            #expect(try await begin(service).status == .serviceUnavailable)
            // No other reference keeps this answer alive while it is written.
            try await answers.removeLast().body.write(
                Writer {
                    // The last verdict is written, and the answer has no end yet.
                    let status = try await begin(service).status
                    #expect(status == .serviceUnavailable)
                })
            answers = []
            await service.application.end()
        }

        @Test func `a batch that has ended gives its place back`() async throws {
            try await TestedService([Apps.vectors()]).asked { client in
                for fields in [HTTPFields(), [.transferEncoding: "chunked"]] {
                    for _ in 0...Self.places {
                        let given = try await client.post("/v1/verify/batch", tokens, fields)
                        #expect(given.status == .ok && given.text.contains(#""verified":true"#))
                    }
                }
            }
        }

        @Test func `a whole answer that cannot be spooled is refused`() async throws {
            let many = String(repeating: tokens, count: 400)
            for (limit, status) in [(1_000, HTTPResponse.Status.contentTooLarge), (1 << 26, .ok)] {
                let service = try TestedService([Apps.vectors()]) { $0.maximumSpoolBytes = limit }
                try await service.asked { client in
                    let given = try await client.post("/v1/verify/batch?answer=whole", many)
                    guard status == .ok else {
                        #expect(try given.problem(status).contains("--max-spool-bytes"))
                        return
                    }
                    #expect(given.status == .ok)
                    #expect(given.text.split(separator: "\n").count == many.split(separator: "\n").count)
                    #expect(given.headers[.contentLength] == "\(given.bytes.count)")
                }
            }
        }

        @Test func `a packed body gets one verdict, and an oversized line one`() async throws {
            try await TestedService([Apps.vectors()]).asked { client in
                let packed: [UInt8] = [0x1f, 0x8b, 8, 0] + Array(repeating: 10, count: 100_000)
                let verdicts = try await client.send(.post, "/v1/verify/batch", packed).lines()
                #expect(verdicts.map { $0["detail"]?.stringValue } == ["gzip"])
                let long = String(repeating: "x", count: 3 << 20)
                let lines = try await client.post("/v1/verify/batch", "a\n\n\(long)\nb").lines()
                #expect(lines.map { $0["line"]?.wholeNumber } == [1, 3, 4])
                #expect(
                    lines.map { $0["error"]?.stringValue } == [
                        "invalidEncoding", "tooLarge", "invalidEncoding",
                    ])
            }
        }

        @Test func `a wrong parameter names the right ones`() async throws {
            try await TestedService([Apps.vectors()]).asked { client in
                let expected = [
                    "output=csv": "Unknown output \"csv\"; known: ndjson, typed, rows.",
                    "input=xml": "Unknown input \"xml\"; known: lines, any-json.",
                    "answer=late": "Unknown answer \"late\"; known: stream, whole.",
                ]
                for (query, sentence) in expected {
                    let given = try await client.post("/v1/verify/batch?\(query)", tokens)
                    #expect(try given.problem(.badRequest) == sentence)
                }
            }
        }
    }
#endif
