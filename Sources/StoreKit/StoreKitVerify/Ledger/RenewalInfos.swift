internal import Essentials

/// The renewal information of a subscription that is kept: the one that was signed last, and for each period with
/// trouble, and each whose renewal the customer turned off, the one that was the first to say so.
///
/// The last one alone says nothing about a grace period that is over. Periods without trouble need no line: the
/// transaction says that they were paid for. That renewal was off says why a period ended, and nothing about access.
struct RenewalInfos: Hashable, Sendable {
    typealias RenewalInfo = Product.SubscriptionInfo.RenewalInfo

    /// The one that was signed last.
    @Boxed private(set) var latest: RenewalInfo?
    private var first: [RenewalTrouble: RenewalInfo] = [:]
    private var off: [RenewalTrouble: RenewalInfo] = [:]

    /// Adds information. The order does not matter.
    ///
    /// - Returns: whether it brought anything new.
    mutating func add(_ new: RenewalInfo) -> Bool {
        let isNews = latest.map { new.isLater(than: $0) && new.brings(news: $0) } ?? true
        if latest.map({ new.isLater(than: $0) }) ?? true { latest = new }
        guard let trouble = RenewalTrouble(new) else { return isNews }
        guard !trouble.isOff else {
            if off[trouble].map({ $0.isLater(than: new) }) ?? true { off[trouble] = new }
            return isNews
        }
        if first[trouble].map({ $0.isLater(than: new) }) ?? true { first[trouble] = new }
        return isNews
    }

    /// Adds all of another.
    mutating func merge(_ other: RenewalInfos) {
        guard latest != nil else { return self = other }
        for info in other.kept { _ = add(info) }
    }

    /// The information that was signed by an instant.
    func known(at instant: Date) -> RenewalInfos {
        var infos = RenewalInfos()
        for info in kept where info.signedDate <= instant { _ = infos.add(info) }
        return infos
    }

    /// All that is kept, in no order.
    var kept: [RenewalInfo] {
        let all = all
        return all + off.values.filter { !all.contains($0) }
    }

    /// What says how the subscription stood, in no order.
    var all: [RenewalInfo] {
        guard let latest else { return [] }
        return first.values.filter { $0 != latest } + [latest]
    }

    /// The information that was in force at an instant.
    ///
    /// It is the last one that was signed by then, if it says how the subscription stood. One that only announced a
    /// renewal before the instant does not: the next one does, which the App Store signed when the renewal had
    /// failed.
    ///
    /// - Parameters:
    ///   - instant: the instant.
    ///   - limit: until when the last of all may be signed. Clocks differ, as for purchases.
    ///   - purchase: the transaction that was the latest at the instant. Earlier information knows nothing of it.
    ///   - applies: whether information applies to the instant.
    func inForce(
        at instant: Date, signedUntil limit: Date, since purchase: Transaction?,
        where applies: (RenewalInfo) -> Bool
    ) -> RenewalInfo? {
        guard !first.isEmpty else { return latest.flatMap { applies($0) ? $0 : nil } }
        var candidates = all.filter(applies)
        let knowing = candidates.filter { info in purchase.map(info.knows) ?? true }
        if !knowing.isEmpty { candidates = knowing }
        let last = candidates.filter { $0.signedDate <= instant || $0 == latest && $0.signedDate <= limit }
            .max { $1.isLater(than: $0) }
        if let last, last.standing(at: instant) { return last }
        return candidates.filter { $0.signedDate > instant }.min { $1.isLater(than: $0) } ?? last
    }
}

/// A period of a subscription that did not renew, and how the App Store went on; or one whose renewal was turned off.
package struct RenewalTrouble: Hashable, Sendable {
    private let renewalDate: Date?
    private let status: Product.SubscriptionInfo.RenewalInfo.BillingStatus

    /// - Returns: `nil` if the information tells of neither.
    package init?(_ info: Product.SubscriptionInfo.RenewalInfo) {
        status = info.billingStatus
        guard status != .active || !info.willAutoRenew else { return nil }
        renewalDate = info.renewalDate
    }

    /// Whether the subscription is paid for, and the customer has turned renewal off.
    fileprivate var isOff: Bool { status == .active }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// Whether the information says how the subscription stands at an instant.
    fileprivate func standing(at instant: Date) -> Bool {
        billingStatus != .active || renewalDate.map { instant < $0 } ?? true
    }
}
