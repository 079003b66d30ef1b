#if ServerAPI
    public import Essentials

    /// The extension of one subscription (Apple's `ExtendRenewalDateResponse`).
    public struct RenewalDateExtension: Hashable, Sendable {
        /// The first transaction of the subscription.
        public let originalTransactionID: String
        /// The period's identifier.
        public let webOrderLineItemID: String?
        /// Whether the subscription was extended.
        public let isSuccess: Bool
        /// The new date of the renewal.
        public let effectiveDate: Date?

        init(_ answer: AnswerObject) throws(AnswerError) {
            originalTransactionID = try answer.text("originalTransactionId")
            webOrderLineItemID = try answer.optionalText("webOrderLineItemId")
            isSuccess = try answer.bool("success")
            effectiveDate = try answer.optionalDate("effectiveDate")
        }
    }

    /// A request to extend all subscriptions of a product (Apple's `MassExtendRenewalDateResponse`).
    public struct RequestedMassExtension: Hashable, Sendable {
        /// The identifier for the question about its status, together with the product.
        public let requestIdentifier: String

        init(_ answer: AnswerObject) throws(AnswerError) {
            requestIdentifier = try answer.text("requestIdentifier")
        }
    }

    /// How far the extension of all subscriptions is (Apple's `MassExtendRenewalDateStatusResponse`).
    public struct MassExtensionStatus: Hashable, Sendable {
        /// The UUID that the request for the extension gave.
        public let requestIdentifier: String
        /// Whether it is done.
        public let isComplete: Bool
        /// When it was done.
        public let completeDate: Date?
        /// How many subscriptions were extended.
        public let succeededCount: Int?
        /// How many were not.
        public let failedCount: Int?

        init(_ answer: AnswerObject) throws(AnswerError) {
            requestIdentifier = try answer.text("requestIdentifier")
            isComplete = try answer.bool("complete")
            completeDate = try answer.optionalDate("completeDate")
            succeededCount = try answer.optionalNumber("succeededCount")
            failedCount = try answer.optionalNumber("failedCount")
        }
    }
#endif
