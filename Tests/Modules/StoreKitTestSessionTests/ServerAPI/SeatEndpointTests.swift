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
        static let product = "com.example.garden.premium.monthly"

        let scene: ServerAPIScene
        let id: String
        var path: String { "/groups/v1/transactions/\(id)/seats" }

        init(_ quantity: Int, environment: AppStore.Environment = .sandbox) throws {
            scene = try ServerAPIScene(environment: environment)
            try scene.events("set seats developer")
            id = try scene.buy(Self.product, options: "seats=\(quantity)")
        }

        func body(request: UUID = UUID(), _ members: String = "") -> String {
            #"{"requestIdentifier":"\#(request)"\#(members)}"#
        }

        func claim(_ request: UUID = UUID()) throws -> String {
            let answer = try scene.succeed("POST", path, body(request: request))
            let claim = try #require(answer["seatClaimId"] as? String)
            #expect(UUID(uuidString: claim) != nil && claim == claim.lowercased())
            return claim
        }

        /// The number of seats, of seats to claim, and the claims.
        func info() throws -> [AnyHashable] {
            let answer = try scene.get(path)
            return [
                try #require(answer["totalSeatCount"] as? Int),
                try #require(answer["availableSeatCount"] as? Int),
                try #require(answer["assignedSeatClaimIds"] as? [String]),
            ]
        }
    }

    @Test func `a seat is claimed once for each request`() throws {
        let seats = try Seats(2)
        #expect(try seats.info() == [2, 2, [String]()])
        let request = UUID()
        let first = try seats.claim(request)
        #expect(try seats.claim(request) == first)
        #expect(try seats.info() == [2, 1, [first]])
        let second = try seats.claim()
        #expect(second != first)
        #expect(try seats.info() == [2, 0, [first, second]])
        #expect(try seats.scene.errorCode("POST", seats.path, seats.body()) == 4_039_901)
        // A request that is known needs no seat.
        #expect(try seats.claim(request) == first)
    }

    @Test func `a seat that is unclaimed can be claimed again, under a new claim`() throws {
        let seats = try Seats(1)
        let first = try seats.claim()
        #expect(try seats.scene.send("DELETE", seats.path + "/" + first).status == 200)
        #expect(try seats.scene.errorCode("DELETE", seats.path + "/" + first) == 4_049_901)
        #expect(try seats.claim() != first)
        for unknown in [UUID().uuidString, "1"] {
            #expect(try seats.scene.errorCode("DELETE", seats.path + "/" + unknown) == 4_049_901)
        }
    }

    @Test func `a renewal with fewer seats keeps all claims`() throws {
        let seats = try Seats(8)
        let claims = try (0..<7).map { _ in try seats.claim() }
        try seats.scene.events("anna: remove-seats 4", "+1p1d end")
        #expect(try seats.info() == [4, 0, claims])
        for claim in claims.prefix(3) {
            _ = try seats.scene.send("DELETE", seats.path + "/" + claim)
        }
        #expect(try seats.info() == [4, 0, Array(claims.suffix(4))])
        #expect(seats.scene.store.takeNotifications().allSatisfy { $0.type != .unclaimSeats })
    }

    @Test func `a refund of seats unclaims those that are no longer there, and tells of them`() async throws {
        let seats = try Seats(3)
        let claims = try (0..<3).map { _ in try seats.claim() }
        _ = seats.scene.store.takeNotifications()
        try seats.scene.events("anna: refund-seats 2")
        #expect(try seats.info() == [1, 0, [claims[0]]])
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

    @Test func `a subscription that has ended has no seats`() throws {
        let seats = try Seats(3)
        let claim = try seats.claim()
        try seats.scene.events("anna: expire")
        #expect(try seats.info() == [0, 0, [claim]])
        #expect(try seats.scene.errorCode("POST", seats.path, seats.body()) == 4_039_901)
    }

    @Test func `customers are named by the number of their download`() throws {
        let seats = try Seats(3)
        let scene = seats.scene
        let bought = try scene.events("ben: buy $consumable")
        let ben = try #require(bought.last?["appTransactionId"] as? String)
        let known = try scene.succeed("POST", seats.path, seats.body(#","appTransactionId":"\#(ben)""#))
        #expect(known["seatClaimId"] is String)
        let path = try seats.path + "/" + seats.claim() + "/associate"
        #expect(try scene.send("POST", path, #"{"appTransactionId":"\#(ben)"}"#).status == 200)
        for unknown in ["1", "x"] {
            let member = #""appTransactionId":"\#(unknown)""#
            #expect(try scene.errorCode("POST", path, "{\(member)}") == 4_049_902)
            #expect(try scene.errorCode("POST", seats.path, seats.body("," + member)) == 4_049_902)
        }
        #expect(try scene.errorCode("POST", path, "{}") == 4_000_000)
        let other = seats.path + "/\(UUID())/associate"
        #expect(try scene.errorCode("POST", other, #"{"appTransactionId":"\#(ben)"}"#) == 4_049_901)
    }

    @Test func `other purchases have no seats to claim`() throws {
        let seats = try Seats(3)
        let scene = seats.scene
        for (method, path) in [
            ("GET", ""), ("POST", ""), ("DELETE", "/\(UUID())"), ("POST", "/\(UUID())/associate"),
        ] {
            let code = { (id: String) in
                try scene.errorCode(method, "/groups/v1/transactions/\(id)/seats" + path, seats.body())
            }
            #expect(try code(scene.buy("$consumable", "ben")) == 4_009_902)
            #expect(try code("1") == 4_040_010)
            #expect(try code("x") == 4_000_006)
        }
        #expect(try scene.errorCode("POST", seats.path, #"{"requestIdentifier":"1"}"#) == 4_000_011)
        try scene.events("set seats apple", "eva: buy \(Seats.product) seats=2")
        let apple = try #require(try scene.events("eva: assign with=fred").last)
        for name in ["transactionId", "originalTransactionId"] {
            let id = try #require(apple[name] as? String)
            #expect(try scene.errorCode("GET", "/groups/v1/transactions/\(id)/seats") == 4_009_902)
        }
    }

    @Test func `a refund of one of two transactions unclaims its seats`() throws {
        let seats = try Seats(1)
        let first = try seats.claim()
        try seats.scene.events("anna: add-seats 2")
        let added = try (0..<2).map { _ in try seats.claim() }
        #expect(try seats.info() == [3, 0, [first] + added])
        try seats.scene.events("anna: refund first")
        #expect(try seats.info() == [2, 0, [first, added[0]]])
        // Of a subscription that has ended, the claims stay as they are.
        try seats.scene.events("anna: refund latest")
        #expect(try seats.info() == [0, 0, [first, added[0]]])
    }

    @Test func `a transaction of a seat that was given is refused where Apple refuses it`() throws {
        let scene = try ServerAPIScene()
        try scene.events("set seats apple", "anna: buy \(Seats.product) seats=2")
        let member = try #require(try scene.events("anna: assign with=ben").last)
        let id = try #require(member["transactionId"] as? String)
        let path = "/inApps/v1/transactions"
        let token = #"{"appAccountToken":"\#(UUID())"}"#
        #expect(try scene.errorCode("PUT", "\(path)/\(id)/appAccountToken", token) == 4_000_227)
        for version in ["v1", "v2"] {
            let path = "/inApps/\(version)/transactions/consumption/\(id)"
            #expect(try scene.errorCode("PUT", path, "{}") == 4_000_227)
        }
        let extension_ = #"{"extendByDays":30,"extendReasonCode":1,"requestIdentifier":"r1"}"#
        #expect(
            try scene.errorCode("PUT", "/inApps/v1/subscriptions/extend/\(id)", extension_) == 4_030_028)
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
