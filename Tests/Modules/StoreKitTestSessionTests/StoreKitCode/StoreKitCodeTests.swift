import Foundation
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Code that was written for StoreKit, in a session and outside of any.
@Suite struct StoreKitCodeTests {
    @MainActor @Test
    func `a shop of Apple's kind sells, and hears of what happens elsewhere`() async throws {
        let session = try Garden.session()
        let store = SampleStore()
        try await session.run {
            store.start()
            try await store.requestProducts([Garden.monthly, Garden.greenhouse, Garden.premium, "tea"])
            #expect(store.products.map(\.id) == [Garden.monthly, Garden.greenhouse, Garden.premium])
            let greenhouse = try #require(store.products.first { $0.id == Garden.greenhouse })
            #expect(try await store.purchase(greenhouse)?.productID == Garden.greenhouse)
            #expect(store.purchasedProductIDs == [Garden.greenhouse] && store.log.isEmpty)
            try await elsewhere(session, store)
        }
        await store.stop()
    }

    @MainActor private func elsewhere(_ session: SKTestSession, _ store: SampleStore) async throws {
        try await session.buyProduct(identifier: Garden.monthly)
        try await wait(for: 1, store)
        #expect(store.log == ["got \(Garden.monthly)"])
        #expect(store.purchasedProductIDs == [Garden.greenhouse, Garden.monthly])
        #expect(store.subscriptionStatus == .subscribed)
        // The free week ends, and the subscription renews.
        try session.advance(days: 7)
        try await wait(for: 2, store)
        let greenhouse = session.allTransactions()[0]
        try session.refundTransaction(identifier: greenhouse.identifier)
        try await wait(for: 3, store)
        #expect(store.log.last == "lost \(Garden.greenhouse)")
        #expect(store.purchasedProductIDs == [Garden.monthly])
        try session.expireSubscription(productIdentifier: Garden.monthly)
        await store.updateCustomerProductStatus()
        #expect(store.purchasedProductIDs.isEmpty && store.subscriptionStatus == .expired)
    }

    /// Lets the listener run until it has heard so much. Other tests may keep every thread for a long time.
    @MainActor private func wait(for count: Int, _ store: SampleStore) async throws {
        let start = ContinuousClock.now
        while store.log.count < count, start.duration(to: .now) < .seconds(90) {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(store.log.count == count)
    }

    @Test func `updates have what was bought elsewhere, and not what purchase() returned`() async throws {
        let session = try Garden.session()
        let heard = await session.heard {
            _ = try? await session.bought(Garden.greenhouse)
            _ = try? await session.buyProduct(identifier: Garden.season)
            try? session.buyProduct(productIdentifier: Garden.premium)
            try? session.advance(days: 31)
        }
        #expect(heard == [Garden.season, Garden.premium, Garden.premium])
        // A listener that starts later begins with what is unfinished.
        let unfinished = await session.unfinished()
        #expect(unfinished.contains(Garden.greenhouse))
    }

    @Test func `a finished transaction is not unfinished any more`() async throws {
        let session = try Garden.session()
        let seeds = try await session.bought(Garden.seeds)
        #expect(await session.unfinished() == [Garden.seeds])
        await session.run { await seeds.finish() }
        #expect(await session.unfinished().isEmpty)
        #expect(session.allTransactions().count == 1)
        #expect(await session.history().isEmpty, "finished consumables are not in Transaction.all")
        try session.refundTransaction(identifier: UInt(seeds.id))
        #expect(await session.history().map(\.id) == [seeds.id], "unless they are refunded")
    }

    @Test func `the members of a subscription's product answer, of which no seats are sold`() async throws {
        let session = try Garden.session()
        let product = try await session.product(Garden.monthly)
        #expect(!product.jsonRepresentation.isEmpty && product.displayName == "Garden Plus")
        #expect(!product.supportsMultiSeatPurchase)
        let subscription = try #require(product.subscription)
        #expect(subscription.subscriptionGroupID == Garden.group && subscription.groupLevel == 2)
        #expect(subscription.groupDisplayName == "Garden Plus")
        #expect(subscription.subscriptionPeriod == .init(value: 1, unit: .month))
        #expect(subscription.introductoryOffer?.paymentMode == .freeTrial)
        #expect(subscription.promotionalOffers.map(\.id) == ["spring"])
        #expect(subscription.bundledSubscriptions == [])
        let terms = try #require(subscription.pricingTerms.first)
        #expect(subscription.pricingTerms.count == 1 && terms.billingPlanType == .upFront)
        let billing = Product.SubscriptionInfo.BillingInfo(
            price: product.price, displayPrice: product.displayPrice, period: .init(value: 1, unit: .month))
        #expect(
            terms.pricingModel
                == .singlePrice(.init(billingInfo: billing, commitmentInfo: .init(price: product.price))))
        #expect(terms.billingPeriod == billing.period)
        #expect(terms[offers: .promotional].map(\.id) == ["spring"])
        #expect(terms[offers: .introductory].count == 1)
        await session.refuses(Product.PurchaseError.multiSeatPurchaseDisabled, Garden.monthly, [.seats(5)])
        #expect(session.allTransactions().isEmpty)
        #expect(await session.run { await subscription.isEligibleForIntroOffer })
        try await session.bought(Garden.monthly)
        let (latest, states) = try await session.run {
            (await product.latestTransaction, try await subscription.status.map(\.state))
        }
        #expect(latest?.unsafePayloadValue.productID == Garden.monthly && states == [.subscribed])
        #expect(await session.run { await !subscription.isEligibleForIntroOffer })
    }

