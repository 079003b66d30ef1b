import Foundation
import PurchaseTimelines
import SeededRandom
import StoreKitTestSession
import StoreKitVerify
import Testing

/// At every instant, a timeline's span agrees with the entitlements.
@Suite struct AgreementTests {
    private typealias Kind = PurchaseTimeline.Span.Kind

    /// Compares the lane of each purchase with the purchase's status at random instants, and on both sides of each
    /// border of a span.
    private func compare(
        _ history: PurchaseHistory, until end: Date, instants count: Int = 50, seed: UInt64 = 1
    ) throws {
        var limits = PurchaseTimeline.Limits()
        limits.lanes = .max
        limits.transactions = .max
        let timeline = PurchaseTimeline(of: history, at: end, limits: limits)
        var random = SplitMix64(seed: seed)
        for lane in timeline.lanes where lane.latest.productType != .consumable {
            let purchase = try #require(history.purchase(of: lane.latest))
            let borders = lane.spans.flatMap { [$0.start, $0.end ?? end] }.flatMap { [$0, $0 - 0.001] }
            let others = (0..<count).map { _ in
                Lives.start
                    + Double.random(
                        in: -86_400...end.timeIntervalSince(Lives.start) + 90 * 86_400, using: &random)
            }
            for instant in borders + others {
                let spans = lane.spans.filter { $0.start <= instant && $0.end.map { instant < $0 } ?? true }
                #expect(spans.count <= 1)
                guard let status = purchase.status(at: instant),
                    status.transaction.purchaseDate <= instant
                else {
                    // The minute of tolerance is not drawn.
                    #expect(!spans.contains { $0.kind == .paid }, "at \(instant)")
                    continue
                }
                try #require(
                    agrees(spans.first, status, at: instant),
                    "at \(instant): \(String(describing: spans.first)) and \(status)")
            }
        }
    }

    private func agrees(_ span: PurchaseTimeline.Span?, _ status: PurchaseStatus, at instant: Date) -> Bool {
        guard let span else {
            let isPast = status.transaction.expirationDate.map { $0 <= instant } ?? true
            return status.state == .expired || status.state == .revoked && isPast
                || status.state == nil && !status.isEntitled
        }
        guard span.transactionID == status.transaction.id else { return false }
        switch span.kind {
        case .paid, .trial, .offer, .renewalOnly: return status.state == .subscribed
        case .gracePeriod: return status.state == .inGracePeriod
        case .billingRetry: return status.state == .inBillingRetryPeriod
        case .revoked: return status.state == .revoked
        case .unpaid: return status.state == .expired
        case .owned, .nonRenewing: return status.state == nil && status.isEntitled
        }
    }

    @Test(arguments: Scenario.builtIns.map(\.name).filter { $0 != "population" })
    func `a scenario's spans are its statuses`(_ name: String) throws {
        let (history, end) = try Lives.history(ofScenario: name)
        try compare(history, until: end, instants: 200)
    }

    @Test func `so are those of random lives`() throws {
        for (seed, grace) in [(1, "on"), (2, "off")] as [(UInt64, String)] {
            let (history, end) = try Lives.history(
                of: "set grace \(grace)\npopulation 60 for 1y churn=10% failures=30% refunds=5%")
            #expect(history.purchases.count > 50)
            try compare(history, until: end, seed: seed)
        }
    }

    @Test func `with purchases that moved, spans that give access are the periods of access`() throws {
        let (history, end) = try Lives.history(
            of: "set grace on\nset renewals unlimited\npopulation 60 for 6mo churn=10% failures=20% moves=20%"
        )
        #expect(history.movedPurchases.count > 5)
        var limits = PurchaseTimeline.Limits()
        (limits.lanes, limits.transactions) = (.max, .max)
        let timeline = PurchaseTimeline(of: history, at: end, limits: limits)
        let periods = Dictionary(grouping: history.accessPeriods(at: end), by: \.purchase)
        for lane in timeline.lanes where lane.latest.productType != .consumable {
            let purchase = try #require(history.purchase(of: lane.latest))
            let periods = periods[purchase.id] ?? []
            for instant in lane.spans.flatMap({ [$0.start, $0.end ?? end] }).flatMap({ [$0, $0 - 0.001] }) {
                let drawn = lane.spans.contains {
                    $0.kind.givesAccess && $0.start <= instant && $0.end.map { instant < $0 } ?? true
                }
                let given = periods.contains {
                    $0.begins <= instant && $0.ends.map { instant < $0 } ?? true
                }
                #expect(drawn == given, "\(purchase.id) at \(instant)")
            }
        }
    }

    @Test func `what is left out changes nothing of the rest`() throws {
        let (history, end) = try Lives.history(of: "+0 buy $subscription intro=no\n+30p refund\n+40p end")
        let whole = PurchaseTimeline(of: history, at: end)
        var limits = PurchaseTimeline.Limits()
        limits.transactions = 7
        let part = PurchaseTimeline(of: history, at: end, limits: limits)
        let kept = try #require(part.lanes.first)
        #expect(kept.omittedTransactions == history.purchases[0].transactions.count - 7)
        #expect(kept.spans.count >= 7)
        #expect(Array(whole.lanes[0].spans.suffix(kept.spans.count)) == kept.spans)
    }
}
