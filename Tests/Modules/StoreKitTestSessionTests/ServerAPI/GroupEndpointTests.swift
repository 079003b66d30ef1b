import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Groups of customers whose access one account buys.
///
/// Apple's pages: [Get Customer Groups](https://developer.apple.com/documentation/appstoreserverapi/get-customer-groups),
/// [Get Group Members](https://developer.apple.com/documentation/appstoreserverapi/get-group-members).
@Suite struct GroupEndpointTests {
    /// Buys seats, and gives them to members. Returns the purchaser's transaction and the members' downloads.
    private func group(
        _ scene: ServerAPIScene, of members: [String], by management: String = "apple"
    ) throws -> (id: String, members: [String]) {
        let bought = try scene.event("set seats \(management)", "anna: buy \(Garden.premium) seats=9")
        let downloads = try members.map {
            try scene.event("anna: assign with=\($0)").text("appTransactionId")
        }
        return (try bought.text("transactionId"), [try bought.text("appTransactionId")] + downloads)
    }

    /// The groups of a customer.
    private func groups(_ scene: ServerAPIScene, _ id: String) throws -> [[String: Any]] {
        try scene.get("/groups/v1/currentGroups/\(id)").list("groups")
    }

    @Test func `members and the purchaser are in the group, and have roles in an organization`() throws {
        let scene = try ServerAPIScene()
        let (id, members) = try group(scene, of: ["ben"])
        let other = try scene.buy("$consumable", "carl")
        for id in [id] + members {
            let groups = try groups(scene, id)
            try #require(groups.count == 1)
            groups[0].expect(["groupId": "900000000000000000", "groupType": "CONSUMER", "roles": nil])
        }
        #expect(try groups(scene, other).isEmpty)
        try scene.refuses(4_040_010, "GET", "/groups/v1/currentGroups/1")
        try scene.refuses(4_000_006, "GET", "/groups/v1/currentGroups/x")
        #expect(scene.local("/test/organizations", id).status == 200)
        for wrong in ["", "1", "x", other] {
            #expect(scene.local("/test/organizations", wrong).status == 400)
        }
        for (member, role) in zip(members, ["ADMIN", "NONE"]) {
            let group = try #require(try groups(scene, member).first)
            group.expect(["groupType": "ORGANIZATION"])
            #expect(group["roles"] as? [[String: String]] == [["productId": Garden.premium, "role": role]])
        }
    }

    @Test func `members come in pages, until the group ends with its subscription`() throws {
        let scene = try ServerAPIScene()
        let (id, members) = try group(scene, of: ["ben", "carl"])
        let path = "/groups/v1/group/900000000000000000"
        func page(_ query: String) throws -> (members: [String], token: String?) {
            let answer = try scene.get(path + query)
            let list = try #require(answer["members"] as? [[String: String]])
            #expect(answer["hasMore"] as? Bool == (answer["paginationToken"] != nil))
            return (list.compactMap { $0["appTransactionId"] }, answer["paginationToken"] as? String)
        }
        #expect(try page("").members == members)
        let first = try page("?limit=2")
        #expect(first.members == Array(members[..<2]))
        let rest = try page("?limit=2&paginationToken=\(try #require(first.token))")
        #expect(rest.members == [members[2]] && rest.token == nil)
        for limit in ["0", "101", "-1", "x", ""] {
            try scene.refuses(4_000_004, "GET", path + "?limit=\(limit)")
        }
        try scene.refuses(4_000_014, "GET", path + "?paginationToken=x")
        for (unknown, code) in [("900000000000000001", 4_040_022), ("1", 4_040_022), ("x", 4_009_901)] {
            try scene.refuses(code, "GET", "/groups/v1/group/\(unknown)")
        }
        try scene.events("anna: expire")
        try scene.refuses(4_040_022, "GET", path)
        #expect(try groups(scene, id).isEmpty)
    }

    @Test func `a customer whom a claim names is a member until the seat is unclaimed`() throws {
        let scene = try ServerAPIScene()
        let (id, _) = try group(scene, of: [], by: "developer")
        let ben = try scene.event("ben: buy $consumable").text("appTransactionId")
        let path = "/groups/v1/transactions/\(id)/seats"
        let answer = try scene.succeed(
            "POST", path, #"{"requestIdentifier":"\#(UUID())","appTransactionId":"\#(ben)"}"#)
        #expect(try groups(scene, ben).count == 1)
        let claim = try answer.text("seatClaimId")
        #expect(try scene.send("DELETE", path + "/" + claim).status == 200)
        #expect(try groups(scene, ben).isEmpty)
    }
}