    @Test func `the app transaction is the customer's, and is signed anew`() async throws {
        let session = try Garden.session()
        let (first, second) = try await session.run {
            (try await AppTransaction.shared.payloadValue, try await AppTransaction.refresh().payloadValue)
        }
        #expect(first.bundleID == "com.example.garden" && first.environment == .sandbox)
        #expect(first.appTransactionID == second.appTransactionID)
        #expect(first.originalPurchaseDate == Garden.start)
        let other = try await session.newCustomer().run { try await AppTransaction.shared.payloadValue }
        #expect(other.appTransactionID != first.appTransactionID)
    }

    // In a process of its own: a session is the scope of all code outside of scopes.
    @Test func `nothing is sold without a session`() async {
        await #expect(processExitsWith: .success) {
            var session: SKTestSession? = try Garden.session()
            let product = try #require(
                try await session?.run { try await Product.products(for: [Garden.seeds])[0] })
            session = nil
            let members: [(String, () async throws -> Void)] = [
                ("Product.products(for:)", { _ = try await Product.products(for: ["a"]) }),
                ("Product.purchase(options:)", { _ = try await product.purchase() }),
                ("AppStore.sync()", { try await AppStore.sync() }),
                ("AppTransaction.shared", { _ = try await AppTransaction.shared }),
                ("AppTransaction.refresh()", { _ = try await AppTransaction.refresh() }),
            ]
            for (member, body) in members { try await StoreKitCodeTests.check(member, body) }
        }
    }

    private static func check(_ member: String, _ body: () async throws -> Void) async throws {
        let error = await #expect(throws: NoAppStoreError.self) { try await body() }
        #expect(error?.member == member)
        #expect(
            error?.description.hasPrefix("\(member) needs an App Store, and there is none here: ") ?? false)
    }

    @Test func `Apple's detached listener hears of a purchase and finds what the customer owns`() async {
        await #expect(processExitsWith: .success) {
            let former = try Garden.session()
            try await former.bought(Garden.season)
            for listens in [true, false] {
                let session = try Garden.session()
                if listens { CustomerScope.listen(to: session.transactionStore, now: { Date() }) }
                // Apple's older sample leaves every scope.
                let listener = Task.detached {
                    for await result in Transaction.updates {
                        await result.unsafePayloadValue.finish()
                        return await ownedProducts()
                    }
                    return []
                }
                try await session.buyProduct(identifier: Garden.greenhouse)
                #expect(await listener.value == [Garden.greenhouse])
                #expect(await session.unfinished().isEmpty)
                let sold = Task.detached { try await Product.products(for: [Garden.seeds]).map(\.id) }
                #expect(try await sold.value == [Garden.seeds])
                // The scope of a task comes first, and the session that is run is the one of its detached tasks.
                let owned = await former.run {
                    (await ownedProducts(), await Task.detached { await ownedProducts() }.value)
                }
                #expect(owned.0 == [Garden.season] && owned.1 == [Garden.season])
            }
        }
    }

    // MARK: - Devices

    @Test func `what the app gets is what the store holds, made for its device alone`() async throws {
        let session = try Garden.session()
        guard case .success(let result) = try await session.buy(Garden.greenhouse) else {
            throw PurchaseFailure(productID: Garden.greenhouse)
        }
        let held = await session.run { await Transaction.latest(for: Garden.greenhouse) }
        #expect(held?.jwsRepresentation == result.jwsRepresentation)
        #expect(result.deviceVerification.count == 48)
        let root = session.appStore.authority.trustAnchor
        var policy = VerificationPolicy()
        policy.deviceIdentifier = session.deviceIdentifier
        let verifier = try SignedPayloadVerifier(anchors: [root], policy: policy)
        let verified = try StoreKitVerifier(verifier).transaction(result.jwsRepresentation)
        #expect(try verified.payloadValue.productID == Garden.greenhouse)
        policy.deviceIdentifier = session.newCustomer().deviceIdentifier
        let stranger = try SignedPayloadVerifier(anchors: [root], policy: policy)
        let refused = try StoreKitVerifier(stranger).transaction(result.jwsRepresentation)
        guard case .unverified(_, .invalidDeviceVerification) = refused else {
            Issue.record("\(refused)")
            return
        }
    }

    @Test func `the same seed gives the same bytes, and another gives others`() async throws {
        var tokens: [String] = []
        for seed in [UInt64(1), 1, 2] {
            let store = try TestAppStore(Garden.configuration(), startingAt: Garden.start, seed: seed)
            let session = SKTestSession(store)
            try await session.bought(Garden.monthly)
            try session.advance(days: 40)
            tokens.append(session.takeNotifications().map(\.signedPayload).joined())
        }
        #expect(tokens[0] == tokens[1] && tokens[0] != tokens[2])
    }

    @Test func `a file is opened by its name and by its place`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Garden.storekit")
        try Data(Garden.configuration().encoded).write(to: file)
        let before = Date()
        let session = try SKTestSession(contentsOf: file)
        #expect(session.now.timeIntervalSince(before) >= -0.001)
        #expect(try SKTestSession(configurationFileNamed: "Garden", in: folder).allTransactions().isEmpty)
        #expect(
            try SKTestSession(configurationFileNamed: "Garden.storekit", in: folder).timeRate == .realTime)
    }
}

/// What Apple's sample finds, in the scope in which it runs or outside of any.
private func ownedProducts() async -> [String] {
    var products: [String] = []
    for await result in Transaction.currentEntitlements {
        products.append(result.unsafePayloadValue.productID)
    }
    return products
}
