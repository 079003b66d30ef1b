import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Seats whose members the developer invites.
///
/// Apple's pages: [Claim Seat](https://developer.apple.com/documentation/appstoreserverapi/claim-seat),
/// [Get Seat Info](https://developer.apple.com/documentation/appstoreserverapi/get-seat-info),
/// [Unclaim Seat](https://developer.apple.com/documentation/appstoreserverapi/unclaim-seat),
/// [Associate Seat](https://developer.apple.com/documentation/appstoreserverapi/associate-seat),
/// [unclaimSeatIds](https://developer.apple.com/documentation/appstoreservernotifications/unclaimseatids).
@Suite struct SeatEndpointTests {
    /// A subscription with seats, and a client of its endpoints.
    private struct Seats {
        let scene: ServerAPIScene
        let id: String
        var path: String { "/groups/v1/transactions/\(id)/seats" }

        init(_ quantity: Int, environment: AppStore.Environment = .sandbox) throws {
            scene = try ServerAPIScene(environment: environment)
            try scene.events("set seats developer")
            id = try scene.buy(Garden.premium, options: "seats=\(quantity)")
        }

        func body(request: UUID = UUID(), _ members: String = "") -> String {
            #"{"requestIdentifier":"\#(request)"\#(members)}"#
        }

        func claim(_ request: UUID = UUID()) throws -> String {
            let answer = try scene.succeed("POST", path, body(request: request))
            let claim = try answer.text("seatClaimId")
            #expect(UUID(uuidString: claim) != nil && claim == claim.lowercased())
            return claim
        }

        /// Expects so many seats, so many of them to claim, and these claims.
        func expect(
            _ total: Int, free: Int, _ claims: [String], at location: SourceLocation = #_sourceLocation
        ) throws {
            let answer = try scene.get(path)
            answer.expect(
                ["totalSeatCount": .number(total), "availableSeatCount": .number(free)], at: location)
            #expect(answer["assignedSeatClaimIds"] as? [String] == claims, sourceLocation: location)
        }
    }

    @Test func `a seat is claimed once for each request, and again when it was unclaimed`() throws {
        let seats = try Seats(2)
        try seats.expect(2, free: 2, [])
        let request = UUID()
        let first = try seats.claim(request)
        #expect(try seats.claim(request) == first)
        try seats.expect(2, free: 1, [first])
        let second = try seats.claim()
        try seats.expect(2, free: 0, [first, second])
        try seats.scene.refuses(4_039_901, "POST", seats.path, seats.body())
        // A request that is known needs no seat.
        #expect(try seats.claim(request) == first)
        #expect(try seats.scene.send("DELETE", seats.path + "/" + first).status == 200)
        for unknown in [first, UUID().uuidString, "1"] {
            try seats.scene.refuses(4_049_901, "DELETE", seats.path + "/" + unknown)
        }
        let third = try seats.claim()
        #expect(Set([first, second, third]).count == 3)
        // A subscription that has ended has no seats, and keeps its claims.
        try seats.scene.events("anna: expire")
        try seats.expect(0, free: 0, [second, third])
        try seats.scene.refuses(4_039_901, "POST", seats.path, seats.body())
    }

    @Test func `a renewal with fewer seats keeps all claims`() throws {
        let seats = try Seats(8)
        let claims = try (0..<7).map { _ in try seats.claim() }
        try seats.scene.events("anna: remove-seats 4", "+1p1d end")
        try seats.expect(4, free: 0, claims)
        for claim in claims.prefix(3) {
            _ = try seats.scene.send("DELETE", seats.path + "/" + claim)
        }
        try seats.expect(4, free: 0, Array(claims.suffix(4)))
        #expect(seats.scene.store.takeNotifications().allSatisfy { $0.type != .unclaimSeats })
    }

    @Test func `a refund of seats unclaims those that are no longer there, and tells of them`() async throws {
        let seats = try Seats(3)
        let claims = try (0..<3).map { _ in try seats.claim() }
        _ = seats.scene.store.takeNotifications()
        try seats.scene.events("anna: refund-seats 2")
        try seats.expect(1, free: 0, [claims[0]])
        let notifications = seats.scene.store.takeNotifications()
        #expect(notifications.map(\.name) == ["REFUND/SEATS", "UNCLAIM_SEATS"])
        let notification = try #require(notifications.last)
        let value = try StoreKitVerifier(seats.scene.store.verifier)
            .notification(notification.signedPayload).payloadValue
        let info = try #require(value.unclaimInfo)
        #expect(info.unclaimSeatIDs.map { $0.uuidString.lowercased() } == Array(claims[1...]))
        #expect(info.originalTransactionID.map { String($0) } == seats.id)
        #expect(value.accessChange == .endsForClaims)
        // A refund that leaves enough seats tells nothing.
        let rich = try Seats(3)
        try rich.scene.events("anna: refund-seats 2")
        #expect(rich.scene.store.takeNotifications().allSatisfy { $0.type != .unclaimSeats })
    }

