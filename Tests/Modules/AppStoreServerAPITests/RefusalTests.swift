#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import RequestSigning
    import SignedPayloads
    import StoreKitTestSession
    import StoreKitVerify
    import Synchronization
    import Testing

    /// The App Store's refusals, and the client's errors about them.
    @Suite struct RefusalTests {
        @Test func `an unknown transaction has Apple's code, name, sentence and an advice`() async throws {
            let scene = try await ClientScene()
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.transactionInfo(of: "2000000999999999"))
            }
            #expect(error.kind == .refused && error.status == 404)
            #expect(error.code == .transactionIDNotFound && !error.isRetryable)
            #expect(error.name == "TransactionIdNotFoundError")
            #expect(error.message == "Transaction id not found.")
            #expect(error.advice.contains("environment"))
            #expect(scene.server.requests.count == 1)
        }

        @Test func `an unknown code is kept`() async throws {
            let scene = try await ClientScene { _ in
                .answer(400, body: #"{"errorCode":4009999,"errorMessage":"New."}"#)
            }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.code?.rawValue == 4_009_999 && error.name == nil && error.message == "New.")
        }

        @Test(arguments: ["", ".", ".."]) func `an identifier that would change the path is not sent`(
            id: String
        ) async throws {
            let scene = try await ClientScene()
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.transactionInfo(of: id))
            }
            #expect(error.kind == .invalidRequest && scene.server.requests.isEmpty)
        }

        @Test func `an identifier stays within its part of the path`() async throws {
            let scene = try await ClientScene()
            _ = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.transactionInfo(of: "../lookup/1?a=b#ü"))
            }
            #expect(
                scene.server.requests.map(\.target)
                    == ["/inApps/v1/transactions/..%2Flookup%2F1%3Fa%3Db%23%C3%BC"])
        }

        // MARK: - Tokens

        @Test(arguments: [(3600.0, "ahead"), (-3600.0, "behind")])
        func `a clock that is an hour off is named`(
            offset: Double, side: String
        ) async throws {
            let scene = try await ClientScene(ahead: offset)
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            guard case .clock(let seconds) = error.suspect else {
                Issue.record("\(error)")
                return
            }
            #expect(error.kind == .unauthorized && abs(Double(seconds) - offset) < 30)
            #expect(error.advice.contains("clock") && error.advice.contains(side))
        }

        @Test func `a key identifier of another form is named`() async throws {
            let scene = try await ClientScene(keyID: "my key")
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.suspect == .keyID && error.advice.contains("\"my key\""))
        }

        @Test(arguments: [("REVOKED123", ClientScene.bundleID), ("TESTKEY123", "com.example.other")])
        func `a revoked key and another bundle are told with the names to look at`(
            keyID: String, bundleID: String
        ) async throws {
            let scene = try await ClientScene(bundleID: bundleID, keyID: keyID)
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.messageList)
            }
            #expect(error.suspect == .revokedKeyOrOtherIssuer)
            #expect(error.advice.contains(keyID) && error.advice.contains(bundleID))
            #expect(scene.server.requests.count == 1)
        }

        @Test func `a token serves many requests, and a new one is signed in time`() async throws {
            let scene = try await ClientScene()
            let (clock, signed) = (Clock(), Clock())
            let key = try SigningKey(pem: Array(scene.key.pem.utf8))
            let client = try AppStoreServerAPIClient(
                for: RequestIssuer(
                    keyID: scene.key.keyID, issuerID: scene.key.issuerID, bundleID: ClientScene.bundleID),
                signer: .elsewhere { token in
                    signed.add(1)
                    return try token.signed(by: key)
                },
                server: scene.client.server, verifier: StoreKitVerifier(SignedPayloadVerifier()),
                options: .unlimited, now: { Date() + clock.value })
            for _ in 0..<3 { _ = try await client.send(.messageList) }
            #expect(signed.value == 1)
            clock.add(-30)
            _ = try await client.send(.messageList)
            #expect(signed.value == 2)
            clock.add(-215)
            _ = try? await client.send(.messageList)
            clock.add(245)
            _ = try await client.send(.messageList)
            #expect(signed.value >= 3)
        }

        @Test func `a key that cannot sign sends nothing`() async throws {
            struct NoAnswer: Error {}
            let scene = try await ClientScene()
            let client = try AppStoreServerAPIClient(
                for: RequestIssuer(keyID: "A", issuerID: "B", bundleID: "C"),
                signer: .elsewhere { _ in throw NoAnswer() }, server: scene.client.server,
                verifier: StoreKitVerifier(SignedPayloadVerifier()))
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await client.send(.messageList)
            }
            #expect(error.kind == .unsigned && scene.server.requests.isEmpty)
        }

        // MARK: - Answers that are not to be trusted

        @Test func `an answer signed by another root is unverified`() async throws {
            let scene = try await ClientScene(anchors: [.appleRootCAG3])
            let id = try scene.buy(ClientScene.seeds)
            let result = try await scene.client.send(.transactionInfo(of: id))
            guard case .unverified(_, .invalidCertificateChain) = result else {
                Issue.record("\(result)")
                return
            }
        }

        @Test func `an answer of another environment is refused`() async throws {
            let other = try await ClientScene(environment: .production)
            let id = try other.buy(ClientScene.seeds)
            let body = try await other.client.response(to: .transactionInfo(of: id)).body
            let text = String(decoding: body, as: UTF8.self)
            let scene = try await ClientScene { _ in .answer(200, body: text) }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.transactionInfo(of: id))
            }
            #expect(error.kind == .unverified && error.payloadError != nil)
            #expect(error.message.hasPrefix("signedTransactionInfo of the answer"))
        }

        // MARK: - Two environments

        @Test func `the other environment is asked only after Apple's error, and only if the caller wants`()
            async throws
        {
            let sandbox = try await ClientScene()
            let id = try sandbox.buy(ClientScene.seeds)
            var options = AppStoreServerAPIClient.Options.unlimited
            options.fallback = sandbox.client.server
            let both = try await ClientScene(environment: .production, options: options)
            let response = try? await both.client.response(to: .transactionInfo(of: id))
            // The policy of this client takes production alone: this is about the server that was asked.
            #expect(response == nil && both.server.requests.count == 1 && sandbox.server.requests.count == 1)
            let client = try both.client(environments: [.production, .sandbox], options)
            let found = try await client.response(to: .transactionInfo(of: id))
            #expect(try String(found.value.payloadValue.id) == id && found.server == sandbox.client.server)
            #expect(both.server.requests.count == 2 && sandbox.server.requests.count == 2)
            // The pages of a list stay with the server that had the first.
            for _ in 0..<24 { _ = try sandbox.buy(ClientScene.seeds) }
            var pages = 0
            for try await _ in client.transactionHistory(of: id) { pages += 1 }
            #expect(pages == 2 && both.server.requests.count == 3 && sandbox.server.requests.count == 4)
            _ = try? await both.client.send(.subscriptionStatuses(of: "no number"))
            #expect(both.server.requests.count == 4 && sandbox.server.requests.count == 4)
        }
    }

    /// A number that closures share.
    final class Clock: Sendable {
        private let number = Mutex(0.0)
        var value: Double { number.withLock { $0 } }
        func add(_ change: Double) { number.withLock { $0 += change } }
    }
#endif
