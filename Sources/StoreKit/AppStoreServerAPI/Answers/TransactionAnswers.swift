#if ServerAPI
    public import SignedPayloads
    public import StoreKitVerify

    /// A page of a customer's transactions (Apple's `HistoryResponse` and `RefundHistoryResponse`).
    public struct TransactionPage: APIPage {
        /// The transactions, in the order of the answer.
        public let transactions: [VerificationResult<Transaction>]
        /// The transactions that were refused.
        public let refusals: [RefusedPayload]
        /// The revision for the next page. That of the last page asks for newer transactions.
        public let revision: String?
        /// Whether there is another page.
        public let hasMore: Bool
        /// The app; `nil` in refund histories.
        public let bundleID: String?
        /// The app's Apple ID; `nil` in the Sandbox and in refund histories.
        public let appAppleID: Int?
        /// The environment; `nil` in refund histories.
        public let environment: AppStoreEnvironment?

        /// ``revision``.
        public var continuation: String? { revision }

        init(_ answer: AnswerObject) throws(AnswerError) {
            var refusals: [RefusedPayload] = []
            transactions = try answer.signedValues("signedTransactions", refusals: &refusals)
            self.refusals = refusals
            revision = try answer.optionalText("revision")
            hasMore = try answer.optionalBool("hasMore") ?? false
            bundleID = try answer.optionalText("bundleId")
            appAppleID = try answer.optionalNumber("appAppleId")
            environment = try answer.optionalText("environment").map { AppStoreEnvironment(rawValue: $0) }
        }
    }

    /// The subscriptions of a customer (Apple's `StatusResponse`).
    public struct SubscriptionStatuses: Sendable {
        /// The subscriptions of one group.
        public struct Group: Sendable {
            /// Apple's identifier of the group, as in `Transaction.subscriptionGroupID`.
            public let subscriptionGroupID: String
            /// The last transaction of each subscription, own and shared.
            public let lastTransactions: [LastTransaction]
        }

        /// The last transaction of a subscription.
        public struct LastTransaction: Sendable {
            /// The state of the subscription, as the App Store says.
            public let status: Product.SubscriptionInfo.RenewalState
            /// The first transaction of the subscription.
            public let originalTransactionID: String
            /// The latest transaction, verified or not (Apple's `signedTransactionInfo`).
            public let transaction: VerificationResult<Transaction>
            /// The renewal information.
            public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
        }

        /// One element for each subscription group of the app in which the customer has bought.
        public let groups: [Group]
        /// The app.
        public let bundleID: String?
        /// The app's Apple ID; `nil` in the Sandbox.
        public let appAppleID: Int?
        /// The environment of the server that answered; `nil` if the answer does not have it.
        public let environment: AppStoreEnvironment?

        init(_ answer: AnswerObject) throws(AnswerError) {
            groups = try answer.objects("data") { (group) throws(AnswerError) in
                Group(
                    subscriptionGroupID: try group.text("subscriptionGroupIdentifier"),
                    lastTransactions: try group.objects("lastTransactions") { (item) throws(AnswerError) in
                        LastTransaction(
                            status: .init(rawValue: try item.number("status")),
                            originalTransactionID: try item.text("originalTransactionId"),
                            transaction: try item.signed("signedTransactionInfo"),
                            renewalInfo: try item.signed("signedRenewalInfo"))
                    })
            }
            bundleID = try answer.optionalText("bundleId")
            appAppleID = try answer.optionalNumber("appAppleId")
            environment = try answer.optionalText("environment").map { AppStoreEnvironment(rawValue: $0) }
        }
    }

    /// The transactions of an order identifier from Apple's e-mail to a customer (Apple's `OrderLookupResponse`).
    public struct OrderLookup: Sendable {
        /// Whether the order exists.
        public struct Status: RawRepresentable, Hashable, Sendable {
            /// The number.
            public let rawValue: Int

            /// Makes a value from its raw form, known or not.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// The order belongs to this app.
            public static let valid = Status(rawValue: 0)
            /// The order does not exist, or belongs to another app.
            public static let invalid = Status(rawValue: 1)
        }

        /// Whether the order exists.
        public let status: Status
        /// The order's transactions.
        public let transactions: [VerificationResult<Transaction>]
        /// The transactions that were refused.
        public let refusals: [RefusedPayload]

        init(_ answer: AnswerObject) throws(AnswerError) {
            status = Status(rawValue: try answer.number("status"))
            var refusals: [RefusedPayload] = []
            transactions = try answer.signedValues("signedTransactions", refusals: &refusals)
            self.refusals = refusals
        }
    }

    /// A subscription after a change, or a transaction after a request for a refund (Apple's responses of Advanced Commerce).
    public struct AdvancedCommerceAnswer: Sendable {
        /// The changed or refunded transaction, verified or not (Apple's `signedTransactionInfo`).
        public let transaction: VerificationResult<Transaction>
        /// The renewal information; `nil` for a charge that does not renew.
        public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>?

        init(_ answer: AnswerObject) throws(AnswerError) {
            transaction = try answer.signed("signedTransactionInfo")
            renewalInfo = try answer.optionalSigned("signedRenewalInfo")
        }
    }
#endif
