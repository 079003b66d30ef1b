import Foundation
import StoreKitTestSession
import Testing

/// What a family gets, keeps and loses, told by notifications.
///
/// Apple's pages "notificationType" (`REVOKE`: the purchaser disabled Family Sharing, left the family, or received a
/// refund; `REFUND_REVERSED`: content that was revoked is to be reinstated) and "Supporting Family Sharing in your app".
@Suite struct FamilyScenarioTests {
    private func names(_ played: PlayedScenario, _ customer: Int) -> [String] {
        played.events(ofCustomer: customer).map(\.name)
    }

    /// The example, with a subscription that a family cannot share.
    private func unshareable(_ product: String) throws -> StoreKitConfiguration {
        try Garden.configuration { file in
            var groups = try file.list("subscriptionGroups")
            var subscriptions = try #require(groups[0]["subscriptions"] as? [[String: Any]])
            for index in subscriptions.indices where subscriptions[index]["productID"] as? String == product {
                subscriptions[index]["familyShareable"] = false
            }
            groups[0]["subscriptions"] = subscriptions
            file["subscriptionGroups"] = groups
        }
    }

    @Test func `a refunded non-consumable is taken from the family, and given back`() throws {
        let played = try PlayedScenario(
            """
            +0  anna: buy GREENHOUSE
            +1d anna: share with=ben
            +1d anna: share with=carla
            +2d carla: leave-family
            +3d anna: refund reason=app-issue
            +4d anna: reverse-refund
            """)
        try #require(names(played, 1) == ["ONE_TIME_CHARGE", "REVOKE", "REFUND_REVERSED"])
        try #require(names(played, 2) == ["ONE_TIME_CHARGE", "REVOKE"])
        played.events(ofCustomer: 1)[1].transaction.expect([
            "revocationReason": 1, "revocationType": "FAMILY_REVOKE", "revocationPercentage": nil,
        ])
        played.events(ofCustomer: 2)[1].transaction.expect(["revocationReason": 0])
        played.events(ofCustomer: 1)[2].transaction.expect(["revocationDate": nil])
    }

    @Test func `a refunded subscription is taken from the family, and given back`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +3d  anna: refund reason=app-issue
            +4d  anna: reverse-refund
            +32d end
            """)
        try #require(
            names(played, 1) == ["SUBSCRIBED/INITIAL_BUY", "REVOKE", "REFUND_REVERSED", "DID_RENEW"])
        played.events(ofCustomer: 1)[1].transaction.expect(["revocationReason": 1])
        #expect(played.events(ofCustomer: 1).map(\.status) == [1, 5, 1, 1])
    }

    @Test func `a member follows an upgrade with an offer at once`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +2d  anna: buy PREMIUM promotional-offer=more
            +3d  end
            """)
        #expect(names(played, 0).last == "OFFER_REDEEMED/UPGRADE")
        let member = try #require(played.events(ofCustomer: 1).last)
        #expect(member.name == "DID_CHANGE_RENEWAL_PREF/UPGRADE")
        member.transaction.expect([
            "productId": .text(Garden.premium), "inAppOwnershipType": "FAMILY_SHARED",
        ])
    }

    @Test func `a product that cannot be shared ends sharing, and another one begins it again`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +2d  anna: buy PREMIUM
            +3d  anna: buy MONTHLY
            +40d end
            """, unshareable(Garden.premium))
        try #require(names(played, 1) == ["SUBSCRIBED/INITIAL_BUY", "REVOKE", "SUBSCRIBED/RESUBSCRIBE"])
        played.events(ofCustomer: 1)[1].transaction.expect(["revocationReason": 0])
    }

    @Test func `a renewal into a product that cannot be shared ends sharing`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy PREMIUM
            +1d  anna: share with=ben
            +2d  anna: buy MONTHLY
            +40d end
            """, unshareable(Garden.monthly))
        try #require(
            names(played, 1)
                == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "REVOKE"])
    }

    @Test func `the family is served after the buyer resubscribes, except who left`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +1d  anna: share with=carla
            +2d  carla: leave-family
            +3d  anna: cancel
            +40d anna: buy PREMIUM
            +41d end
            """)
        try #require(
            names(played, 1) == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "EXPIRED/VOLUNTARY", "SUBSCRIBED/RESUBSCRIBE",
            ])
        try #require(names(played, 2) == ["SUBSCRIBED/INITIAL_BUY", "REVOKE"])
        played.events(ofCustomer: 1)[3].transaction.expect(["productId": .text(Garden.premium)])
    }

    @Test func `a customer has an own and a shared subscription of one group`() throws {
        let played = try PlayedScenario(
            """
            +0   ben: buy PREMIUM
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +2d  ben: cancel PREMIUM
            +40d end
            """)
        let ben = played.events(ofCustomer: 0)
        #expect(Set(ben.compactMap { $0.transaction["originalTransactionId"] as? String }).count == 2)
        let name = try #require(ben.first?.notification.appTransactionID)
        let truth = try #require(played.appStore.truth[name])
        #expect(truth.entitlements.map(\.productID) == [Garden.monthly])
        #expect(truth.states.count == 2)
    }

    @Test func `a shared subscription leaves its member free to buy`() throws {
        let played = try PlayedScenario(
            """
            +0   anna: buy MONTHLY intro=no
            +1d  anna: share with=ben
            +2d  ben: buy PREMIUM
            +3d  ben: refund
            +40d end
            """)
        let last = try #require(played.events(ofCustomer: 1).last)
        #expect(last.name == "DID_RENEW")
        last.transaction.expect(["inAppOwnershipType": "FAMILY_SHARED"])
    }
}
