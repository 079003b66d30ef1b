#if ServerAPI
    internal import AppStoreTables
    public import StoreKitVerify
    internal import WireFormats

    extension APIRequest where Answer == SubscriptionStatuses {
        /// Get All Subscription Statuses.
        ///
        /// - Parameters:
        ///   - transactionID: any transaction of the customer, or the customer's `appTransactionId`.
        ///   - states: only subscriptions in these states; empty for all.
        public static func subscriptionStatuses(
            of transactionID: String, _ states: [Product.SubscriptionInfo.RenewalState] = []
        ) -> Self {
            let items = states.map { (name: "status", value: String($0.rawValue)) }
            return APIRequest(
                .subscriptionStatuses, [transactionID], query: items, read: SubscriptionStatuses.init)
        }
    }

    /// Why a subscription is extended (Apple's `extendReasonCode`).
    public struct ExtendReason: RawRepresentable, Hashable, Sendable {
        /// Apple's number.
        public let rawValue: Int

        /// Makes a value from its raw form, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Nothing is said.
        public static let undeclared = ExtendReason(rawValue: 0)
        /// To please customers.
        public static let customerSatisfaction = ExtendReason(rawValue: 1)
        /// Another reason.
        public static let other = ExtendReason(rawValue: 2)
        /// The service did not work.
        public static let serviceIssue = ExtendReason(rawValue: 3)
    }

    extension APIRequest where Answer == RenewalDateExtension {
        /// Extend a Subscription Renewal Date.
        ///
        /// - Parameters:
        ///   - originalTransactionID: the first transaction of the subscription.
        ///   - days: up to 90.
        ///   - reason: why.
        ///   - requestIdentifier: another one for each request, of at most 128 characters.
        public static func extendRenewalDate(
            of originalTransactionID: String, byDays days: Int, reason: ExtendReason,
            requestIdentifier: String
        ) -> Self {
            var body = ObjectText()
            body.add("extendByDays", days)
            body.add("extendReasonCode", reason.rawValue)
            body.add("requestIdentifier", requestIdentifier)
            return APIRequest(
                .extendRenewalDate, [originalTransactionID], body: .json(body.utf8),
                read: RenewalDateExtension.init)
        }
    }

    extension APIRequest where Answer == RequestedMassExtension {
        /// Extend Subscription Renewal Dates for All Active Subscribers.
        ///
        /// - Parameters:
        ///   - productID: the subscription.
        ///   - days: up to 90.
        ///   - reason: why.
        ///   - requestIdentifier: another one for each request, a UUID. A repeated one extends only once.
        ///   - storefronts: country codes of three letters; `nil` for all.
        public static func extendRenewalDates(
            ofAllSubscribersTo productID: String, byDays days: Int, reason: ExtendReason,
            requestIdentifier: String, storefronts: [String]? = nil
        ) -> Self {
            var body = ObjectText()
            body.add("requestIdentifier", requestIdentifier)
            body.add("extendByDays", days)
            body.add("extendReasonCode", reason.rawValue)
            body.add("productId", productID)
            if let storefronts { body.add("storefrontCountryCodes", all: storefronts) }
            return APIRequest(.extendRenewalDates, body: .json(body.utf8), read: RequestedMassExtension.init)
        }
    }

    extension APIRequest where Answer == MassExtensionStatus {
        /// Get Status of Subscription Renewal Date Extensions.
        ///
        /// - Parameters:
        ///   - requestIdentifier: of the request.
        ///   - productID: the subscription.
        public static func massExtensionStatus(_ requestIdentifier: String, productID: String) -> Self {
            APIRequest(
                .renewalDatesExtension, [productID, requestIdentifier], read: MassExtensionStatus.init)
        }
    }
#endif
