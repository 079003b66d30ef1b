#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import RepositoryFiles
    import RequestSigning
    import SignedPayloads
    import StoreKitTestSession
    import StoreKitVerify
    import Testing

    /// The samples of the page "AppStoreServerAPI", line for line.
    private enum PageSamples {
        static func history() async throws {
            var policy = VerificationPolicy()
            policy.bundleIdentifiers = ["com.example.shop"]
            let client = try AppStoreServerAPIClient(
                for: RequestIssuer(
                    keyID: "2X9R4HXF34", issuerID: "57246542-96fe-1a63-e053-0824d011072a",
                    bundleID: "com.example.shop"),
                signer: .key(SigningKey(contentsOf: "SubscriptionKey_2X9R4HXF34.p8")),
                verifier: StoreKitVerifier(SignedPayloadVerifier(policy: policy)))
            for try await page in client.transactionHistory(of: "2000000123456789") {
                for result in page.transactions { print(try result.payloadValue.productID) }
            }
        }

        static func errors(_ client: AppStoreServerAPIClient) async {
            do {
                _ = try await client.send(.transactionInfo(of: "1"))
            } catch {
                // 4040010 TransactionIdNotFoundError …
                print(error.code?.rawValue ?? 0, error.name ?? "", error.message)
                print(error.advice)
            }
        }

        static func interruptions(
            _ client: AppStoreServerAPIClient, _ filter: NotificationFilter, _ kept: String?,
            _ save: ([NotificationRecord], String?) throws -> Void
        ) async throws {
            for try await page in client.notificationHistory(filter, after: kept) {
                try save(page.notifications, page.continuation)
            }
        }
    }

    @Suite struct PageSampleTests {
        @Test func `the page shows what compiles`() throws {
            func lines(_ text: String) -> [String] {
                // How a call is broken into lines depends on its indentation.
                text.split(whereSeparator: \.isWhitespace).map(String.init)
            }
            let source = lines(
                try Repository.text("Tests/Modules/AppStoreServerAPITests/PageSampleTests.swift")
            ).joined(separator: " ")
            let page = try Repository.text(
                "Sources/StoreKit/AppStoreServerAPI/AppStoreServerAPI.docc/AppStoreServerAPI.md")
            let samples = page.components(separatedBy: "```swift\n").dropFirst()
                .compactMap { $0.components(separatedBy: "```").first }
                .filter { !$0.hasPrefix(".package") }
            #expect(samples.count == 3)
            for sample in samples {
                let code = sample.split(separator: "\n").filter { !$0.hasPrefix("import ") }
                #expect(
                    source.contains(lines(code.joined(separator: "\n")).joined(separator: " ")), "\(sample)")
            }
        }

        @Test func `the samples run`() async throws {
            let scene = try await ClientScene()
            _ = try scene.buy(ClientScene.monthly)
            await PageSamples.errors(scene.client)
            let now = scene.store.now
            var count = 0
            try await PageSamples.interruptions(
                scene.client, NotificationFilter(from: now - 86_400, to: now + 86_400), nil
            ) { notifications, _ in count += notifications.count }
            #expect(count == 1)
        }
    }
#endif
