public import Essentials

extension Product.SubscriptionInfo {
    /// The status of a customer's subscription (StoreKit's `Product.SubscriptionInfo.Status`).
    public struct Status: Hashable, Sendable {
        /// The state of the subscription.
        public let state: RenewalState
        /// The latest transaction of the subscription.
        public let transaction: VerificationResult<Transaction>
        /// The subscription's renewal information. It is unverified if the server does not have any.
        public let renewalInfo: VerificationResult<RenewalInfo>

        /// Combines a subscription's payloads.
        ///
        /// Renewal information names no app. It belongs to this app's customer only if it is about the same
        /// purchase as a transaction of this app.
        ///
        /// - Parameters:
        ///   - transaction: the latest transaction of a subscription.
        ///   - renewalInfo: the subscription's renewal information.
        ///   - instant: the time of the status.
        /// - Throws: `StatusError` if one of the two is unverified, or if they do not belong together.
        public init(
            transaction: VerificationResult<Transaction>, renewalInfo: VerificationResult<RenewalInfo>,
            at instant: Date
        ) throws(StatusError) {
            guard case .verified(let latest) = transaction else { throw .unverifiedTransaction }
            guard case .verified(let information) = renewalInfo else { throw .unverifiedRenewalInfo }
            guard information.originalTransactionID == latest.originalID else {
                throw .otherPurchase(
                    transaction: latest.originalID, renewalInfo: information.originalTransactionID)
            }
            guard information.environment == latest.environment else {
                throw .otherEnvironment(transaction: latest.environment, renewalInfo: information.environment)
            }
            state = RenewalState(of: latest, renewalInfo: information, at: instant)
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }

        /// The status of a purchase; `nil` if it is not an auto-renewable subscription.
        init?(_ status: PurchaseStatus) {
            guard let state = status.state else { return nil }
            self.state = state
            transaction = .verified(status.transaction)
            renewalInfo =
                status.renewalInfo.map { .verified($0) }
                ?? .unverified(RenewalInfo(absentFor: status.transaction), .missingRequiredProperties)
        }
    }

    /// Why two payloads cannot be combined to a status.
    public enum StatusError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The `VerificationResult` of the transaction is `.unverified`.
        case unverifiedTransaction
        /// The `VerificationResult` of the renewal information is `.unverified`.
        case unverifiedRenewalInfo
        /// The two are about different purchases. The values are the identifiers of the original
        /// transactions.
        case otherPurchase(transaction: UInt64, renewalInfo: UInt64)
        /// The two are from different environments.
        case otherEnvironment(transaction: AppStore.Environment, renewalInfo: AppStore.Environment)

        /// The failure, in a sentence.
        public var description: String {
            switch self {
            case .unverifiedTransaction: "the transaction is not verified"
            case .unverifiedRenewalInfo: "the renewal information is not verified"
            case .otherPurchase(let transaction, let renewalInfo):
                "the transaction's original transaction is \(transaction), and the renewal information's is "
                    + "\(renewalInfo): they are about different purchases"
            case .otherEnvironment(let transaction, let renewalInfo):
                "the transaction's environment is \"\(transaction.rawValue)\", "
                    + "and the renewal information's is \"\(renewalInfo.rawValue)\""
            }
        }
    }
}
