import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Seats that an app's server takes back through the Advanced Commerce API (`revokeSeatQuantity`).
///
/// Apple's page: [Revoke Subscription](https://developer.apple.com/documentation/advancedcommerceapi/revoke-subscription),
/// with the members of StoreKit 27.3 (`AdvancedCommerceInfo.Refund.revokedSeatQuantity`).
@Suite struct SeatRevocationTests {
    private typealias Scene = AdvancedCommerceScene

    /// A managed subscription with five seats, and three that were added.
    private struct Seats {
        let scene: Scene
        let added: String

        init() throws {
            scene = try Scene(items: [])
            try scene.scene.events(
                "set seats developer", "anna: expire", "anna: buy \(Garden.premium) seats=5")
            added = try scene.scene.event("anna: add-seats 3").text("transactionId")
            try scene.succeed("migrate", try Scene.migration(["plant"]))
            _ = scene.scene.store.takeNotifications()
        }

        func body(_ seats: String, _ reason: String = "LEGAL", type: String = "FULL") throws -> [String: Any]
        {
            try Scene.body(
                #"{"refundReason":"\#(reason)","refundRiskingPreference":false,"refundType":"\#(type)","#
                    + #""revokeSeatQuantity":\#(seats)}"#)
        }

        /// Expects the number of seats that are left, and the status of the subscription.
        func expect(
            _ count: Int, status: Int = 1, at location: SourceLocation = #_sourceLocation
        ) throws {
            let answer = try scene.scene.get("/groups/v1/transactions/\(scene.id)/seats")
            answer.expect(["totalSeatCount": .number(count)], at: location)
            try scene.expect(status: status, at: location)
        }

        func claim() throws {
            let path = "/groups/v1/transactions/\(scene.id)/seats"
            try scene.scene.succeed("POST", path, #"{"requestIdentifier":"\#(UUID())"}"#)
        }
    }

    @Test func `seats are taken back from those that were added last, and the subscription goes on`() throws {
        let seats = try Seats()
        for _ in 0..<8 { try seats.claim() }
        let renewal = try seats.scene.succeed("revoke", seats.body("2")).renewal
        #expect(renewal.willAutoRenew && renewal.renewalQuantity == 8)
        seats.scene.expect(["REFUND/SEATS", "UNCLAIM_SEATS"])
        try seats.expect(6)
        let added = try seats.scene.transaction(seats.added)
        #expect(added.multiSeatInfo?.revokedSeatQuantity == 2 && added.revocationDate == nil)
        let item = try #require(added.advancedCommerceInfo?.items.first)
        let refund = try #require(item.refunds.first)
        #expect(refund.revokedSeatQuantity == 2 && item.revocationDate == nil)
        let price = try #require(item.price)
        #expect(refund.amount == price * 2 && added.price == price)
        // Of the four that come next, one is left there, and three are of the first purchase.
        try seats.scene.succeed("revoke", seats.body("4", type: "PRORATED"))
        seats.scene.expect(["REFUND", "UNCLAIM_SEATS", "REFUND/SEATS", "UNCLAIM_SEATS"])
        try seats.expect(2)
        #expect(try seats.scene.transaction(seats.added).revocationDate != nil)
    }

    @Test(arguments: ["null", "8"])
    func `a revocation of all seats ends the subscription and its transactions`(_ all: String) throws {
        let seats = try Seats()
        try seats.scene.succeed("revoke", seats.body("2"))
        try seats.scene.refuses(4_000_132, "revoke", seats.body("7"))
        _ = seats.scene.scene.store.takeNotifications()
        let renewal = try seats.scene.succeed("revoke", seats.body(all == "8" ? "6" : all)).renewal
        #expect(!renewal.willAutoRenew)
        seats.scene.expect(["REFUND", "REFUND"])
        try seats.expect(0, status: 5)
        let item = try #require(seats.scene.transaction(seats.added).advancedCommerceInfo?.items.first)
        #expect(item.refunds.map(\.revokedSeatQuantity) == [2, nil] && item.revocationDate != nil)
        let price = try #require(item.price)
        #expect(item.refunds.map(\.amount) == [price * 2, price])
    }

    @Test(arguments: [
        ("0", 4_000_173), ("-1", 4_000_173), ("1.5", 4_000_173), (#""2""#, 4_000_173), ("[]", 4_000_173),
        ("2147483648", 4_000_173), ("9", 4_000_132), ("2147483647", 4_000_132),
    ])
    func `a number of seats that cannot be has a code, and changes nothing`(
        _ number: String, _ code: Int
    ) throws {
        let seats = try Seats()
        try seats.scene.refuses(code, "revoke", seats.body(number))
        try seats.expect(8)
        seats.scene.expect([])
        try seats.scene.succeed("revoke", seats.body("1"))
    }

    @Test func `a refusal that is asked for, and a subscription of one person`() throws {
        let seats = try Seats()
        let renewal = try seats.scene.succeed("revoke", seats.body("2", "SIMULATE_REFUND_DECLINE")).renewal
        seats.scene.expect(["REFUND_DECLINED"])
        try seats.expect(8)
        #expect(renewal.willAutoRenew)
        let single = try Scene()
        try single.refuses(4_030_010, "revoke", seats.body("1"))
    }
}
