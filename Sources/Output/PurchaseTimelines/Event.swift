package import Essentials
package import StoreKitVerify

extension PurchaseTimeline {
    /// Something that happened to a purchase, or will.
    ///
    /// Events are found in the transactions and in the renewal information, and never in a clock.
    package struct Event: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// The first transaction.
            case bought
            /// The earliest transaction that is known. It is not the purchase's first.
            case earliestKnown
            /// A purchase after the end of the subscription.
            case boughtAgain
            /// A consumable, and how many.
            case consumable(count: Int)
            /// A non-consumable on another device.
            case restored
            /// A change to a subscription of a higher level, which began at once.
            case upgraded(from: String)
            /// Any other change of the product.
            case changedProduct(from: String)
            /// A renewal after a time without payment.
            case recovered
            /// The first period with an offer.
            case offerBegan
            /// Another price of the same product than in the period before.
            case priceChanged(from: Decimal)
            /// A refund, or the end of Family Sharing.
            case revoked
            /// The customer turned renewal off. The date is the one on which it was known.
            case renewalOff
            /// A higher price. The date is the one on which it was known.
            case priceIncrease(to: Decimal?, isAgreed: Bool)
            /// The next renewal.
            case renews(to: String)
            /// The end of the last period, retry or grace. A renewal may still come, unless it was turned off.
            case ended(Product.SubscriptionInfo.RenewalInfo.ExpirationReason?, mayRenew: Bool)
        }

        /// The kind, with the values that belong to it.
        package let kind: Kind
        /// When.
        package let date: Date
        /// The transaction that it is about.
        package let transaction: Transaction
        /// The offer that began with it.
        package let offer: Transaction.Offer?

        fileprivate init(
            _ kind: Kind, _ date: Date, _ transaction: Transaction, offer: Transaction.Offer? = nil
        ) {
            self.kind = kind
            self.date = date
            self.transaction = transaction
            self.offer = offer
        }

        /// The purchases and refunds of consumables.
        static func ofConsumables(_ transactions: some Sequence<Transaction>) -> [Event] {
            sorted(
                transactions.flatMap { transaction in
                    [
                        Event(
                            .consumable(count: transaction.purchasedQuantity), transaction.purchaseDate,
                            transaction)
                    ] + revocation(of: transaction)
                })
        }

        /// The events of a purchase.
        ///
        /// - Parameters:
        ///   - transactions: the transactions to show, earliest first.
        ///   - purchase: the purchase.
        ///   - course: its statuses.
        ///   - instant: the instant that counts as today.
        ///   - isWhole: whether no earlier transaction was left out.
        /// - Returns: the events in the order of time.
        static func all(
            in transactions: [Transaction], _ purchase: PurchaseChain, _ course: StatusCourse,
            at instant: Date, isWhole: Bool
        ) -> [Event] {
            var events: [Event] = []
            var prices: [String: Transaction] = [:]
            var previous: Transaction?
            for transaction in transactions {
                let offer = transaction.offer == previous?.offer ? nil : transaction.offer
                let kind =
                    Kind(of: transaction, after: previous, isWhole: isWhole)
                    ?? (offer == nil ? nil : .offerBegan)
                if let kind {
                    events.append(Event(kind, transaction.purchaseDate, transaction, offer: offer))
                }
                events += priceChange(of: transaction, &prices) + revocation(of: transaction)
                previous = transaction
            }
            if let info = purchase.renewalInfo, let previous {
                events += outlook(of: info, after: previous, at: instant)
            }
            // A purchase that renews has no known end.
            let renewal = events.last { if case .renews = $0.kind { true } else { false } }
            events += ends(in: course).filter { $0.date != renewal?.date }
            return sorted(events)
        }

        /// In the order of time. Events of one instant keep the order in which they were found.
        private static func sorted(_ events: [Event]) -> [Event] {
            events.enumerated().ordered { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
                .map(\.element)
        }

        private static func revocation(of transaction: Transaction) -> [Event] {
            transaction.revocationDate.map { [Event(.revoked, $0, transaction)] } ?? []
        }

        /// A price other than that of the product's period before, both without an offer.
        ///
        /// Another currency or billing plan is another price, and no change of it.
        private static func priceChange(
            of transaction: Transaction, _ prices: inout [String: Transaction]
        ) -> [Event] {
            guard transaction.offer == nil, let price = transaction.price else { return [] }
            let before = prices.updateValue(transaction, forKey: transaction.productID)
            guard let before, let former = before.price, former != price,
                before.currency == transaction.currency,
                before.billingPlanType == transaction.billingPlanType
            else { return [] }
            return [Event(.priceChanged(from: former), transaction.purchaseDate, transaction)]
        }

        /// The instants from which on a subscription has ended, and was not renewed.
        private static func ends(in course: StatusCourse) -> [Event] {
            zip(course.steps, course.steps.dropFirst()).compactMap { before, step in
                guard let status = step.status, status.state == .expired,
                    let former = before.status?.state, former != .expired, former != .revoked,
                    !course.spans.contains(where: { $0.kind == .unpaid && $0.start == step.start })
                else { return nil }
                let info = status.renewalInfo
                return Event(
                    .ended(info?.expirationReason, mayRenew: info?.willAutoRenew ?? true), step.start,
                    status.transaction)
            }
        }

        /// The events after the latest transaction, by its renewal information.
        ///
        /// Renewal information that was signed before the latest transaction is about its past, and is left
        /// out.
        private static func outlook(
            of info: Product.SubscriptionInfo.RenewalInfo, after latest: Transaction, at instant: Date
        ) -> [Event] {
            guard info.signedDate >= latest.purchaseDate else { return [] }
            var events: [Event] = []
            if !info.willAutoRenew,
                info.expirationReason == nil || info.expirationReason == .autoRenewDisabled,
                info.renewalDate.map({ info.signedDate < $0 }) ?? true
            {
                events.append(Event(.renewalOff, info.signedDate, latest))
            }
            switch info.priceIncreaseStatus {
            case .pending:
                let kind = Kind.priceIncrease(to: info.renewalPrice, isAgreed: false)
                events.append(Event(kind, info.signedDate, latest))
            case .agreed where info.renewalPrice != latest.price:
                let kind = Kind.priceIncrease(to: info.renewalPrice, isAgreed: true)
                events.append(Event(kind, info.signedDate, latest))
            default: break
            }
            if info.willAutoRenew, let date = info.renewalDate, date > instant {
                let product = info.autoRenewPreference ?? info.currentProductID
                events.append(Event(.renews(to: product), date, latest))
            }
            return events
        }
    }
}

extension PurchaseTimeline.Event.Kind {
    /// The kind of a transaction that follows another; `nil` for a plain renewal.
    ///
    /// - Parameter isWhole: whether no earlier transaction was left out.
    fileprivate init?(of transaction: Transaction, after previous: Transaction?, isWhole: Bool) {
        guard let previous else {
            guard isWhole else { return nil }
            let isFirst = transaction.id == transaction.originalID || transaction.reason == .purchase
            self = isFirst ? .bought : .earliestKnown
            return
        }
        let isGap = previous.expirationDate.map { $0 < transaction.purchaseDate } ?? false
        if transaction.productType == .nonConsumable {
            self = .restored
        } else if transaction.productID != previous.productID {
            self =
                previous.isUpgraded
                ? .upgraded(from: previous.productID) : .changedProduct(from: previous.productID)
        } else if isGap, transaction.reason == .renewal {
            self = .recovered
        } else if isGap || previous.revocationDate.map({ $0 <= transaction.purchaseDate }) ?? false {
            self = .boughtAgain
        } else {
            return nil
        }
    }
}
