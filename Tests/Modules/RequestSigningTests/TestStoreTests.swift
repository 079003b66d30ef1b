import Foundation
import RequestSigning
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// The test App Store accepts these signatures, and refuses them for another purchase.
@Suite struct TestStoreTests {
    private let scene: SigningScene

    init() throws { scene = try SigningScene() }

    private func session() throws -> SKTestSession {
        let session = try scene.session()
        session.offerSigningKeys = [scene.apiKey]
        return session
    }

    /// The error of a purchase; `nil` if it succeeds.
    private func failure(
        _ session: SKTestSession, _ options: Set<Product.PurchaseOption>,
        _ product: String = SigningScene.monthly
    ) async throws -> Product.PurchaseError? {
        await session.run {
            do {
                let product = try await Product.products(for: [product]).first
                _ = try await product?.purchase(options: options)
                return nil
            } catch {
                return error as? Product.PurchaseError
            }
        }
    }

    /// A customer who subscribed before, and so may use offers. Returns a transaction of theirs.
    private func subscriber() async throws -> (session: SKTestSession, transactionID: String) {
        let session = try session()
        try #require(try await failure(session, []) == nil)
        return (session, "\(try #require(session.allTransactions().last).identifier)")
    }

    private func jws(
        _ offer: String = "spring", product: String = SigningScene.monthly, transaction: String? = nil,
        issuer: RequestIssuer? = nil, key: SigningKey? = nil, nonce: UUID = UUID(), after seconds: Double = 0
    ) throws -> Product.PurchaseOption {
        let jws = try (issuer ?? scene.issuer).promotionalOffer(
            offer, productID: product, transactionID: transaction, nonce: nonce,
            at: SigningScene.start.addingTimeInterval(seconds)
        ).signed(by: key ?? scene.key)
        return .promotionalOffer("spring", compactJWS: jws)
    }

    @Test func `a promotional offer as a JWS is accepted once`() async throws {
        let (session, id) = try await subscriber()
        let option = try jws(transaction: id)
        #expect(try await failure(session, [option]) == nil)
        #expect(try await failure(session, [option]) == .invalidOfferSignature)
        #expect(try await failure(session, [try jws()]) == nil)
    }

