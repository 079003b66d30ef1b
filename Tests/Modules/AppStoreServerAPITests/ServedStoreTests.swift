#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import RequestSigning
    import SignedPayloads
    import StoreKitTestSession
    import StoreKitVerify
    import Testing

    /// The client against `storekit-test serve` as a process. `STOREKIT_TEST_COMMAND` names the command, which is a build of
    /// another trait.
    @Suite struct ServedStoreTests {
        private static let command = ProcessInfo.processInfo.environment["STOREKIT_TEST_COMMAND"]

        @Test(.enabled(if: command != nil, "STOREKIT_TEST_COMMAND names storekit-test"))
        func `what the command serves is found, verified and changed`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: try #require(Self.command))
            try Data("+0 anna: buy \(ClientScene.seeds)\n".utf8).write(to: folder.appending(path: "events"))
            process.arguments = [
                "serve", "--port", "0", "--rate-limits", "--scenario", folder.path + "/events",
                "--write-api-key", folder.path + "/key.p8", "--write-root", folder.path + "/root.pem",
            ]
            process.standardError = output
            try process.run()
            defer { process.terminate() }
            var line = ""
            while !line.hasSuffix("\n") {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "the command ended: \(line)")
                line += String(decoding: data, as: UTF8.self)
            }
            let address = try #require(line.split(whereSeparator: \.isWhitespace).last)
            let client = try Self.client(String(address), folder)
            let now = Date()
            let filter = NotificationFilter(from: now.addingTimeInterval(-86_400), to: now + 86_400)
            var ids: [String] = []
            for try await page in client.notificationHistory(filter) {
                for record in page.notifications {
                    guard case .verified(let sold)? = try record.notification.payloadValue.data?.transaction
                    else { continue }
                    ids.append(String(sold.id))
                }
            }
            let id = try #require(ids.first)
            try await client.send(.setAppAccountToken(UUID(), of: id))
            var count = 0
            for try await page in client.transactionHistory(of: id) { count += page.transactions.count }
            #expect(count == 1)
            // Six in a second are one more than the Sandbox allows.
            for _ in 0..<6 { _ = try await client.send(.transactionInfo(of: id)).payloadValue }
        }

        private static func client(_ address: String, _ folder: URL) throws -> AppStoreServerAPIClient {
            let anchors = try TrustAnchor.certificates(inFile: folder.path + "/root.pem")
            return try AppStoreServerAPIClient(
                for: RequestIssuer(
                    keyID: ServerAPIKey.defaultKeyID, issuerID: ServerAPIKey.defaultIssuerID,
                    bundleID: ClientScene.bundleID),
                signer: .key(SigningKey(pem: Data(contentsOf: folder.appending(path: "key.p8")))),
                server: .init(address, environment: .sandbox),
                verifier: StoreKitVerifier(SignedPayloadVerifier(anchors: anchors)))
        }
    }
#endif
