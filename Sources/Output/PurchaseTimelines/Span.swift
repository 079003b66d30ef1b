package import Essentials
internal import StoreKitVerify

extension PurchaseTimeline {
    /// A time during which a purchase gives its customer the same.
    package struct Span: Hashable, Sendable {
        /// The access during a span, and the payload that gives it.
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A period of a subscription, at its ordinary price.
            case paid
            /// A period that the customer pays nothing for.
            case trial
            /// A period with another offer.
            case offer
            /// The subscription goes on, by renewal information. The transaction is not known.
            case renewalOnly
            /// A renewal could not be paid for, and the customer keeps access.
            case gracePeriod
            /// A renewal could not be paid for, and the customer has no access.
            case billingRetry
            /// The rest of a period that was refunded, or whose sharing ended.
            case revoked
            /// No period, and afterwards a renewal: the App Store could charge the customer at last.
            case unpaid
            /// A product for ever.
            case owned
            /// A subscription that does not renew. Only the app knows its end.
            case nonRenewing

            /// Whether the customer has access meanwhile.
            package var givesAccess: Bool {
                switch self {
                case .paid, .trial, .offer, .renewalOnly, .gracePeriod, .owned, .nonRenewing: true
                case .billingRetry, .revoked, .unpaid: false
                }
            }
        }

        /// The access during the span.
        package let kind: Kind
        /// The beginning.
        package private(set) var start: Date
        /// The end, which is not part of the span; `nil` for a span without an end.
        package internal(set) var end: Date?
        /// The transaction that the purchase's status has meanwhile.
        package let transactionID: UInt64
        /// That transaction's product.
        package let productID: String

        /// The part of it in a period; `nil` if there is none. A period without an end is for ever.
        func within(_ beginning: Date, _ periodEnd: Date?) -> Span? {
            var part = self
            part.start = max(start, beginning)
            part.end = [end, periodEnd].compactMap(\.self).min()
            return part.end.map { part.start < $0 } ?? true ? part : nil
        }
    }
}

/// The statuses of a purchase, one after another.
///
/// The purchase itself says when its status may change, so no instant between two steps has to be asked
/// for.
struct StatusCourse {
    /// In the order of time. Two steps in a row may have equal statuses.
    let steps: [StatusStep]
    private(set) var spans: [PurchaseTimeline.Span] = []

    /// - Parameter beginning: the first instant to look at.
    init(of purchase: PurchaseChain, from beginning: Date) {
        self.init(purchase.instantsOfChange, from: beginning) { purchase.status(at: $0) }
    }

    /// The span of a seat in another customer's purchase, for its member.
    init(of seat: ClaimedSeat, in purchase: PurchaseChain) {
        let seat = ClaimedSeat(seat.claim, of: purchase)
        let claimed = [seat.claim.date, seat.claim.endDate].compactMap(\.self)
        let instants = Set(purchase.instantsOfChange + claimed).sorted()
        self.init(instants, from: seat.claim.date) { seat.status(at: $0) }
    }

    private init(_ instants: [Date], from beginning: Date, _ status: (Date) -> PurchaseStatus?) {
        steps = StatusStep.all(at: instants, from: beginning, status)
        for (index, step) in steps.enumerated() {
            guard let status = step.status else { continue }
            let renewal = steps[index...].first { $0.status?.transaction.id != status.transaction.id }
            let kind = PurchaseTimeline.Span.Kind(
                status, at: step.start, next: renewal?.status?.transaction)
            guard let kind else { continue }
            let end = index + 1 < steps.count ? steps[index + 1].start : nil
            append(kind, from: step.start, to: end, status.transaction)
        }
    }

    /// Adds a span, or makes the last one longer.
    private mutating func append(
        _ kind: PurchaseTimeline.Span.Kind, from start: Date, to end: Date?, _ transaction: Transaction
    ) {
        if let last = spans.last, last.end == start, last.kind == kind, last.transactionID == transaction.id {
            spans[spans.count - 1].end = end
        } else {
            spans.append(
                PurchaseTimeline.Span(
                    kind: kind, start: start, end: end, transactionID: transaction.id,
                    productID: transaction.productID))
        }
    }
}

extension PurchaseTimeline.Span.Kind {
    /// The kind of a status at an instant; `nil` if it gives nothing, and nothing is missing.
    ///
    /// - Parameter next: the transaction after the status's.
    fileprivate init?(_ status: PurchaseStatus, at instant: Date, next: Transaction?) {
        let transaction = status.transaction
        let isInPeriod = transaction.expirationDate.map { instant < $0 } ?? false
        switch status.state {
        case nil where status.isEntitled:
            self = transaction.productType == .nonConsumable ? .owned : .nonRenewing
        case .subscribed? where status.isEntitled && isInPeriod: self = Self(of: transaction.offer)
        case .subscribed?: self = .renewalOnly
        case .inGracePeriod?: self = .gracePeriod
        case .inBillingRetryPeriod?: self = .billingRetry
        case .revoked? where isInPeriod: self = .revoked
        case .expired? where next?.reason == .renewal: self = .unpaid
        default: return nil
        }
    }

    private init(of offer: Transaction.Offer?) {
        guard let offer else {
            self = .paid
            return
        }
        self = offer.paymentMode == .freeTrial ? .trial : .offer
    }
}