    @Test func `a promotional offer as a JWS with any other value is refused`() async throws {
        let (session, _) = try await subscriber()
        let other = try SigningKey(
            pem: ServerAPIKey(of: TestAuthority.appStore("another store")).pem.utf8)
        let (kid, iss) = (scene.apiKey.keyID, scene.apiKey.issuerID)
        let issuer = { try RequestIssuer(keyID: $0, issuerID: $1, bundleID: $2) }
        let wrong = [
            try jws("autumn"), try jws(product: "com.example.garden.plus.yearly"), try jws(transaction: "1"),
            try jws(issuer: issuer(kid, iss, "com.example.other")),
            try jws(issuer: issuer(kid, "other", SigningScene.bundleID)),
            try jws(issuer: issuer("OTHERKEY12", iss, SigningScene.bundleID)), try jws(key: other),
            try jws(after: 3_600), try jws(after: -86_401),
            .promotionalOffer(
                "spring",
                compactJWS: try scene.issuer.serverAPIToken(at: SigningScene.start).signed(by: scene.key)),
            .promotionalOffer("spring", compactJWS: ""), .promotionalOffer("spring", compactJWS: "a.b.c"),
        ]
        for option in wrong { #expect(try await failure(session, [option]) == .invalidOfferSignature) }
        #expect(try await failure(session, [try jws(after: 30)]) == nil)
    }

    private func separate(
        _ offer: UnsignedPromotionalOffer, keyID: String? = nil, nonce: UUID? = nil, later: Int = 0,
        changed: Bool = false
    ) throws -> Product.PurchaseOption {
        var signature = try offer.signed(by: scene.key).signature
        if changed, let last = signature.popLast() { signature.append(last ^ 1) }
        return .promotionalOffer(
            offerID: "spring", keyID: keyID ?? offer.keyID, nonce: nonce ?? offer.nonce, signature: signature,
            timestamp: offer.timestamp + later)
    }

    private func offer(
        _ offer: String = "spring", product: String = SigningScene.monthly,
        bundleID: String = SigningScene.bundleID, account: String = "", after seconds: Double = 0
    ) throws -> UnsignedPromotionalOffer {
        try UnsignedPromotionalOffer(
            offer, productID: product, bundleID: bundleID, keyID: scene.apiKey.keyID,
            appAccountToken: account,
            at: SigningScene.start.addingTimeInterval(seconds))
    }

    @Test func `a promotional offer in its first form is accepted once`() async throws {
        let (session, _) = try await subscriber()
        let option = try separate(offer())
        #expect(try await failure(session, [option]) == nil)
        #expect(try await failure(session, [option]) == .invalidOfferSignature)
        let account = UUID()
        let named = try separate(offer(account: account.uuidString))
        #expect(try await failure(session, [named, .appAccountToken(account)]) == nil)
    }

    @Test func `a promotional offer in its first form with any other value is refused`() async throws {
        let (session, _) = try await subscriber()
        let account = UUID()
        let wrong: [Set<Product.PurchaseOption>] = [
            [try separate(offer("autumn"))], [try separate(offer(product: "other"))],
            [try separate(offer(bundleID: "com.example.other"))],
            [try separate(offer(account: account.uuidString))],
            [try separate(offer()), .appAccountToken(account)],
            [try separate(offer(account: UUID().uuidString)), .appAccountToken(account)],
            [try separate(offer(), keyID: "OTHERKEY12")], [try separate(offer(), nonce: UUID())],
            [try separate(offer(), later: 1)], [try separate(offer(), changed: true)],
            [try separate(offer(after: 3_600))], [try separate(offer(after: -86_401))],
        ]
        for options in wrong { #expect(try await failure(session, options) == .invalidOfferSignature) }
    }

    private func eligibility(
        _ isAllowed: Bool, product: String = SigningScene.monthly, transaction: String
    ) throws -> Product.PurchaseOption {
        .introductoryOfferEligibility(
            compactJWS: try scene.issuer.introductoryOffer(
                isAllowed: isAllowed, productID: product, transactionID: transaction, at: SigningScene.start
            ).signed(by: scene.key))
    }

    @Test func `the eligibility for an introductory offer counts if its signature is right`() async throws {
        for isAllowed in [true, false] {
            let session = try session()
            let id = try await session.run {
                try await AppTransaction.shared.payloadValue.appTransactionID
            }
            #expect(
                try await failure(session, [eligibility(isAllowed, transaction: "1")])
                    == .invalidOfferSignature)
            #expect(
                try await failure(session, [eligibility(isAllowed, product: "p", transaction: id)])
                    == .invalidOfferSignature)
            #expect(try await failure(session, [eligibility(isAllowed, transaction: id)]) == nil)
            let offer = await session.run { () -> Transaction.OfferType? in
                for await result in Transaction.all { return result.unsafePayloadValue.offer?.type }
                return nil
            }
            #expect((offer == .introductory) == isAllowed)
        }
    }

    @Test func `without keys no signature is looked at`() async throws {
        let session = try scene.session()
        #expect(session.offerSigningKeys.isEmpty)
        #expect(try await failure(session, []) == nil)
        #expect(try await failure(session, [.promotionalOffer("spring", compactJWS: "")]) == nil)
    }

    // MARK: - The API's token

    private func status(_ token: String, at date: Date = SigningScene.start) throws -> Int {
        let api = TestAppStoreAPI(try scene.session().appStore, keys: [scene.apiKey])
        let request = ServerAPIRequest(
            "GET", "/inApps/v1/transactions/1", headers: [.init("authorization", "Bearer \(token)")])
        return api.respond(to: request, at: date).status
    }

    @Test func `the test server accepts the API's token, and refuses it with another value`() throws {
        let (start, key) = (SigningScene.start, scene.apiKey)
        let token = try scene.issuer.serverAPIToken(at: start).signed(by: scene.key)
        // No transaction has this number: behind the check, the answer is 404.
        #expect(try status(token) == 404)
        #expect(try status(token, at: start.addingTimeInterval(299)) == 404)
        #expect(try status(token, at: start.addingTimeInterval(301)) == 401)
        #expect(try status(token, at: start.addingTimeInterval(-120)) == 401)
        #expect(
            try status(scene.issuer.serverAPIToken(at: start, lasting: 3600).signed(by: scene.key)) == 404)
        for (kid, iss, bid) in [
            ("OTHERKEY12", key.issuerID, SigningScene.bundleID), (key.keyID, "other", SigningScene.bundleID),
            (key.keyID, key.issuerID, "com.example.other"),
        ] {
            let issuer = try RequestIssuer(keyID: kid, issuerID: iss, bundleID: bid)
            #expect(try status(issuer.serverAPIToken(at: start).signed(by: scene.key)) == 401)
        }
        let offer = try scene.issuer.promotionalOffer("o", productID: "p", at: start)
        #expect(try status(offer.signed(by: scene.key)) == 401)
    }
}
