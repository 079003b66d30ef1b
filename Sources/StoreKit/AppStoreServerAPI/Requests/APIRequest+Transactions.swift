#if ServerAPI
    internal import AppStoreTables
    public import StoreKitVerify
    internal import WireFormats
    public import Essentials

    /// The limits of a customer's history. A transaction must fit every filter, by any one of the filter's values.
    public struct HistoryFilter: Hashable, Sendable {
        /// The order of a history, by the time of the last change.
        public enum Order: String, Sendable {
            /// The oldest change first. This is the App Store's default.
            case ascending = "ASCENDING"
            /// The newest change first.
            case descending = "DESCENDING"
        }

        /// Purchases from this time on.
        public var startDate: Date?
        /// Purchases before this time.
        public var endDate: Date?
        /// Products; empty for all.
        public var productIDs: [String] = []
        /// Types of products; empty for all.
        public var productTypes: [Product.ProductType] = []
        /// Subscription groups; empty for all.
        public var subscriptionGroupIDs: [String] = []
        /// Who bought.
        public var ownershipType: Transaction.OwnershipType?
        /// By the time of change, ascending or descending; `nil` for Apple's default.
        public var order: Order?
        /// Only revoked transactions, or only those that are not revoked; `nil` for all.
        public var revoked: Bool?

        /// Everything.
        public init() {}

        /// The types as queries name them. Payloads have other names.
        private static let names: [Product.ProductType: String] = [
            .autoRenewable: "AUTO_RENEWABLE", .nonRenewable: "NON_RENEWABLE", .consumable: "CONSUMABLE",
            .nonConsumable: "NON_CONSUMABLE",
        ]

        /// The items of the query, with Apple's names.
        var query: [(name: String, value: String)] {
            var items: [(name: String, value: String)] = []
            func add(_ name: String, _ value: String?) {
                if let value { items.append((name, value)) }
            }
            add("startDate", startDate.map { String($0.wholeMilliseconds) })
            add("endDate", endDate.map { String($0.wholeMilliseconds) })
            for value in productIDs { add("productId", value) }
            for type in productTypes { add("productType", Self.names[type] ?? type.rawValue) }
            for value in subscriptionGroupIDs { add("subscriptionGroupIdentifier", value) }
            add("inAppOwnershipType", ownershipType?.rawValue)
            add("sort", order?.rawValue)
            add("revoked", revoked.map { $0 ? "true" : "false" })
            return items
        }
    }

    extension APIRequest where Answer == TransactionPage {
        /// Get Transaction History, the second version. ``AppStoreServerAPIClient/transactionHistory(of:_:after:from:)`` asks for
        /// all pages.
        ///
        /// - Parameters:
        ///   - transactionID: any transaction of the customer, or the customer's `appTransactionId`.
        ///   - filter: the limits of the history.
        ///   - revision: of the page before.
        public static func transactionHistory(
            of transactionID: String, _ filter: HistoryFilter = HistoryFilter(), revision: String? = nil
        ) -> Self {
            APIRequest(
                .transactionHistory, [transactionID], query: filter.query + page("revision", revision),
                read: TransactionPage.init)
        }

        /// Get Refund History, the second version. ``AppStoreServerAPIClient/refundHistory(of:after:from:)`` asks for all pages.
        ///
        /// - Parameters:
        ///   - transactionID: any transaction of the customer.
        ///   - revision: of the page before.
        public static func refundHistory(of transactionID: String, revision: String? = nil) -> Self {
            APIRequest(
                .refundHistory, [transactionID], query: page("revision", revision),
                read: TransactionPage.init)
        }

        /// Get Transaction History, the first version, which Apple has deprecated. It leaves out finished consumables.
        ///
        /// - Parameters:
        ///   - transactionID: any transaction of the customer.
        ///   - filter: the limits of the history.
        ///   - revision: of the page before.
        public static func formerTransactionHistory(
            of transactionID: String, _ filter: HistoryFilter = HistoryFilter(), revision: String? = nil
        ) -> Self {
            APIRequest(
                .formerTransactionHistory, [transactionID], query: filter.query + page("revision", revision),
                read: TransactionPage.init)
        }

        /// Get Refund History, the first version, which Apple has deprecated. It is one page, of at most fifty refunds.
        ///
        /// - Parameter transactionID: any transaction of the customer.
        public static func formerRefundHistory(of transactionID: String) -> Self {
            APIRequest(.formerRefundHistory, [transactionID], read: TransactionPage.init)
        }
    }

    extension APIRequest where Answer == VerificationResult<Transaction> {
        /// Get Transaction Info.
        ///
        /// - Parameter transactionID: the transaction.
        public static func transactionInfo(of transactionID: String) -> Self {
            APIRequest(.transactionInfo, [transactionID]) { (answer) throws(AnswerError) in
                try answer.signed("signedTransactionInfo")
            }
        }
    }

    extension APIRequest where Answer == VerificationResult<AppTransaction> {
        /// Get App Transaction Info.
        ///
        /// - Parameter transactionID: any transaction of the customer, or the customer's `appTransactionId`.
        public static func appTransactionInfo(of transactionID: String) -> Self {
            APIRequest(.appTransactionInfo, [transactionID]) { (answer) throws(AnswerError) in
                try answer.signed("signedAppTransactionInfo")
            }
        }
    }

    extension APIRequest where Answer == OrderLookup {
        /// Look Up Order ID. The Sandbox has no orders.
        ///
        /// - Parameter orderID: the order, from the e-mail that Apple sent to the customer.
        public static func lookUpOrder(_ orderID: String) -> Self {
            APIRequest(.lookUpOrder, [orderID], read: OrderLookup.init)
        }
    }

    extension APIRequest where Answer == Void {
        /// Set App Account Token.
        ///
        /// - Parameters:
        ///   - token: the customer's account in the app. It replaces an earlier one.
        ///   - originalTransactionID: the first transaction of the purchase.
        public static func setAppAccountToken(_ token: UUID, of originalTransactionID: String) -> Self {
            var body = ObjectText()
            body.add("appAccountToken", token)
            return APIRequest(.setAppAccountToken, [originalTransactionID], body: .json(body.utf8))
        }

        /// Finish Transaction.
        ///
        /// - Parameter transactionID: the transaction, whose content was delivered.
        public static func finish(_ transactionID: String) -> Self {
            APIRequest(.finishTransaction, [transactionID])
        }

        /// Send Consumption Information, the second version: the answer to a `CONSUMPTION_REQUEST`, within twelve hours.
        ///
        /// - Parameters:
        ///   - information: the delivery and use of the purchase. The customer must have consented.
        ///   - transactionID: the transaction of the notification.
        public static func sendConsumption(_ information: ConsumptionInformation, of transactionID: String)
            -> Self
        {
            APIRequest(.sendConsumption, [transactionID], body: .json(information.json.utf8))
        }

        /// Send Consumption Information, the first version. Since API 1.19 it is for Advanced Commerce alone.
        ///
        /// - Parameters:
        ///   - information: the delivery and use of the purchase.
        ///   - transactionID: the transaction of the notification.
        public static func sendFormerConsumption(
            _ information: FormerConsumptionInformation, of transactionID: String
        ) -> Self { APIRequest(.sendFormerConsumption, [transactionID], body: .json(information.json.utf8)) }
    }

    extension Date {
        /// Milliseconds since 1970, up to some 31,000 years before and after. The App Store refuses dates outside of its bounds.
        var wholeMilliseconds: Int {
            let milliseconds = (timeIntervalSince1970 * 1000).rounded()
            return Int(min(max(milliseconds.isNaN ? 0 : milliseconds, -1e15), 1e15))
        }
    }
#endif
