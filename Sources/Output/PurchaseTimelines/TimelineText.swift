internal import Essentials
internal import StoreKitVerify
internal import WireFormats

/// The content of a timeline, in words.
///
/// The picture, its summary and the JSON share these words, so that they cannot disagree.
struct TimelineText {
    /// Whether dates have seconds, as in a picture of less than two days.
    let hasSeconds: Bool

    /// The most characters of one text from a payload. Identifiers are shorter.
    private static let maximumCharacters = 60

    /// A text from a payload, with a bound.
    static func shown(_ text: String) -> String { text.abbreviated(to: maximumCharacters) }

    /// A date in UTC.
    ///
    /// - Returns: `2025-10-11 19:51`, with seconds if the picture is short.
    func date(_ date: Date) -> String {
        guard let milliseconds = date.calendarMilliseconds else {
            return "a date outside the years 1 to 9999"
        }
        let text = CalendarTime.iso8601(Int64((Double(milliseconds) / 1000).rounded(.down)))
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(hasSeconds ? 8 : 5))"
    }

    /// A transaction's price; `nil` if it is absent.
    private static func amount(_ amount: Decimal?, _ transaction: Transaction) -> String? {
        amount.map { ShownText.amount($0, transaction.currency?.identifier) }
    }

    // MARK: - Spans

    /// A kind of span, for the legend.
    static func name(_ kind: PurchaseTimeline.Span.Kind) -> String {
        switch kind {
        case .paid: "paid period"
        case .trial: "free trial"
        case .offer: "period with an offer"
        case .renewalOnly: "subscribed, by renewal information"
        case .gracePeriod: "grace period"
        case .billingRetry: "billing retry"
        case .revoked: "refunded or revoked"
        case .unpaid: "unpaid until renewed"
        case .owned: "owned"
        case .nonRenewing: "owned; the app knows the end"
        }
    }

    /// A span with its dates.
    func text(_ span: PurchaseTimeline.Span) -> String {
        let end = span.end.map { " to \(date($0))" } ?? " on"
        return "\(Self.name(span.kind)): \(Self.shown(span.productID)), from \(date(span.start))\(end)"
    }

    // MARK: - Events

    /// A past or future event, without its date.
    ///
    /// - Parameter isPast: whether it had happened at the timeline's instant.
    func text(_ event: PurchaseTimeline.Event, isPast: Bool) -> String {
        let transaction = event.transaction
        let price = Self.amount(transaction.charge, transaction).map { " for \($0)" } ?? ""
        let offer = event.offer.map { ", " + Self.text($0) } ?? ""
        let product = Self.shown(transaction.productID)
        switch event.kind {
        case .bought: return "bought \(product)\(price)\(offer)\(Self.sharing(transaction))"
        case .earliestKnown: return "the earliest transaction that is known: \(product)\(price)\(offer)"
        case .boughtAgain: return "bought again\(price)\(offer)"
        case .consumable(let count): return (count == 1 ? "bought" : "bought \(count)") + price
        case .restored: return "restored"
        case .upgraded(let former): return "upgraded from \(Self.shown(former)) to \(product)\(price)\(offer)"
        case .changedProduct(let former):
            return "changed from \(Self.shown(former)) to \(product)\(price)\(offer)"
        case .recovered: return "renewed after a time without payment\(price)\(offer)"
        case .offerBegan: return "renewed\(price)\(offer)"
        case .priceChanged(let former):
            let prices = [former, transaction.price].map { Self.amount($0, transaction) ?? "?" }
            return "the price changed from \(prices[0]) to \(prices[1])"
        case .revoked: return Self.revocation(of: transaction)
        case .renewalOff: return "renewal was turned off, or before"
        case .priceIncrease(let new, let isAgreed):
            let new = Self.amount(new, transaction).map { " of \($0)" } ?? ""
            return "a higher price\(new) "
                + (isAgreed ? "was agreed to, or needs no consent" : "awaits consent")
        case .renews(let next):
            return next == transaction.productID ? "renews" : "renews as \(Self.shown(next))"
        case .ended(let reason, let mayRenew):
            guard isPast else { return mayRenew ? "ends, unless it renews" : "ends" }
            return "ended" + (reason.map { ": " + $0.localizedDescription.dropLast() } ?? "")
        }
    }

    private static func text(_ offer: Transaction.Offer) -> String {
        let kind = offer.type.text ?? "offer"
        let article = "aeiou".contains(kind.prefix(1)) ? "an" : "a"
        let parts = [offer.id.map(shown), offer.paymentMode?.text].compactMap(\.self)
        return "with \(article) \(kind)" + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }

    /// Told at the first purchase only.
    private static func sharing(_ transaction: Transaction) -> String {
        switch transaction.ownershipType {
        case .familyShared: ", shared by the family"
        case .assigned: ", assigned by an organization or a group"
        default: ""
        }
    }

    /// The loss of a family member or of an assigned seat is not a refund, because that customer has paid nothing.
    private static func revocation(of transaction: Transaction) -> String {
        if transaction.revocationType == .familyRevocation { return "Family Sharing ended" }
        if transaction.revocationType == .assignmentRevocation { return "the assignment ended" }
        guard ![.familyShared, .assigned].contains(transaction.ownershipType) else { return "revoked" }
        let share = transaction.revocationPercentage.map {
            " (\(ShownText.amount($0, nil)) %)"
        }
        return "refunded: the purchase of \(shown(transaction.productID))" + (share ?? "")
    }

    // MARK: - Lanes

    /// The access at the timeline's instant.
    func status(_ lane: PurchaseTimeline.Lane) -> String {
        guard let status = lane.status else {
            if lane.hasMoved { return "moved to another purchase" }
            return lane.latest.productType == .consumable ? "used up by the app" : "not bought yet"
        }
        guard let state = status.state else { return status.isEntitled ? "owned" : "not owned" }
        let end = status.isEntitled ? status.end.map { " until \(date($0))" } ?? "" : ""
        let access = status.isEntitled == state.isEntitled ? "" : ", but its transaction is missing"
        return (state.text ?? "unknown") + end + access
    }

    /// The product's type, the app, the environment and the original transaction of a lane.
    static func note(_ lane: PurchaseTimeline.Lane) -> String {
        let latest = lane.latest
        let original = latest.productType == .consumable ? "" : "purchase \(latest.originalID)"
        return [
            latest.productType.rawValue, latest.appBundleID, lane.environment.rawValue, original,
        ].filter { !$0.isEmpty }.map(shown).joined(separator: ", ")
    }
}
