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
                "set seats developer", "anna: expire", "anna: buy \(Scene.product) seats=5")
            let last = try #require(try scene.scene.events("anna: add-seats 3").last)
            added = try #require(last["transactionId"] as? String)
            try scene.succeed("migrate", try Scene.migration(["plant"]))
            _ = scene.notifications()
        }

        func body(_ seats: String, _ reason: String = "LEGAL", type: String = "FULL") throws -> [String: Any]
        {
            try Scene.body(
                #"{"refundReason":"\#(reason)","refundRiskingPreference":false,"refundType":"\#(type)","#
                    + #""revokeSeatQuantity":\#(seats)}"#)
        }

        /// The seats that are left.
        func count() throws -> Int {
            let path = "/groups/v1/transactions/\(scene.id)/seats"
            return try #require(try scene.scene.get(path)["totalSeatCount"] as? Int)
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
        #expect(seats.scene.notifications() == ["REFUND/SEATS", "UNCLAIM_SEATS"])
        #expect(try seats.count() == 6 && seats.scene.status() == 1)
        let added = try seats.scene.transaction(seats.added)
        #expect(added.multiSeatInfo?.revokedSeatQuantity == 2 && added.revocationDate == nil)
        let item = try #require(added.advancedCommerceInfo?.items.first)
        let refund = try #require(item.refunds.first)
        #expect(refund.revokedSeatQuantity == 2 && item.revocationDate == nil)
        #expect(refund.amount == (item.price ?? 0) * 2 && item.price == added.price)
        // Of the four that come next, one is left there, and three are of the first purchase.
        try seats.scene.succeed("revoke", seats.body("4", type: "PRORATED"))
        #expect(seats.scene.notifications() == ["REFUND", "UNCLAIM_SEATS", "REFUND/SEATS", "UNCLAIM_SEATS"])
        #expect(try seats.count() == 2 && seats.scene.status() == 1)
        #expect(try seats.scene.transaction(seats.added).revocationDate != nil)
    }

    @Test(arguments: ["null", "8"])
    func `a revocation of all seats ends the subscription, with all of its transactions`(_ all: String) throws
    {
        let seats = try Seats()
        try seats.scene.succeed("revoke", seats.body("2"))
        #expect(try seats.scene.code("revoke", seats.body("7")) == 4_000_132)
        _ = seats.scene.notifications()
        let renewal = try seats.scene.succeed("revoke", seats.body(all == "8" ? "6" : all)).renewal
        #expect(!renewal.willAutoRenew)
        #expect(seats.scene.notifications() == ["REFUND", "REFUND"])
        #expect(try seats.count() == 0 && seats.scene.status() == 5)
        let item = try #require(seats.scene.transaction(seats.added).advancedCommerceInfo?.items.first)
        #expect(item.refunds.map(\.revokedSeatQuantity) == [2, nil] && item.revocationDate != nil)
        #expect(item.refunds.map(\.amount) == [(item.price ?? 0) * 2, item.price])
    }

    @Test(arguments: [
        ("0", 4_000_173), ("-1", 4_000_173), ("1.5", 4_000_173), (#""2""#, 4_000_173), ("[]", 4_000_173),
        ("2147483648", 4_000_173), ("9", 4_000_132), ("2147483647", 4_000_132),
    ])
    func `a number of seats that cannot be has a code, and changes nothing`(
        _ number: String, _ code: Int
    ) throws {
        let seats = try Seats()
        #expect(try seats.scene.code("revoke", seats.body(number)) == code)
        #expect(try seats.count() == 8 && seats.scene.notifications().isEmpty)
        try seats.scene.succeed("revoke", seats.body("1"))
    }

    @Test func `a refusal that is asked for, and a subscription of one person`() throws {
        let seats = try Seats()
        let renewal = try seats.scene.succeed("revoke", seats.body("2", "SIMULATE_REFUND_DECLINE")).renewal
        #expect(seats.scene.notifications() == ["REFUND_DECLINED"])
        #expect(try seats.count() == 8 && renewal.willAutoRenew)
        let single = try Scene()
        #expect(try single.code("revoke", seats.body("1")) == 4_030_010)
    }
}
