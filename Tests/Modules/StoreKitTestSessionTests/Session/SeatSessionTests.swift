import StoreKitTestSession
import StoreKitVerify
import Testing

/// Seats that an app buys by StoreKit's options (StoreKit 27.3, `PurchaseOption.seats(_:)`).
@Suite struct SeatSessionTests {
    @Test func `an app buys seats and adds some, and the argument is the total`() async throws {
        let session = try Garden.session()
        session.seatInvitationManagement = .developer
        let first = try await session.bought(Garden.premium, [.seats(5)])
        #expect(
            first.multiSeatInfo?.priceTiers.map(\.quantity) == [5] && first.additionalTransactionReason == nil
        )
        let added = try await session.bought(Garden.premium, [.seats(8)])
        #expect(added.multiSeatInfo?.priceTiers.map(\.quantity) == [3])
        #expect(added.additionalTransactionReason == .seatAddition && added.id != first.id)
        #expect(await session.entitled().allSatisfy { $0 == Garden.premium })
        await session.refuses(Product.PurchaseError.seatReductionNotAllowed, Garden.premium, [.seats(7)])
        try session.refundSeats(ofTransaction: added.id, count: 2)
        try session.setRenewalSeats(forTransaction: first.id, to: 4)
        try session.refundTransaction(identifier: added.id)
        await session.expect(entitled: [Garden.premium])
        try session.refundTransaction(identifier: first.id)
        await session.expect(entitled: [])
    }

    @Test func `a product says whether seats are sold`() async throws {
        let session = try Garden.session()
        session.seatInvitationManagement = .apple
        let products = try await session.run {
            try await Product.products(for: [Garden.monthly, Garden.seeds])
        }
        #expect(products.map(\.supportsMultiSeatPurchase) == [true, false])
        session.seatInvitationManagement = nil
        await session.refuses(Product.PurchaseError.multiSeatPurchaseDisabled, Garden.monthly, [.seats(2)])
    }

    private typealias Pricing = Product.SubscriptionInfo.PricingTerms.SeatBasedPricing

    /// The prices of seats of a product; `nil` if it has one price.
    private func seatPrices(_ session: SKTestSession) async throws -> Pricing? {
        let product = try await session.product(Garden.monthly)
        let terms = try #require(product.subscription?.pricingTerms)
        #expect(terms.map(\.billingPlanType) == [.upFront])
        guard case .seatBased(let pricing)? = terms.first?.pricingModel else { return nil }
        return pricing
    }

    @Test func `the terms of a product that is sold in seats say what a seat costs`() async throws {
        let session = try Garden.session()
        let none = try await seatPrices(session)
        #expect(none == nil)
        session.seatInvitationManagement = .apple
        let all = try await seatPrices(session)
        let single = try #require(all?.priceTiers.first)
        #expect(single.minimumSeats == 1 && single.maximumSeats == nil)
        #expect(single.billingInfo.displayPrice == "$4.99" && single.billingInfo.period.value == 1)
        // Up to five tiers, of which a scenario sets the prices.
        let scenario = try Scenario("set seats developer tiers=5:9.99,10:7.99,5.5", name: "tiers")
        try ScenarioRun(scenario, in: session.appStore).run { _ in }
        let developers = try await seatPrices(session)
        let tiers = try #require(developers?.priceTiers)
        #expect(tiers.map(\.minimumSeats) == [1, 6, 16] && tiers.map(\.maximumSeats) == [5, 15, nil])
        #expect(tiers.map(\.billingInfo.displayPrice) == ["$9.99", "$7.99", "$5.50"])
    }

    @Test func `a member gets a seat, and gives it up`() async throws {
        let buyer = try Garden.session()
        let member = buyer.newCustomer()
        buyer.seatInvitationManagement = .apple
        let purchase = try await buyer.bought(Garden.premium, [.seats(2)])
        try buyer.assignSeat(ofTransaction: purchase.id, to: member)
        await member.expect(entitled: [Garden.premium])
        try member.leaveFamilySharing(ofTransaction: member.latest().identifier)
        await member.expect(entitled: [])
        await buyer.expect(entitled: [Garden.premium])
        let stranger = try Garden.session()
        refuses(.invalidAction) { try buyer.assignSeat(ofTransaction: purchase.id, to: stranger) }
    }
}
