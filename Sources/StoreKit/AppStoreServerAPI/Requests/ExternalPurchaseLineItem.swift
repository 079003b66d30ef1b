#if ServerAPI
    public import Essentials

    /// A purchase or a refund in a report (Apple's `OneTimeBuyLineItem`, `SubscriptionBuyLineItem` and `RefundLineItem`).
    ///
    /// Amounts are in thousandths of the reporting currency's unit, for the whole line.
    public struct ExternalPurchaseLineItem: Hashable, Sendable {
        /// Amounts in thousandths of the reporting currency's unit.
        public struct Amounts: Hashable, Sendable {
            /// With tax: the sum of the other two.
            public var taxInclusive: Int
            /// Without tax.
            public var taxExclusive: Int
            /// The part of `taxInclusive` that is tax.
            public var tax: Int
            /// The amount that is left of the purchase after all its refunds, without tax.
            public var netTaxExclusive: Int

            /// - Parameters:
            ///   - taxExclusive: without tax.
            ///   - tax: the tax.
            ///   - netTaxExclusive: the amount that is left after all refunds, without tax.
            public init(taxExclusive: Int, tax: Int, netTaxExclusive: Int) {
                // A sum that overflows is wrong, and the App Store refuses the line for it (error 11).
                taxInclusive = taxExclusive &+ tax
                (self.taxExclusive, self.tax, self.netTaxExclusive) = (taxExclusive, tax, netTaxExclusive)
            }
        }

        /// The members of a line about a subscription.
        public struct Subscription: Hashable, Sendable {
            /// Whether the subscription starts, renews or changes.
            public var event: SubscriptionEvent
            /// When the period begins.
            public var startDate: Date
            /// When the period ends.
            public var endDate: Date
            /// The days that were paid before; 0 at the start.
            public var daysOfPaidService: Int

            /// - Parameters:
            ///   - event: the event of the line.
            ///   - startDate: when the period begins.
            ///   - endDate: when the period ends.
            ///   - daysOfPaidService: the days that were paid before; 0 at the start.
            public init(
                _ event: SubscriptionEvent, from startDate: Date, to endDate: Date, daysOfPaidService: Int
            ) {
                (self.event, self.startDate, self.endDate) = (event, startDate, endDate)
                self.daysOfPaidService = daysOfPaidService
            }
        }

        /// The line, by a name of the reporter's own. It is repeated only to restate the line.
        public var lineItemID: String
        /// The line that this one refers to: a refund's purchase, or a subscription's start.
        public var referenceLineItemID: String?
        /// When the purchase or refund was.
        public var creationDate: Date
        /// Whether the line is a purchase or a refund.
        public var eventType: EventType
        /// The kind of the bought product; `nil` for a refund.
        public var productType: ProductType?
        /// The product; `nil` for a refund.
        public var productIdentifier: String?
        /// How many; `nil` for a refund.
        public var quantity: Int?
        /// The amounts of the whole line, in `reportingCurrency`.
        public var amounts: Amounts
        /// The currency that the customer paid in.
        public var pricingCurrency: String
        /// The currency of the amounts.
        public var reportingCurrency: String
        /// The rate between the two currencies; `nil` if they are the same.
        public var exchangeRate: Decimal?
        /// The country of the tax, by three letters.
        public var taxCountry: String
        /// The members of a line about a subscription; `nil` for other lines.
        public var subscription: Subscription?
        /// Whether the line replaces an earlier version of itself.
        public var isRestatement = false
        /// Whether the line was sent by mistake. It must be a restatement.
        public var isErroneouslySubmitted = false

        /// A line. The members that depend on its type are set afterwards.
        ///
        /// - Parameters:
        ///   - lineItemID: a name of the reporter's own.
        ///   - eventType: the event of the line.
        ///   - creationDate: the time of the purchase or refund.
        ///   - amounts: the amounts.
        ///   - currency: the currency of price and report.
        ///   - taxCountry: the country of the tax, by three letters.
        public init(
            _ lineItemID: String, eventType: EventType, creationDate: Date, amounts: Amounts,
            currency: String,
            taxCountry: String
        ) {
            (self.lineItemID, self.eventType, self.creationDate) = (lineItemID, eventType, creationDate)
            (pricingCurrency, reportingCurrency) = (currency, currency)
            (self.amounts, self.taxCountry) = (amounts, taxCountry)
        }
    }
#endif
