import Foundation
import PurchaseTimelines
import StoreKitTestSession
import StoreKitVerify
import Testing

/// A customer's life in a lane, from the payloads that a simulated App Store signs.
@Suite struct LifeTests {
    private typealias Kind = PurchaseTimeline.Span.Kind
    private typealias Event = PurchaseTimeline.Event.Kind

    /// The spans with the days on which they begin and end.
    private func spans(_ lane: PurchaseTimeline.Lane) -> [String] {
        func day(_ date: Date) -> String {
            "\(Int((date.timeIntervalSince(Lives.start) / 86_400).rounded()))"
        }
        return lane.spans.map { "\($0.kind) \(day($0.start))-\($0.end.map(day) ?? "")" }
    }

    @Test func `a trial is followed by paid periods`() throws {
        let lane = try Lives.lane(of: "+0 buy $trial\n+50d end")
        #expect(spans(lane) == ["trial 0-7", "paid 7-38", "paid 38-66"])
        #expect(lane.events.first?.kind == .bought)
        #expect(lane.events.first?.offer?.paymentMode == .freeTrial)
        #expect(lane.events.last?.kind == .renews(to: "com.example.garden.plus.monthly"))
        #expect(lane.status?.state == .subscribed)
    }

    @Test func `grace is followed by billing retry, and that by the end`() throws {
        let lines = "set grace on\n+0 buy $subscription intro=no\n+2d fail-payments\n"
        let grace = try Lives.lane(of: lines + "+1p4d end")
        #expect(grace.status?.state == .inGracePeriod)
        #expect(spans(grace) == ["paid 0-31", "gracePeriod 31-47", "billingRetry 47-91"])
        let over = try Lives.lane(of: lines + "+1p61d end")
        #expect(over.events.map(\.kind) == [.bought, .ended(.billingError, mayRenew: false)])
    }

    @Test func `a renewal after a time without payment`() throws {
        let lane = try Lives.lane(
            of: "set grace off\n+0 buy $subscription intro=no\n+2d fail-payments\n+1p9d fix-payments\n+2p end"
        )
        #expect(spans(lane).prefix(3) == ["paid 0-31", "billingRetry 31-40", "paid 40-68"])
        #expect(lane.events.map(\.kind).contains(.recovered))
        #expect(!lane.events.map(\.kind).contains { if case .ended = $0 { true } else { false } })
    }

