/// Why a test session does not do what it was asked for (StoreKitTest's `SKTestError`). Nothing was changed then.
public struct SKTestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The numbers are Apple's.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// The session cannot work: its keys or signatures cannot be made.
        case serviceUnavailable = 0
        /// The `.storekit` file has no such product, or is not one.
        case invalidProductIdentifier = 1
        /// The product is of another kind.
        case invalidProductType = 2
        /// The address is not that of a file with the extension `storekit`.
        case invalidURL = 3
        /// There is no such file.
        case fileNotFound = 4
        /// The customer has no such subscription.
        case noSubscriptionFound = 5
        /// There is no such transaction.
        case noTransactionFound = 6
        /// The App Store does not allow this in the present state.
        case invalidAction = 7
    }

    /// Apple's name for the domain of these errors.
    public static let errorDomain = "SKTestErrorDomain"

    /// The kind of failure.
    public let code: Code
    /// The failure, in a sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Apple has eight codes, so several refusals share one. The sentence tells them apart.
    init(_ refusal: StoreRefusal) {
        let code: Code =
            switch refusal {
            case .noProduct: .invalidProductIdentifier
            case .noTransaction: .noTransactionFound
            case .noSubscription: .noSubscriptionFound
            case .notSubscription: .invalidProductType
            case .notAllowed, .purchase, .advancedCommerce: .invalidAction
            case .signing: .serviceUnavailable
            }
        self.init(code, refusal.message)
    }
}
