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
        await session.expect(entitled: [Garden.premium])
    }

    @Test func `a purchase in the past that is cancelled has one period`() async throws {
        let session = try Garden.session(startingAt: Garden.day(100))
        let option = Product.PurchaseOption.purchaseDate(Garden.day(0), renewalBehavior: .cancelImmediately)
        try await session.bought(Garden.premium, [option])
        #expect(session.allTransactions().map(\.expirationDate) == [Garden.day(31)])
        #expect(try !session.latest().autoRenewingEnabled)
        try await session.expect(.expired)
        // It still holds if its period does.
        try await session.bought(
            Garden.premium, [.purchaseDate(Garden.day(90), renewalBehavior: .cancelImmediately)])
        try await session.expect(.subscribed)
        #expect(try !session.latest().autoRenewingEnabled)
    }

    @Test func `a purchase in the future, or within a later subscription, is refused`() async throws {
        let session = try Garden.session()
        let future = Product.PurchaseOption.purchaseDate(Garden.day(1))
        let early = await code { try await session.buyProduct(identifier: Garden.seeds, options: [future]) }
        #expect(early == .invalidAction)
        let endless = Product.PurchaseOption.purchaseDate(Date(timeIntervalSince1970: .infinity))
        let never = await code { _ = try await session.buy(Garden.seeds, [endless]) }
        #expect(never == .invalidAction)
        #expect(session.allTransactions().isEmpty)
        try session.advance(days: 10)
        try await session.bought(Garden.premium)
        let past = Product.PurchaseOption.purchaseDate(Garden.day(5))
        let within = await code { _ = try await session.buy(Garden.premium, [past]) }
        #expect(within == .invalidAction)
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
            await session.refuses(Product.PurchaseError.invalidQuantity, product, [.quantity(quantity)])
        }
    }

    @Test func `an offer is refused to a customer who is not eligible`() async throws {
        let session = try Garden.session()
        let ineligible = Product.PurchaseError.ineligibleForOffer
        let unknown = Product.PurchaseError.invalidOfferIdentifier
        await session.refuses(ineligible, Garden.monthly, [.promotionalOffer(id: "spring")])
        await session.refuses(unknown, Garden.monthly, [.promotionalOffer(id: "autumn")])
        await session.refuses(unknown, Garden.monthly, [.codeOffer(referenceName: "spring")])
        await session.refuses(unknown, Garden.seeds, [.codeOffer(referenceName: "fair")])
        let transaction = try await session.bought(Garden.monthly, [.codeOffer(referenceName: "fair")])
        #expect(transaction.offer?.type == .code && transaction.offer?.id == "fair")
        #expect(transaction.price == Decimal(string: "5.99") && transaction.expirationDate == Garden.day(90))
        #expect(await !session.isEligible(), "a subscriber begins no introductory offer")
        try session.expireSubscription(productIdentifier: Garden.monthly)
        #expect(await session.isEligible(), "an offer code is no introductory offer")
    }

    @Test func `an offer for a subscriber begins with the next periods`() async throws {
        let session = try Garden.session()
        try await session.bought(Garden.monthly)
        try session.advance(days: 8)
        try await session.bought(
            Garden.monthly, [.promotionalOffer("spring", compactJWS: "signed by nobody")])
        try session.advance(days: 100)
        let prices = await session.history().map(\.price)
        let full = Decimal(string: "4.99")
        let reduced = Decimal(string: "2.99")
        #expect(prices == [full, reduced, reduced, full, 0])
    }

    @Test func `the app may say whether the introductory offer is the customer's`() async throws {
        let session = try Garden.session()
        let transaction = try await session.bought(Garden.monthly)
        #expect(transaction.offer?.type == .introductory && transaction.offer?.paymentMode == .freeTrial)
        #expect(transaction.price == 0 && transaction.expirationDate == Garden.day(7))
        #expect(await !session.isEligible())
        try session.expireSubscription(productIdentifier: Garden.monthly)
        #expect(try await session.bought(Garden.monthly).offer == nil)
    }

    @Test func `a win-back offer is for customers whose subscription has ended`() async throws {
        let session = try Garden.session()
        let product = try await session.product(Garden.monthly)
        let offer = try #require(product.subscription?.winBackOffers.first)
        #expect(offer.id == "come-back" && offer.price == 0 && offer.type == .winBack)
        for _ in 0..<2 {
            await session.refuses(
                Product.PurchaseError.ineligibleForOffer, Garden.monthly, [.winBackOffer(offer)])
            if session.allTransactions().isEmpty { try await session.bought(Garden.monthly) }
        }
        try session.expireSubscription(productIdentifier: Garden.monthly)
        let info = try await session.status().renewalInfo.payloadValue
        #expect(info.eligibleWinBackOfferIDs == ["come-back"])
        #expect(try await session.bought(Garden.monthly, [.winBackOffer(offer)]).offer?.id == "come-back")
    }
}
