#if ServerAPI
    internal import WireFormats
    public import Essentials

    /// How a customer used a purchase, for Apple's decision on a refund (Apple's `ConsumptionRequest`).
    ///
    /// Source: Apple's page
    /// [Send Consumption Information](https://developer.apple.com/documentation/appstoreserverapi/send-consumption-information).
    public struct ConsumptionInformation: Hashable, Sendable {
        /// Whether the purchase works.
        public struct DeliveryStatus: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// It was delivered, and works.
            public static let delivered = DeliveryStatus(rawValue: "DELIVERED")
            /// It does not work.
            public static let qualityIssue = DeliveryStatus(rawValue: "UNDELIVERED_QUALITY_ISSUE")
            /// It was something else.
            public static let wrongItem = DeliveryStatus(rawValue: "UNDELIVERED_WRONG_ITEM")
            /// A server did not work.
            public static let serverOutage = DeliveryStatus(rawValue: "UNDELIVERED_SERVER_OUTAGE")
            /// It was not delivered for another reason.
            public static let other = DeliveryStatus(rawValue: "UNDELIVERED_OTHER")
        }

        /// The decision that the app's owner prefers.
        public struct RefundPreference: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// No refund.
            public static let decline = RefundPreference(rawValue: "DECLINE")
            /// The whole price.
            public static let grantFull = RefundPreference(rawValue: "GRANT_FULL")
            /// A part of the price.
            public static let grantProrated = RefundPreference(rawValue: "GRANT_PRORATED")
        }

        /// Whether the customer agreed that this is sent. Without it, Apple refuses the request.
        public var customerConsented: Bool
        /// Whether the customer could try the content before.
        public var sampleContentProvided: Bool
        /// Whether the purchase works.
        public var deliveryStatus: DeliveryStatus
        /// The decision that the app's owner prefers.
        public var refundPreference: RefundPreference?
        /// How much was consumed, in thousandths of a percent: 0 to 100,000. Not for auto-renewable subscriptions.
        public var consumptionPercentage: Int?

        /// - Parameters:
        ///   - customerConsented: whether the customer agreed that this is sent.
        ///   - sampleContentProvided: whether the customer could try the content before.
        ///   - deliveryStatus: whether the purchase works.
        public init(
            customerConsented: Bool, sampleContentProvided: Bool, deliveryStatus: DeliveryStatus
        ) {
            self.customerConsented = customerConsented
            self.sampleContentProvided = sampleContentProvided
            self.deliveryStatus = deliveryStatus
        }

        var json: ObjectText {
            var body = ObjectText()
            body.add("customerConsented", customerConsented)
            body.add("sampleContentProvided", sampleContentProvided)
            body.add("deliveryStatus", deliveryStatus.rawValue)
            body.add("refundPreference", refundPreference?.rawValue)
            body.add("consumptionPercentage", consumptionPercentage)
            return body
        }
    }

    /// How a customer used a purchase, in the first version (Apple's `ConsumptionRequestV1`).
    ///
    /// The numbers are those of Apple's page
    /// [Send Consumption Information V1](https://developer.apple.com/documentation/appstoreserverapi/send-consumption-information-v1).
    /// 0 says "undeclared".
    public struct FormerConsumptionInformation: Hashable, Sendable {
        /// Whether the customer agreed that this is sent.
        public var customerConsented: Bool
        /// Whether the customer could try the content before.
        public var sampleContentProvided: Bool
        /// The customer's account in the app.
        public var appAccountToken: UUID?
        /// 0 to 3: how much was consumed.
        public var consumptionStatus = 0
        /// 0 to 2: where it was consumed.
        public var platform = 0
        /// 0 to 5: whether the purchase works; 0 is yes.
        public var deliveryStatus = 0
        /// 0 to 7: how old the customer's account is.
        public var accountTenure = 0
        /// 0 to 7: how long the customer used the app.
        public var playTime = 0
        /// 0 to 7: the range of the customer's former refunds, in US dollars.
        public var lifetimeDollarsRefunded = 0
        /// 0 to 7: the range of the customer's former purchases, in US dollars.
        public var lifetimeDollarsPurchased = 0
        /// 0 to 4: the state of the customer's account.
        public var userStatus = 0
        /// 0 to 3: the decision that the app's owner prefers.
        public var refundPreference: Int?

        /// - Parameters:
        ///   - customerConsented: whether the customer agreed that this is sent.
        ///   - sampleContentProvided: whether the customer could try the content before.
        public init(customerConsented: Bool, sampleContentProvided: Bool) {
            self.customerConsented = customerConsented
            self.sampleContentProvided = sampleContentProvided
        }

        var json: ObjectText {
            var body = ObjectText()
            body.add("customerConsented", customerConsented)
            body.add("sampleContentProvided", sampleContentProvided)
            body.add("appAccountToken", appAccountToken?.uuidString.lowercased() ?? "")
            body.add("consumptionStatus", consumptionStatus)
            body.add("platform", platform)
            body.add("deliveryStatus", deliveryStatus)
            body.add("accountTenure", accountTenure)
            body.add("playTime", playTime)
            body.add("lifetimeDollarsRefunded", lifetimeDollarsRefunded)
            body.add("lifetimeDollarsPurchased", lifetimeDollarsPurchased)
            body.add("userStatus", userStatus)
            body.add("refundPreference", refundPreference)
            return body
        }
    }
#endif