    @Test func `customers are named by the number of their download`() throws {
        let seats = try Seats(3)
        let scene = seats.scene
        let ben = try scene.event("ben: buy $consumable").text("appTransactionId")
        let known = try scene.succeed("POST", seats.path, seats.body(#","appTransactionId":"\#(ben)""#))
        #expect(known["seatClaimId"] is String)
        let path = try seats.path + "/" + seats.claim() + "/associate"
        #expect(try scene.send("POST", path, #"{"appTransactionId":"\#(ben)"}"#).status == 200)
        for unknown in ["1", "x"] {
            let member = #""appTransactionId":"\#(unknown)""#
            try scene.refuses(4_049_902, "POST", path, "{\(member)}")
            try scene.refuses(4_049_902, "POST", seats.path, seats.body("," + member))
        }
        try scene.refuses(4_000_000, "POST", path, "{}")
        let other = seats.path + "/\(UUID())/associate"
        try scene.refuses(4_049_901, "POST", other, #"{"appTransactionId":"\#(ben)"}"#)
    }

    @Test func `other purchases have no seats to claim`() throws {
        let seats = try Seats(3)
        let scene = seats.scene
        for (method, path) in [
            ("GET", ""), ("POST", ""), ("DELETE", "/\(UUID())"), ("POST", "/\(UUID())/associate"),
        ] {
            let consumable = try scene.buy("$consumable", "ben")
            for (id, code) in [(consumable, 4_009_902), ("1", 4_040_010), ("x", 4_000_006)] {
                try scene.refuses(
                    code, method, "/groups/v1/transactions/\(id)/seats" + path, seats.body())
            }
        }
        try scene.refuses(4_000_011, "POST", seats.path, #"{"requestIdentifier":"1"}"#)
        try scene.events("set seats apple", "eva: buy \(Garden.premium) seats=2")
        let apple = try scene.event("eva: assign with=fred")
        for name in ["transactionId", "originalTransactionId"] {
            try scene.refuses(4_009_902, "GET", "/groups/v1/transactions/\(try apple.text(name))/seats")
        }
    }

    @Test func `a refund of one of two transactions unclaims its seats`() throws {
        let seats = try Seats(1)
        let first = try seats.claim()
        try seats.scene.events("anna: add-seats 2")
        let added = try (0..<2).map { _ in try seats.claim() }
        try seats.expect(3, free: 0, [first] + added)
        try seats.scene.events("anna: refund first")
        try seats.expect(2, free: 0, [first, added[0]])
        // Of a subscription that has ended, the claims stay as they are.
        try seats.scene.events("anna: refund latest")
        try seats.expect(0, free: 0, [first, added[0]])
    }

    @Test func `a transaction of a seat that was given is refused where Apple refuses it`() throws {
        let scene = try ServerAPIScene()
        try scene.events("set seats apple", "anna: buy \(Garden.premium) seats=2")
        let id = try scene.event("anna: assign with=ben").text("transactionId")
        let path = "/inApps/v1/transactions"
        let token = #"{"appAccountToken":"\#(UUID())"}"#
        try scene.refuses(4_000_227, "PUT", "\(path)/\(id)/appAccountToken", token)
        for version in ["v1", "v2"] {
            let path = "/inApps/\(version)/transactions/consumption/\(id)"
            try scene.refuses(4_000_227, "PUT", path, "{}")
        }
        let extension_ = #"{"extendByDays":30,"extendReasonCode":1,"requestIdentifier":"r1"}"#
        try scene.refuses(4_030_028, "PUT", "/inApps/v1/subscriptions/extend/\(id)", extension_)
        for (name, count) in [("ASSIGNED", 1), ("PURCHASED", 0), ("FAMILY_SHARED", 0)] {
            let history = try scene.get("/inApps/v2/history/\(id)?inAppOwnershipType=\(name)")
            #expect((history["signedTransactions"] as? [String])?.count == count)
        }
    }

    @Test func `the endpoints are not in production`() throws {
        let seats = try Seats(3, environment: .production)
        #expect(try seats.scene.send("GET", seats.path).status == 404)
        #expect(try seats.scene.send("GET", "/groups/v1/currentGroups/\(seats.id)").status == 404)
    }
}
