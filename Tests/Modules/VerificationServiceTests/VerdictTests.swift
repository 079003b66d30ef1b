#if Service
    import CommandProcesses
    import Foundation
    import HTTPTypes
    import RepositoryFiles
    import Testing
    import VerificationService
    import WireFormats

    /// The service's verdicts are the command's, to the byte.
    @Suite struct VerdictTests {
        /// The committed vectors of signed payloads, by the names of their files.
        private static let files: [String] = {
            let folders = ["valid", "invalid"].flatMap { folder in
                let names = try? FileManager.default.contentsOfDirectory(
                    atPath: Repository.vectors.appending(path: folder).path)
                return (names ?? []).filter { $0.hasSuffix(".jws") }.map { "\(folder)/\($0)" }
            }
            return folders.sorted()
        }()

        private static func content(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: Repository.vectors.appending(path: name)))
        }

        private func lines(_ content: [UInt8]) -> [[UInt8]] {
            content.split(separator: UInt8(ascii: "\n")).map { line in Array(line) }
        }

        @Test(arguments: ["ndjson", "typed", "rows"])
        func `a batch's verdicts are the command's, in each output`(_ output: String) async throws {
            #expect(Self.files.count > 60)
            // One process and one request for all files: what the command writes is told apart by line numbers.
            let content = try Self.files.flatMap { try Self.content($0) + [UInt8(ascii: "\n")] }
            let command = try CommandProcess(CommandProcess.root + ["--output", output], input: content)
            #expect(command.output.count > 100_000)
            for fields in [HTTPFields(), [.transferEncoding: "chunked"]] {
                let given = try await TestedService([Apps.vectors()]).asked { client in
                    try await client.send(.post, "/v1/verify/batch?output=\(output)", content, fields)
                }
                #expect(given.headers[.contentType] == "application/x-ndjson")
                #expect(given.bytes == command.output)
            }
        }

        /// A line that has the same verdict as a body. White space before an object is an editor's in a body, and the
        /// sender's in a line. A longer body is refused before it is read.
        private func isBody(_ line: [UInt8]) -> Bool {
            let start = line.drop { $0 == 0x20 || $0 == 0x09 }
            return line.last != 0x0d && line.count <= 2 << 20
                && (start.count == line.count || start.first != UInt8(ascii: "{"))
        }

        @Test func `a single verdict is that of the batch without its line`() async throws {
            let service = try TestedService([Apps.vectors()])
            let checked = try await service.asked { client in
                var checked = 0
                for file in Self.files {
                    // Empty lines have numbers too.
                    let content = try Self.content(file).split(
                        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
                    ).map { $0.last == 0x0d ? Array($0.dropLast()) : Array($0) }
                    let batch = try await client.send(.post, "/v1/verify/batch", Self.content(file))
                    for verdict in batch.text.split(separator: "\n") {
                        let match = try #require(verdict.firstMatch(of: /"line":(\d+),/))
                        let line = content[try #require(Int(match.1)) - 1]
                        guard isBody(line) else { continue }
                        let given = try await client.send(.post, "/v1/verify", line)
                        #expect(
                            given.text == verdict.replacing(/"line":\d+,/, with: "", maxReplacements: 1)
                                + "\n")
                        checked += 1
                    }
                }
                return checked
            }
            #expect(checked > 500)
        }

        @Test(arguments: [
            "valid/transactions.jws", "valid/renewal-info.jws", "invalid/04-signature.jws",
            "invalid/03-trust.jws",
        ])
        func `an inspection is the command's`(_ file: String) async throws {
            let token = try #require(lines(Self.content(file)).first)
            let expected = try CommandProcess(["inspect", "--json"] + CommandProcess.root, input: token)
            try await TestedService([Apps.vectors()]).asked { client in
                let given = try await client.send(.post, "/v1/verify?view=inspect", token)
                #expect(given.text == expected.text)
            }
        }

        @Test func `the forms of one token have one verdict`() async throws {
            let token = String(
                decoding: try #require(lines(Self.content("valid/transactions.jws")).first), as: UTF8.self)
            try await TestedService([Apps.vectors()]).asked { client in
                let expected = try await client.post("/v1/verify", token).text
                #expect(expected.hasPrefix(#"{"verified":true"#))
                for form in [
                    "\(token)\n", "\(token)\r\n", #" {"signedTransactionInfo":"\#(token)","more":[1]}"#,
                ] {
                    #expect(try await client.post("/v1/verify", form).text == expected)
                }
                try await client.post("/v1/verify").problem(.badRequest)
                #expect(
                    try await client.post("/v1/verify?view=x", token).problem(.badRequest)
                        == "Unknown view \"x\"; known: payload, typed, inspect, inspections.")
            }
        }

        @Test func `payloads in one text are all inspected`() async throws {
            let tokens = lines(try Self.content("valid/transactions.jws")).prefix(2)
            try await TestedService([Apps.vectors()]).asked { client in
                let text = Array(tokens.joined(separator: Array("\nand\n".utf8)))
                let answer = try await client.send(.post, "/v1/verify?view=inspections", text).object()
                #expect(answer["inspections"]?.elements?.count == 2)
            }
        }

        @Test func `tokens inside JSON are verified with their places`() async throws {
            let tokens = lines(try Self.content("valid/transactions.jws")).prefix(2).map {
                String(decoding: $0, as: UTF8.self)
            }
            let body = #"{"signedTransactions":["\#(tokens[0])","\#(tokens[1])","damaged"],"hasMore":false}"#
            let expected = try CommandProcess(["--any-json"] + CommandProcess.root, input: Array(body.utf8))
            try await TestedService([Apps.vectors()]).asked { client in
                let given = try await client.post("/v1/verify/batch?input=any-json", body)
                #expect(given.text == expected.text)
                #expect(try given.lines().count == 3)
                #expect(
                    try await client.post("/v1/verify/batch?input=any-json", "{").problem(.badRequest)
                        .contains("not JSON"))
            }
        }
    }
#endif
