import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// Options of purchases.
@Suite struct PurchaseOptionTests {
    @Test func `a purchase in the past renews until now`() async throws {
        let session = try Garden.session(startingAt: Garden.day(100))
        let first = try await session.bought(Garden.premium, [.purchaseDate(Garden.day(0))])
        #expect(first.purchaseDate == Garden.day(0) && first.expirationDate == Garden.day(31))
        let dates = session.allTransactions().map(\.purchaseDate)
        #expect(dates == [Garden.day(0), Garden.day(31), Garden.day(59), Garden.day(90)])
        #expect(session.now == Garden.day(100))
        #expect(await session.entitled() == [Garden.premium])
    }

    @Test func `a purchase in the past that is cancelled has one period`() async throws {
        let session = try Garden.session(startingAt: Garden.day(100))
        let option = Product.PurchaseOption.purchaseDate(Garden.day(0), renewalBehavior: .cancelImmediately)
        try await session.bought(Garden.premium, [option])
        #expect(session.allTransactions().map(\.expirationDate) == [Garden.day(31)])
        #expect(try !session.latest().autoRenewingEnabled)
        #expect(try await session.state() == .expired)
        // It still holds if its period does.
        try await session.bought(
            Garden.premium, [.purchaseDate(Garden.day(90), renewalBehavior: .cancelImmediately)])
        #expect(try await session.state() == .subscribed)
        #expect(try !session.latest().autoRenewingEnabled)
    }

    @Test func `a purchase in the future, or within a later subscription, is refused`() async throws {
        let session = try Garden.session()
        let future = Product.PurchaseOption.purchaseDate(Garden.day(1))
        #expect(
            await code { try await session.buyProduct(identifier: Garden.seeds, options: [future]) }
                == .invalidAction)
        let endless = Product.PurchaseOption.purchaseDate(Date(timeIntervalSince1970: .infinity))
        #expect(await code { _ = try await session.buy(Garden.seeds, [endless]) } == .invalidAction)
        #expect(session.allTransactions().isEmpty)
        try session.advance(days: 10)
        try await session.bought(Garden.premium)
        let past = Product.PurchaseOption.purchaseDate(Garden.day(5))
        #expect(await code { _ = try await session.buy(Garden.premium, [past]) } == .invalidAction)
        try await session.bought(Garden.greenhouse, [past])
        #expect(session.allTransactions().map(\.purchaseDate) == [Garden.day(10), Garden.day(5)])
    }

    @Test func `the purchase date is now at the latest`() async throws {
        let session = try Garden.session()
        let seeds = try await session.bought(Garden.seeds, [.purchaseDate(Garden.start)])
        #expect(seeds.purchaseDate == Garden.start)
        let older = try await session.bought(Garden.season, [.purchaseDate(.distantPast)])
        #expect(older.purchaseDate < Garden.start)
    }

    @Test func `a renewal behavior is a value of Codable`() throws {
        let data = try JSONEncoder().encode([Product.PurchaseOption.SubscriptionRenewalBehavior.renewUntilNow]
        )
        let decoded = try JSONDecoder().decode(
            [Product.PurchaseOption.SubscriptionRenewalBehavior].self, from: data)
        #expect(decoded == [.renewUntilNow])
        #expect(
            Product.PurchaseOption.purchaseDate(Garden.start)
                == .purchaseDate(Garden.start, renewalBehavior: .renewUntilNow))
    }

    @Test func `a token and a quantity are in the transaction`() async throws {
        let session = try Garden.session()
        let token = UUID()
        let seeds = try await session.bought(Garden.seeds, [.appAccountToken(token), .quantity(10)])
        #expect(seeds.appAccountToken == token && seeds.purchasedQuantity == 10)
        for (product, quantity) in [
            (Garden.seeds, 0), (Garden.seeds, 11), (Garden.seeds, .min), (Garden.greenhouse, 2),
        ] {
            await #expect(throws: Product.PurchaseError.invalidQuantity) {
                _ = try await session.buy(product, [.quantity(quantity)])
            }
        }
    }

    @Test func `an offer is refused to a customer who is not eligible`() async throws {
        let session = try Garden.session()
        await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
            _ = try await session.buy(Garden.monthly, [.promotionalOffer(id: "spring")])
        }
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            _ = try await session.buy(Garden.monthly, [.promotionalOffer(id: "autumn")])
        }
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            _ = try await session.buy(Garden.monthly, [.codeOffer(referenceName: "spring")])
        }
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            _ = try await session.buy(Garden.seeds, [.codeOffer(referenceName: "fair")])
        }
        let transaction = try await session.bought(Garden.monthly, [.codeOffer(referenceName: "fair")])
        #expect(transaction.offer?.type == .code && transaction.offer?.id == "fair")
        #expect(transaction.price == Decimal(string: "5.99") && transaction.expirationDate == Garden.day(90))
        let isEligible = {
            await session.run { await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Garden.group) }
        }
        #expect(await !isEligible(), "a subscriber begins no introductory offer")
        try session.expireSubscription(productIdentifier: Garden.monthly)
        #expect(await isEligible(), "an offer code is no introductory offer")
    }

    @Test func `an offer for a subscriber begins with the next periods`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.monthly)
        try session.advance(days: 8)
        try await session.bought(
            Garden.monthly, [.promotionalOffer("spring", compactJWS: "signed by nobody")])
        try session.advance(days: 100)
        let prices = await session.run {
            var prices: [Decimal?] = []
            for await result in Transaction.all { prices.append(result.unsafePayloadValue.price) }
            return prices
        }
        let full = Decimal(string: "4.99")
        let reduced = Decimal(string: "2.99")
        #expect(prices == [full, reduced, reduced, full, 0])
    }

    @Test func `the app may say whether the introductory offer is the customer's`() async throws {
        let session = try Garden.session()
        let transaction = try await session.bought(Garden.monthly)
        #expect(transaction.offer?.type == .introductory && transaction.offer?.paymentMode == .freeTrial)
        #expect(transaction.price == 0 && transaction.expirationDate == Garden.day(7))
        let isEligible = await session.run {
            await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Garden.group)
        }
        #expect(!isEligible)
        try session.expireSubscription(productIdentifier: Garden.monthly)
        #expect(try await session.bought(Garden.monthly).offer == nil)
    }

    @Test func `a win-back offer is for customers whose subscription has ended`() async throws {
        let session = try Garden.session()
        let product = try await session.run { try await Product.products(for: [Garden.monthly])[0] }
        let offer = try #require(product.subscription?.winBackOffers.first)
        #expect(offer.id == "come-back" && offer.price == 0 && offer.type == .winBack)
        for _ in 0..<2 {
            await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
                _ = try await session.buy(Garden.monthly, [.winBackOffer(offer)])
            }
            if session.allTransactions().isEmpty { try await session.bought(Garden.monthly) }
        }
        try session.expireSubscription(productIdentifier: Garden.monthly)
        let status = try await session.run {
            try await Product.SubscriptionInfo.status(for: Garden.group).first
        }
        #expect(try status?.renewalInfo.payloadValue.eligibleWinBackOfferIDs == ["come-back"])
        #expect(try await session.bought(Garden.monthly, [.winBackOffer(offer)]).offer?.id == "come-back")
    }
}
