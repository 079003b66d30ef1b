import Foundation
import StoreKitTestSession
import StoreKitVerify
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
            id = try scene.buy("com.example.garden.premium.monthly")
            try set(#""quantity":\#(quantity)"#)
        }

        func set(_ members: String) throws {
            let response = scene.local("/test/seats", #"{"transactionId":"\#(id)",\#(members)}"#)
            #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
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
        try seats.set(#""quantity":4"#)
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
        try seats.set(#""revokedSeatQuantity":2"#)
        #expect(try seats.info() == [1, 0, [claims[0]]])
        let notification = try #require(seats.scene.store.takeNotifications().first)
        #expect(notification.name == "UNCLAIM_SEATS")
        let value = try StoreKitVerifier(seats.scene.store.verifier)
            .notification(notification.signedPayload).payloadValue
        let info = try #require(value.unclaimInfo)
        #expect(info.unclaimSeatIDs.map { $0.uuidString.lowercased() } == Array(claims[1...]))
        #expect(info.originalTransactionID.map { String($0) } == seats.id)
        #expect(value.accessChange == .endsForClaims)
        // A refund that leaves enough seats tells nothing.
        let rich = try Seats(3)
        try rich.set(#""revokedSeatQuantity":2"#)
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
        try seats.set(#""quantity":3,"invitationManagement":"APPLE""#)
        #expect(try scene.errorCode("GET", seats.path) == 4_009_902)
    }

    @Test func `the endpoints are not in production`() throws {
        let seats = try Seats(3, environment: .production)
        #expect(try seats.scene.send("GET", seats.path).status == 404)
        #expect(try seats.scene.send("GET", "/groups/v1/currentGroups/\(seats.id)").status == 404)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"transactionId":"1","quantity":1}"#, #"{"transactionId":"ID"}"#,
        #"{"transactionId":"ID","quantity":0}"#, #"{"transactionId":"ID","quantity":-1}"#,
        #"{"transactionId":"ID","quantity":100001}"#, #"{"transactionId":"ID","revokedSeatQuantity":4}"#,
        #"{"transactionId":"ID","revokedSeatQuantity":0}"#,
        #"{"transactionId":"ID","revokedSeatQuantity":-1}"#,
        #"{"transactionId":"ID","quantity":1,"invitationManagement":"GOOGLE"}"#,
        #"{"transactionId":"ID","quantity":1,"groupType":1}"#,
        #"{"transactionId":"ID","quantity":1,"members":["1"]}"#,
        #"{"transactionId":"ID","quantity":1,"members":{}}"#,
    ])
    func `a wrong local request changes nothing`(_ body: String) throws {
        let seats = try Seats(3)
        let response = seats.scene.local(
            "/test/seats", body.replacingOccurrences(of: "ID", with: seats.id))
        #expect(response.status == 400)
        #expect(try (seats.scene.object(response)["error"] as? String)?.isEmpty == false)
        #expect(try seats.info() == [3, 3, [String]()])
    }
}
