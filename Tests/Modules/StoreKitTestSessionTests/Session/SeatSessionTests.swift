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
        await #expect(throws: Product.PurchaseError.seatReductionNotAllowed) {
            try await session.buy(Garden.premium, [.seats(7)])
        }
        try session.refundSeats(ofTransaction: added.id, count: 2)
        try session.setRenewalSeats(forTransaction: first.id, to: 4)
        try session.refundTransaction(identifier: added.id)
        #expect(await session.entitled() == [Garden.premium])
        try session.refundTransaction(identifier: first.id)
        #expect(await session.entitled() == [])
    }

    @Test func `a product says whether seats are sold`() async throws {
        let session = try Garden.session()
        session.seatInvitationManagement = .apple
        let products = try await session.run {
            try await Product.products(for: [Garden.monthly, Garden.seeds])
        }
        #expect(products.map(\.supportsMultiSeatPurchase) == [true, false])
        session.seatInvitationManagement = nil
        await #expect(throws: Product.PurchaseError.multiSeatPurchaseDisabled) {
            try await session.buy(Garden.monthly, [.seats(2)])
        }
    }

    @Test func `a member gets a seat, and gives it up`() async throws {
        let buyer = try Garden.session()
        let member = buyer.newCustomer()
        buyer.seatInvitationManagement = .apple
        let purchase = try await buyer.bought(Garden.premium, [.seats(2)])
        try buyer.assignSeat(ofTransaction: purchase.id, to: member)
        #expect(await member.entitled() == [Garden.premium])
        try member.leaveFamilySharing(ofTransaction: member.latest().identifier)
        #expect(await member.entitled() == [])
        #expect(await buyer.entitled() == [Garden.premium])
        let stranger = try Garden.session()
        #expect(throws: SKTestError.self) {
            try buyer.assignSeat(ofTransaction: purchase.id, to: stranger)
        }
    }
}
