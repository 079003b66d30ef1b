#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import SignedPayloads
    import StoreKitVerify
    import Testing

    /// TLS: the server's name, its root, and the version. The server is OpenSSL's own.
    @Suite struct TransportSecurityTests {
        /// The server's certificate and options, and whether the client asks it.
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let name: String
            var arguments: [String] = []
            var isTrusted = true
            let isAsked: Bool
        }

        private static let cases = [
            Case(testDescription: "the right name", name: "IP:127.0.0.1", isAsked: true),
            Case(testDescription: "another name", name: "DNS:api.example.com", isAsked: false),
            Case(testDescription: "an unknown root", name: "IP:127.0.0.1", isTrusted: false, isAsked: false),
            Case(
                testDescription: "TLS 1.1", name: "IP:127.0.0.1",
                arguments: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], isAsked: false),
        ]

        @Test(arguments: cases) func `only the server that is meant gets a token`(_ value: Case) async throws
        {
            let scene = try await ClientScene()
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
            let minting = try Self.openssl([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=test",
                "-days", "2", "-addext", "subjectAltName=\(value.name)", "-keyout", key, "-out", certificate,
            ])
            minting.process.waitUntilExit()
            let server = try Self.openssl(
                ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate, "-key", key]
                    + value.arguments)
            defer { server.process.terminate() }
            var text = ""
            while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
                let data = server.output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "openssl ended: \(text)")
                text += String(decoding: data, as: UTF8.self)
            }
            let port = try #require(
                text.split(whereSeparator: \.isWhitespace).last?.split(separator: ":").last)
            var options = AppStoreServerAPIClient.Options.unlimited
            options.retries.maximum = 0
            if value.isTrusted { options.trustedCertificates = certificate }
            let client = AppStoreServerAPIClient(
                for: scene.client.issuer, signer: .elsewhere { _ in "x.y.z" },
                server: .init("https://127.0.0.1:\(port)", environment: .sandbox),
                verifier: .init(try .init()),
                options: options)
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await client.send(.messageList)
            }
            // OpenSSL answers with a page of its own.
            #expect(error.kind == (value.isAsked ? .unreadable : .unreachable), "\(error)")
            #expect(error.mayHaveBeenExecuted == value.isAsked)
        }

        private static func openssl(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["openssl"] + arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            return (process, output)
        }
    }
#endif
