import Foundation
import PurchaseTimelines
import StoreKitFixtures
import StoreKitVerify
import Testing

/// The timeline of somebody who has a seat of another customer's subscription.
@Suite struct SeatTimelineTests {
    private static let member = Customer([.appTransactionID("704000000000000009")])

    @Test func `a seat is drawn from its claim to its end, without the purchaser's events`() async throws {
        let store = InMemoryTransactionStore()
        try await store.apply(
            Signed.transaction(
                Signed.transactionPayload(
                    id: 1, expires: 30,
                    ["quantity": "5", "multiSeatInfo": #"{"invitationManagement":"DEVELOPER"}"#])))
        let claim = UUID()
        let purchase = PurchaseChain.ID(
            originalTransactionID: 1, environment: .production, appBundleID: "com.example.garden")
        try await store.claim(
            SeatClaim(id: claim, of: purchase, for: Array(Self.member.names), date: Signed.instant(5)))
        let standing = PurchaseTimeline(
            of: try await store.history(of: Self.member), at: Signed.instant(7))
        #expect(standing.lanes.map { $0.spans.map(\.start) } == [[Signed.instant(5)]])
        #expect(standing.lanes.first?.spans.first?.end == Signed.instant(30))
        #expect(standing.lanes.first?.status?.isEntitled == true)
        #expect(standing.lanes.first?.events.isEmpty == true)
        try await store.unclaim([claim], at: Signed.instant(12))
        let ended = PurchaseTimeline(of: try await store.history(of: Self.member), at: Signed.instant(20))
        #expect(ended.lanes.first?.spans.map(\.end) == [Signed.instant(12)])
        #expect(ended.lanes.first?.status == nil)
        let purchaser = try await store.history(of: Customer([.originalTransactionID(1)]))
        #expect(PurchaseTimeline(of: purchaser, at: Signed.instant(20)).lanes.map(\.spans.count) == [1])
    }
}
