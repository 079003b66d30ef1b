#if ServerAPI
    internal import WireFormats

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// A purchase or a refund in a report (Apple's `OneTimeBuyLineItem`, `SubscriptionBuyLineItem` and `RefundLineItem`).
    ///
    /// Amounts are in thousandths of the reporting currency's unit, for the whole line.
    public struct ExternalPurchaseLineItem: Hashable, Sendable {
        /// What a line is about (Apple's `eventType`).
        public struct EventType: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// A purchase.
            public static let buy = EventType(rawValue: "BUY")
            /// A refund, also after a dispute with a bank.
            public static let refund = EventType(rawValue: "REFUND")
        }

        /// What was bought (Apple's `productType`).
        public struct ProductType: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// It is bought once.
            public static let oneTimeBuy = ProductType(rawValue: "ONE_TIME_BUY")
            /// It renews.
            public static let subscription = ProductType(rawValue: "SUBSCRIPTION")
        }

        /// What a line about a subscription is about (Apple's `subscriptionEvent`).
        public struct SubscriptionEvent: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The first period.
            public static let start = SubscriptionEvent(rawValue: "SUBSCRIPTION_START")
            /// A later period.
            public static let renewal = SubscriptionEvent(rawValue: "RENEWAL")
            /// Another plan.
            public static let change = SubscriptionEvent(rawValue: "SUBSCRIPTION_CHANGE")
            /// A payment within a period.
            public static let payment = SubscriptionEvent(rawValue: "SUBSCRIPTION_PAYMENT")
        }

        /// The amounts of a line.
        public struct Amounts: Hashable, Sendable {
            /// With tax: the sum of the other two.
            public var taxInclusive: Int
            /// Without tax.
            public var taxExclusive: Int
            /// The tax.
            public var tax: Int
            /// What is left of the purchase after all its refunds, without tax.
            public var netTaxExclusive: Int

            /// - Parameters:
            ///   - taxExclusive: without tax.
            ///   - tax: the tax.
            ///   - netTaxExclusive: what is left after all refunds, without tax.
            public init(taxExclusive: Int, tax: Int, netTaxExclusive: Int) {
                // An amount that no integer holds is refused by the App Store, as the sum then is wrong.
                taxInclusive = taxExclusive &+ tax
                (self.taxExclusive, self.tax, self.netTaxExclusive) = (taxExclusive, tax, netTaxExclusive)
            }
        }

        /// What a line about a subscription says besides.
        public struct Subscription: Hashable, Sendable {
            /// What the line is about.
            public var event: SubscriptionEvent
            /// When the period begins.
            public var startDate: Date
            /// When the period ends.
            public var endDate: Date
            /// The days that were paid before; 0 at the start.
            public var daysOfPaidService: Int

            /// - Parameters:
            ///   - event: what the line is about.
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
        /// What the line is about.
        public var eventType: EventType
        /// What was bought; `nil` for a refund.
        public var productType: ProductType?
        /// The product; `nil` for a refund.
        public var productIdentifier: String?
        /// How many; `nil` for a refund.
        public var quantity: Int?
        /// The amounts.
        public var amounts: Amounts
        /// The currency that the customer paid in.
        public var pricingCurrency: String
        /// The currency of the amounts.
        public var reportingCurrency: String
        /// The rate between the two, exactly if they differ.
        public var exchangeRate: Decimal?
        /// The country of the tax, by three letters.
        public var taxCountry: String
        /// What a line about a subscription says besides.
        public var subscription: Subscription?
        /// Whether the line replaces an earlier version of itself.
        public var isRestatement = false
        /// Whether the line was sent by mistake. It must be a restatement.
        public var isErroneouslySubmitted = false

        /// A line. The members that depend on its type are set afterwards.
        ///
        /// - Parameters:
        ///   - lineItemID: a name of the reporter's own.
        ///   - eventType: what the line is about.
        ///   - creationDate: when the purchase or refund was.
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

    // MARK: - JSON

    extension ExternalPurchaseLineItem {
        var json: ObjectText {
            var line = ObjectText()
            line.add("lineItemId", lineItemID)
            line.add("referenceLineItemId", referenceLineItemID)
            line.add("creationDate", creationDate.wholeMilliseconds)
            line.add("eventType", eventType.rawValue)
            line.add("productType", productType?.rawValue)
            line.add("productIdentifier", productIdentifier)
            line.add("quantity", quantity)
            line.add("amountTaxInclusive", amounts.taxInclusive)
            line.add("amountTaxExclusive", amounts.taxExclusive)
            line.add("taxAmount", amounts.tax)
            line.add("netAmountTaxExclusive", amounts.netTaxExclusive)
            line.add("pricingCurrency", pricingCurrency)
            line.add("reportingCurrency", reportingCurrency)
            line.add("exchangeRate", exchangeRate)
            line.add("taxCountry", taxCountry)
            line.add("subscriptionEvent", subscription?.event.rawValue)
            line.add("subscriptionStartDate", subscription?.startDate.wholeMilliseconds)
            line.add("subscriptionEndDate", subscription?.endDate.wholeMilliseconds)
            line.add("subscriptionDaysOfPaidService", subscription?.daysOfPaidService)
            if isRestatement { line.add("restatement", true) }
            if isErroneouslySubmitted { line.add("erroneouslySubmitted", true) }
            return line
        }

        init(_ answer: AnswerObject) throws(AnswerError) {
            lineItemID = try answer.text("lineItemId")
            referenceLineItemID = try answer.optionalText("referenceLineItemId")
            creationDate = try answer.date("creationDate")
            eventType = EventType(rawValue: try answer.text("eventType"))
            productType = try answer.optionalText("productType").map { ProductType(rawValue: $0) }
            productIdentifier = try answer.optionalText("productIdentifier")
            quantity = try answer.optionalNumber("quantity")
            amounts = Amounts(
                taxExclusive: try answer.number("amountTaxExclusive"), tax: try answer.number("taxAmount"),
                netTaxExclusive: try answer.number("netAmountTaxExclusive"))
            amounts.taxInclusive = try answer.number("amountTaxInclusive")
            pricingCurrency = try answer.text("pricingCurrency")
            reportingCurrency = try answer.text("reportingCurrency")
            exchangeRate = try answer.optionalDecimal("exchangeRate")
            taxCountry = try answer.text("taxCountry")
            if let event = try answer.optionalText("subscriptionEvent") {
                subscription = Subscription(
                    SubscriptionEvent(rawValue: event), from: try answer.date("subscriptionStartDate"),
                    to: try answer.date("subscriptionEndDate"),
                    daysOfPaidService: try answer.number("subscriptionDaysOfPaidService"))
            }
            isRestatement = try answer.optionalBool("restatement") ?? false
            isErroneouslySubmitted = try answer.optionalBool("erroneouslySubmitted") ?? false
        }
    }
#endif
