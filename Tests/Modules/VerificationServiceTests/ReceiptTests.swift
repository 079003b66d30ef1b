#if Service
    import CommandProcesses
    import Foundation
    import HTTPTypes
    import RepositoryFiles
    import SignedPayloads
    import Testing
    import VerificationService
    import WireFormats

    /// Receipts: their verdicts, and the answers of Apple's deprecated endpoint.
    @Suite struct ReceiptTests {
        private static let root = Repository.vectors.appending(path: "pki/receipt-root.pem")
        private static let secret = "0123456789abcdef0123456789abcdef"

        private func app(_ name: String = "receipts", sharedSecret: String? = nil, isProduction: Bool = false)
            throws -> ServedApp
        {
            let anchors = try TrustAnchor.certificates(in: [UInt8](Data(contentsOf: Self.root)))
            var policy = VerificationPolicy()
            if isProduction { policy.environments = [.production] }
            return ServedApp(
                name: name, payloads: try SignedPayloadVerifier(anchors: anchors, policy: policy),
                receipts: try ReceiptVerifier(anchors: anchors, policy: policy),
                sharedSecret: sharedSecret.flatMap { BearerTokens(file: Array($0.utf8)) })
        }

        private func receipts(_ name: String = "receipts") throws -> [String] {
            try Repository.text("TestVectors/valid/\(name).b64").split(separator: "\n").map(String.init)
        }

        private func run(_ arguments: [String], on receipt: String) throws -> String {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let file = try folder.file("receipt", Array(receipt.utf8)).path
            return try CommandProcess(["receipt", "--root", Self.root.path] + arguments + [file]).text
        }

        @Test func `a receipt's verdict is the command's`() async throws {
            let receipt = try #require(receipts().first)
            let expected = try run([], on: receipt)
            #expect(expected.hasPrefix(#"{"verified":true"#))
            let line = try CommandProcess(
                ["verify", "--root", Self.root.path, "--output", "typed"], input: Array(receipt.utf8)
            ).text
            try await TestedService([app()]).asked { client in
                let verdict = try await client.post("/v1/verify", receipt).text
                #expect(verdict == expected)
                let typed = try await client.post("/v1/verify?view=typed", receipt).text
                #expect(typed == line.replacing(#""line":1,"#, with: ""))
            }
        }

        @Test func `Apple's endpoint gives the command's answer, but for the date of the request`()
            async throws
        {
            let receipt = try #require(receipts().first)
            let expected = try run(["--receipt-json"], on: receipt)
            try await TestedService([app()]).asked { client in
                let date = /"request_date(_ms|_pst)?":"[^"]*",/
                let given = try await client.post("/verifyReceipt", #"{"receipt-data":"\#(receipt)"}"#)
                #expect(given.text.matches(of: date).count == 3)
                #expect(given.text.replacing(date, with: "") == expected.replacing(date, with: ""))
            }
        }

        @Test func `Apple's endpoint refuses with Apple's statuses`() async throws {
            let receipt = try #require(receipts().first)
            let changed = receipt.dropLast(12) + (receipt.hasSuffix("A") ? "B" : "A") + receipt.suffix(11)
            let bodies = [
                ("", 21000), ("[]", 21000), (#"{"receipt-data":"x","password":5}"#, 21000), ("{}", 21002),
                (#"{"receipt-data":null}"#, 21002), (#"{"receipt-data":"x"}"#, 21002),
                (#"{"receipt-data":"\#(changed)"}"#, 21003), (#"{"receipt-data":"\#(receipt)"}"#, 0),
            ]
            let service = try TestedService([app("any"), app("production", isProduction: true)])
            try await service.asked { client in
                for (body, status) in bodies {
                    let given = try await client.post("/verifyReceipt?app=any", body).object()
                    #expect(given["status"]?.wholeNumber == status, "\(body.prefix(60))")
                }
                #expect(try await client.get("/verifyReceipt").object()["status"]?.wholeNumber == 21000)
                let sandbox = #"{"receipt-data":"\#(receipt)"}"#
                let elsewhere = try await client.post("/verifyReceipt?app=production", sandbox).object()
                #expect(elsewhere["status"]?.wholeNumber == 21007)
            }
        }

        @Test func `the endpoint needs the token unless it is opened`() async throws {
            let token = try #require(BearerTokens(file: Array("correct-horse-battery".utf8)))
            for isOpen in [false, true] {
                let service = try TestedService([app()]) {
                    ($0.tokens, $0.opensVerifyReceipt) = (token, isOpen)
                }
                try await service.asked { client in
                    let given = try await client.post("/verifyReceipt", "{}")
                    #expect(given.status == (isOpen ? .ok : .unauthorized))
                }
            }
        }
    }
#endif