    @Test func `a purchase that moved leaves its access to the other one`() throws {
        let (purchases, end) = try Lives.history(
            of: "+0 buy $subscription intro=no\n+10d move $higher\n+1p end")
        let lanes = PurchaseTimeline(of: purchases, at: end).lanes
        #expect(lanes.map(spans) == [["paid 10-41"], ["paid 0-10"]])
        #expect(lanes.map(\.hasMoved) == [false, true])
        #expect(lanes.map { $0.status?.isEntitled } == [true, nil])
        #expect(
            TimelineChart(PurchaseTimeline(of: purchases, at: end), of: []).text.contains(
                "moved to another purchase"))
        // At an instant before the move, nothing is said of it.
        let before = PurchaseTimeline(of: purchases, at: Lives.day(5)).lanes
        #expect(before.map(\.hasMoved) == [false, false])
        #expect(before.map { $0.status?.isEntitled } == [nil, true])
    }

    @Test func `an upgrade begins at once, and a change to a lower level with the next period`() throws {
        let up = try Lives.lane(of: "+0 buy $with-higher intro=no\n+10d buy $higher\n+11d end")
        #expect(spans(up) == ["paid 0-10", "paid 10-41"])
        #expect(
            up.spans.map(\.productID) == [
                "com.example.garden.plus.monthly", "com.example.garden.premium.monthly",
            ])
        #expect(up.events.map(\.kind).contains(.upgraded(from: "com.example.garden.plus.monthly")))
        let lines = "+0 buy $with-lower intro=no\n+1d buy $lower\n"
        let chosen = try Lives.lane(of: lines + "+2d end")
        let lower = try #require(chosen.status?.renewalInfo?.autoRenewPreference)
        #expect(lower != chosen.latest.productID)
        #expect(chosen.events.map(\.kind).contains(.renews(to: lower)))
        let changed = try Lives.lane(of: lines + "+1p1d end")
        #expect(changed.events.map(\.kind).contains(.changedProduct(from: chosen.latest.productID)))
    }

    @Test func `a refund ends the present period, and none of a past period does`() throws {
        let present = try Lives.lane(of: "+0 buy $subscription intro=no\n+3d refund\n+4d end")
        #expect(spans(present) == ["paid 0-3", "revoked 3-31"])
        #expect(present.events.map(\.kind).contains(.revoked))
        #expect(present.status?.isEntitled == false)
        let past = try Lives.lane(of: "+0 buy $subscription intro=no\n+1p1d refund first\n+1p2d end")
        #expect(spans(past) == ["paid 0-31", "paid 31-59"])
        #expect(past.events.map(\.kind).contains(.revoked))
        #expect(past.status?.isEntitled == true)
    }

    @Test func `a higher price awaits consent, is agreed to, and is charged`() throws {
        let lines = "+0 buy $subscription intro=no\n+2d raise-price 20%\n"
        let pending = try Lives.lane(of: lines + "+3d end")
        #expect(
            pending.events.map(\.kind).contains(
                .priceIncrease(to: Decimal(string: "5.988"), isAgreed: false)))
        let agreed = try Lives.lane(of: lines + "+4d agree\n+1p1d end")
        #expect(agreed.events.map(\.kind).contains(.priceChanged(from: Decimal(string: "4.99") ?? 0)))
        let ignored = try Lives.lane(of: lines + "+1p1d end")
        #expect(
            ignored.events.map(\.kind).contains {
                if case .ended(.didNotConsentToPriceIncrease?, _) = $0 { true } else { false }
            })
    }

    @Test func `a subscription that is cancelled ends, and may be bought again`() throws {
        let lines = "+0 buy $subscription intro=no\n+2d cancel\n"
        let off = try Lives.lane(of: lines + "+3d end")
        #expect(off.events.map(\.kind) == [.bought, .renewalOff, .ended(nil, mayRenew: false)])
        let again = try Lives.lane(of: lines + "+2p buy $subscription intro=no\n+2p1d end")
        #expect(again.events.map(\.kind).contains(.boughtAgain))
        #expect(spans(again) == ["paid 0-31", "paid 59-90"])
    }

    @Test func `consumables share a lane, and others have one each`() throws {
        let (history, end) = try Lives.history(
            of:
                "+0 buy $consumable\n+1d buy $consumable quantity=3\n+2d refund\n+3d buy $non-consumable\n+4d buy $non-renewing\n+5d end"
        )
        let timeline = PurchaseTimeline(of: history, at: end)
        #expect(timeline.lanes.map(\.latest.productType) == [.nonRenewable, .nonConsumable, .consumable])
        #expect(
            timeline.lanes[2].events.map(\.kind) == [.consumable(count: 1), .consumable(count: 3), .revoked])
        #expect(timeline.lanes.map { $0.spans.map(\.kind) } == [[.nonRenewing], [.owned], []])
        #expect(timeline.lanes[1].spans[0].end == nil)
    }

    @Test func `offers and Family Sharing are named`() throws {
        let winBack = try Lives.lane(
            of: "+0 buy $win-back intro=no\n+2d cancel\n+2p buy $win-back win-back-offer=any")
        #expect(winBack.events.contains { $0.offer?.type == .winBack && $0.kind == .boughtAgain })
        let code = try Lives.lane(of: "+0 buy $code code=any")
        #expect(code.spans.first?.kind == .offer)
        let (history, end) = try Lives.history(ofScenario: "family-product")
        let lanes = PurchaseTimeline(of: history, at: end).lanes
        let shared = try #require(lanes.first { $0.latest.ownershipType == .familyShared })
        #expect(shared.events.map(\.kind) == [.bought, .revoked])
        #expect(shared.status?.isEntitled == false)
    }
}
