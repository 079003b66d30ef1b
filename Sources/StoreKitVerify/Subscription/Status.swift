#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Product.SubscriptionInfo {
    /// Where a customer's subscription stands (StoreKit's `Product.SubscriptionInfo.Status`).
    public struct Status: Hashable, Sendable {
        /// The state.
        public let state: RenewalState
        /// The latest transaction of the subscription.
        public let transaction: VerificationResult<Transaction>
        /// The subscription's renewal information.
        public let renewalInfo: VerificationResult<RenewalInfo>

        /// Puts a subscription's payloads together.
        ///
        /// Renewal information names no app: only that it is about the same purchase says that it is the
        /// customer's of this app.
        ///
        /// - Parameters:
        ///   - transaction: the latest transaction of a subscription.
        ///   - renewalInfo: the subscription's renewal information.
        ///   - instant: when.
        /// - Throws: `StatusError` where one of the two is not verified, or they do not belong together.
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
    }

    /// Why payloads make no status.
    public enum StatusError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The transaction is not verified.
        case unverifiedTransaction
        /// The renewal information is not verified.
        case unverifiedRenewalInfo
        /// The two are about different purchases, by the original transactions' identifiers.
        case otherPurchase(transaction: UInt64, renewalInfo: UInt64)
        /// The two are of different environments.
        case otherEnvironment(transaction: AppStore.Environment, renewalInfo: AppStore.Environment)

        /// What is wrong, in a sentence.
        public var description: String {
            switch self {
            case .unverifiedTransaction: "the transaction is not verified"
            case .unverifiedRenewalInfo: "the renewal information is not verified"
            case .otherPurchase(let transaction, let renewalInfo):
                "the transaction's original transaction is \(transaction), and the renewal information's is "
                    + "\(renewalInfo): they are about different purchases"
            case .otherEnvironment(let transaction, let renewalInfo):
                "the transaction's environment is \"\(transaction.rawValue)\", and the renewal information's is "
                    + "\"\(renewalInfo.rawValue)\""
            }
        }
    }
}
