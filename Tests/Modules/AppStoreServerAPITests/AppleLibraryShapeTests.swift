#if ServerAPI && TestServer
    import AppStoreServerLibrary
    import Foundation
    import StoreKitTestSession
    import Testing

    /// The sample that has the names of Apple's library: code that was written for those.
    @Suite struct AppleLibraryShapeTests {
        @Test func `code that was written for Apple's library runs`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.monthly)
            let verifier = try Self.verifier(of: scene)
            let client = try AppStoreServerAPIClient(
                signingKey: scene.key.pem, keyId: scene.key.keyID, issuerId: scene.key.issuerID,
                bundleId: ClientScene.bundleID, environment: .sandbox, verifier: verifier,
                address: scene.server.address)

            let history = await client.getTransactionHistory(transactionId: id, revision: nil)
            guard case .success(let response) = history else {
                Issue.record("\(history)")
                return
            }
            #expect(response.bundleId == ClientScene.bundleID && response.environment == .sandbox)
            let token = try #require(response.signedTransactions?.first)
            guard
                case .valid(let transaction) = await verifier.verifyAndDecodeTransaction(
                    signedTransaction: token)
            else {
                Issue.record("the transaction is refused")
                return
            }
            #expect(transaction.transactionId == id && transaction.productId == ClientScene.monthly)
            #expect(transaction.type == "Auto-Renewable Subscription")

            let statuses = await client.getAllSubscriptionStatuses(transactionId: id)
            guard case .success(let status) = statuses,
                let item = status.data?.first?.lastTransactions?.first
            else {
                Issue.record("\(statuses)")
                return
            }
            #expect(item.status == 1)
            let info = await verifier.verifyAndDecodeRenewalInfo(
                signedRenewalInfo: item.signedRenewalInfo ?? "")
            guard case .valid(let renewalInfo) = info else {
                Issue.record("\(info)")
                return
            }
            #expect(renewalInfo.autoRenewStatus == 1 && renewalInfo.originalTransactionId == id)
        }

        @Test func `failures have Apple's numbers`() async throws {
            let scene = try await ClientScene()
            let verifier = try Self.verifier(of: scene)
            let client = try AppStoreServerAPIClient(
                signingKey: scene.key.pem, keyId: scene.key.keyID, issuerId: scene.key.issuerID,
                bundleId: ClientScene.bundleID, environment: .sandbox, verifier: verifier,
                address: scene.server.address)
            let result = await client.getTransactionInfo(transactionId: "2000000999999999")
            guard case .failure(404, 4_040_010, "Transaction id not found.", _) = result else {
                Issue.record("\(result)")
                return
            }
            let nonsense = await verifier.verifyAndDecodeTransaction(signedTransaction: "x.y.z")
            #expect(nonsense == .invalid(.INVALID_JWT_FORMAT))
            #expect(throws: ConfigurationError.INVALID_APP_APPLE_ID) {
                try SignedDataVerifier(
                    rootCertificates: [], bundleId: "com.example", appAppleId: nil, environment: .production,
                    enableOnlineChecks: false)
            }
        }

        @Test func `creators sign, and receipts of before iOS 7 have an identifier`() throws {
            let scene = try ClientScene.signing()
            let creator = try PromotionalOfferV2SignatureCreator(
                signingKey: scene.pem, keyId: scene.keyID, issuerId: scene.issuerID, bundleId: "com.example")
            #expect(
                try creator.createSignature(productId: "a", offerIdentifier: "b").split(separator: ".").count
                    == 3)
            let introductory = try IntroductoryOfferEligibilitySignatureCreator(
                signingKey: scene.pem, keyId: scene.keyID, issuerId: scene.issuerID, bundleId: "com.example")
            let jws = try introductory.createSignature(
                productId: "a", allowIntroductoryOffer: true, transactionId: "1")
            #expect(jws.split(separator: ".").count == 3)
            let former = try PromotionalOfferSignatureCreator(
                privateKey: scene.pem, keyId: scene.keyID, bundleId: "com.example")
            let signature = try former.createSignature(
                productIdentifier: "a", subscriptionOfferID: "b", appAccountToken: "", nonce: UUID(),
                timestamp: 1_700_000_000_000)
            #expect(Data(base64Encoded: signature) != nil)
            let receipt = """
                {"purchase-info" = "\(Data(#"{"transaction-id" = "33993399";}"#.utf8).base64EncodedString())";}
                """
            #expect(
                ReceiptUtility.extractTransactionId(
                    transactionReceipt: Data(receipt.utf8).base64EncodedString()) == "33993399")
            #expect(ReceiptUtility.extractTransactionId(appReceipt: "nonsense") == nil)
        }

        private static func verifier(of scene: ClientScene) throws -> SignedDataVerifier {
            try SignedDataVerifier(
                rootCertificates: [Data(scene.store.authority.rootCertificate)],
                bundleId: ClientScene.bundleID,
                appAppleId: nil, environment: .sandbox, enableOnlineChecks: false)
        }
    }
#endif
