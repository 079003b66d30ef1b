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
    private static let product = "com.example.garden.premium.monthly"

    /// Buys seats, and gives them to members. Returns the purchaser's transaction and the members' downloads.
    private func group(
        _ scene: ServerAPIScene, of members: [String], by management: String = "apple"
    ) throws -> (id: String, members: [String]) {
        let bought = try scene.events("set seats \(management)", "anna: buy \(Self.product) seats=9").last
        let id = try #require(bought?["transactionId"] as? String)
        let downloads = try members.map { name in
            let assigned = try scene.events("anna: assign with=\(name)").last
            return try #require(assigned?["appTransactionId"] as? String)
        }
        return (id, [try #require(bought?["appTransactionId"] as? String)] + downloads)
    }

    /// The groups of a customer.
    private func groups(_ scene: ServerAPIScene, _ id: String) throws -> [[String: Any]] {
        try #require(try scene.get("/groups/v1/currentGroups/\(id)")["groups"] as? [[String: Any]])
    }

    @Test func `a member and the purchaser are in the group, and no other customer`() throws {
        let scene = try ServerAPIScene()
        let (id, members) = try group(scene, of: ["ben"])
        for id in [id, members[0], members[1]] {
            let groups = try groups(scene, id)
            #expect(groups.count == 1)
            #expect(groups[0]["groupId"] as? String == "900000000000000000")
            #expect(groups[0]["groupType"] as? String == "CONSUMER")
            #expect(groups[0]["roles"] == nil)
        }
        #expect(try groups(scene, scene.buy("$consumable", "carl")).isEmpty)
        #expect(try scene.errorCode("GET", "/groups/v1/currentGroups/1") == 4_040_010)
        #expect(try scene.errorCode("GET", "/groups/v1/currentGroups/x") == 4_000_006)
    }

    @Test func `only members of an organization have roles`() throws {
        let scene = try ServerAPIScene()
        let (id, members) = try group(scene, of: ["ben"])
        #expect(scene.local("/test/organizations", id).status == 200)
        for wrong in try ["", "1", "x", scene.buy("$consumable")] {
            #expect(scene.local("/test/organizations", wrong).status == 400)
        }
        for (member, role) in zip(members, ["ADMIN", "NONE"]) {
            let group = try #require(try groups(scene, member).first)
            #expect(group["groupType"] as? String == "ORGANIZATION")
            #expect(group["roles"] as? [[String: String]] == [["productId": Self.product, "role": role]])
        }
    }

    @Test func `members come in pages`() throws {
        let scene = try ServerAPIScene()
        let (_, members) = try group(scene, of: ["ben", "carl"])
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
            #expect(try scene.errorCode("GET", path + "?limit=\(limit)") == 4_000_004)
        }
        #expect(try scene.errorCode("GET", path + "?paginationToken=x") == 4_000_014)
    }

    @Test func `a customer whom a claim names is a member until the seat is unclaimed`() throws {
        let scene = try ServerAPIScene()
        let (id, _) = try group(scene, of: [], by: "developer")
        let ben = try #require(
            try scene.events("ben: buy $consumable").last?["appTransactionId"] as? String)
        let path = "/groups/v1/transactions/\(id)/seats"
        let answer = try scene.succeed(
            "POST", path, #"{"requestIdentifier":"\#(UUID())","appTransactionId":"\#(ben)"}"#)
        #expect(try groups(scene, ben).count == 1)
        let claim = try #require(answer["seatClaimId"] as? String)
        #expect(try scene.send("DELETE", path + "/" + claim).status == 200)
        #expect(try groups(scene, ben).isEmpty)
    }

    @Test func `a group ends with its subscription`() throws {
        let scene = try ServerAPIScene()
        let (id, _) = try group(scene, of: [])
        let path = "/groups/v1/group/"
        #expect(try scene.errorCode("GET", path + "900000000000000001") == 4_040_022)
        #expect(try scene.errorCode("GET", path + "1") == 4_040_022)
        #expect(try scene.errorCode("GET", path + "x") == 4_009_901)
        try scene.events("anna: expire")
        #expect(try scene.errorCode("GET", path + "900000000000000000") == 4_040_022)
        #expect(try groups(scene, id).isEmpty)
    }
}
