#if ServerAPI
    internal import AppStoreTables
    public import StoreKitVerify
    internal import WireFormats
    public import Essentials

    /// A request of the Advanced Commerce API, without its transaction.
    ///
    /// Static functions make it, one for each of Apple's requests. Prices are in thousandths of the currency's unit. Source: Apple's pages
    /// [Advanced Commerce API](https://developer.apple.com/documentation/advancedcommerceapi).
    public struct AdvancedCommerceRequest: Sendable {
        /// The part that every request has (Apple's `RequestInfo`).
        public struct Info: Hashable, Sendable {
            /// A new one for each request. Repeat it only after a time-out.
            public var requestReferenceID: UUID
            /// The customer's account in the app.
            public var appAccountToken: UUID?
            /// A copy of the value in the renewal information.
            public var consistencyToken: String?

            /// - Parameter requestReferenceID: another one for each request.
            public init(_ requestReferenceID: UUID) { self.requestReferenceID = requestReferenceID }

            var json: ObjectText {
                var object = ObjectText()
                object.add("requestReferenceId", requestReferenceID)
                object.add("appAccountToken", appAccountToken)
                object.add("consistencyToken", consistencyToken)
                return object
            }
        }

        /// When a change takes effect.
        public struct Effective: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String

            /// Makes a value from its raw form, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// At once.
            public static let immediately = Effective(rawValue: "IMMEDIATELY")
            /// At the next renewal.
            public static let nextBillCycle = Effective(rawValue: "NEXT_BILL_CYCLE")
        }

        let endpoint: AppStoreEndpoint
        var body: ObjectText

        /// - Parameter storefront: a country code of three letters; `nil` for the customer's.
        init(_ endpoint: AppStoreEndpoint, _ info: Info, storefront: String?) {
            self.endpoint = endpoint
            body = ObjectText()
            body.add("requestInfo", info.json)
            body.add("storefront", storefront)
        }
    }

    extension APIRequest where Answer == AdvancedCommerceAnswer {
        /// A request of the Advanced Commerce API.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - transactionID: a transaction of the subscription. For a refund, it is the transaction to refund.
        public static func advancedCommerce(
            _ request: AdvancedCommerceRequest, of transactionID: String
        ) -> Self {
            APIRequest(
                request.endpoint, [transactionID], body: .json(request.body.utf8),
                read: AdvancedCommerceAnswer.init)
        }
    }

    // MARK: - The end of a subscription, and refunds

    extension AdvancedCommerceRequest {
        /// A refund of an item (Apple's `RequestRefundItem`).
        public struct RefundItem: Hashable, Sendable {
            /// The item's number in the app's catalogue.
            public var sku: String
            /// Why.
            public var reason: AdvancedCommerce.Refund.Reason
            /// How much.
            public var type: AdvancedCommerce.Refund.RefundType
            /// Whether the customer loses the item.
            public var revoke: Bool
            /// The amount, which goes with the type `CUSTOM` alone.
            public var amount: Int?

            /// - Parameters:
            ///   - sku: the item.
            ///   - reason: the reason of the refund.
            ///   - type: how much.
            ///   - revoke: whether the customer loses the item.
            ///   - amount: the amount, which goes with the type `CUSTOM` alone.
            public init(
                _ sku: String, reason: AdvancedCommerce.Refund.Reason,
                type: AdvancedCommerce.Refund.RefundType,
                revoke: Bool, amount: Int? = nil
            ) {
                (self.sku, self.reason, self.type) = (sku, reason, type)
                (self.revoke, self.amount) = (revoke, amount)
            }

            fileprivate var json: ObjectText {
                var object = ObjectText()
                object.add("SKU", sku)
                object.add("refundReason", reason.rawValue)
                object.add("refundType", type.rawValue)
                object.add("revoke", revoke)
                object.add("refundAmount", amount)
                return object
            }
        }

        /// Cancel a Subscription: it does not renew.
        public static func cancel(_ info: Info, storefront: String? = nil) -> AdvancedCommerceRequest {
            AdvancedCommerceRequest(.cancelSubscription, info, storefront: storefront)
        }

        /// Revoke Subscription: it ends, and is refunded.
        ///
        /// - Parameters:
        ///   - info: the common members of all requests.
        ///   - reason: the reason of the refund.
        ///   - type: `FULL` or `PRORATED`.
        ///   - refundRiskingPreference: whether the App Store decides with its own knowledge of the customer.
        ///   - seatQuantity: how many seats; `nil` for all.
        ///   - storefront: a country code of three letters; `nil` for the customer's.
        public static func revoke(
            _ info: Info, reason: AdvancedCommerce.Refund.Reason, type: AdvancedCommerce.Refund.RefundType,
            refundRiskingPreference: Bool = true, seatQuantity: Int? = nil, storefront: String? = nil
        ) -> AdvancedCommerceRequest {
            var request = AdvancedCommerceRequest(.revokeSubscription, info, storefront: storefront)
            request.body.add("refundReason", reason.rawValue)
            request.body.add("refundType", type.rawValue)
            request.body.add("refundRiskingPreference", refundRiskingPreference)
            request.body.add("revokeSeatQuantity", seatQuantity)
            return request
        }

        /// Request Transaction Refund.
        ///
        /// - Parameters:
        ///   - info: the common members of all requests.
        ///   - items: the items to refund.
        ///   - refundRiskingPreference: whether the App Store decides with its own knowledge of the customer.
        ///   - currency: three letters; `nil` for the purchase's.
        ///   - storefront: a country code of three letters; `nil` for the customer's.
        public static func refund(
            _ info: Info, items: [RefundItem], refundRiskingPreference: Bool = true, currency: String? = nil,
            storefront: String? = nil
        ) -> AdvancedCommerceRequest {
            var request = AdvancedCommerceRequest(.requestRefund, info, storefront: storefront)
            request.body.add("items", all: items.map(\.json))
            request.body.add("refundRiskingPreference", refundRiskingPreference)
            request.body.add("currency", currency)
            return request
        }
    }
#endif
