/// Keeps what the App Store signed about customers' purchases.
///
/// Payloads may be applied in any order and any number of times: the same ones always give the same histories.
public protocol TransactionStore: Sendable {
    /// Applies a transaction.
    ///
    /// - Throws: why it is not verified, or why it cannot be kept.
    func apply(_ transaction: VerificationResult<Transaction>) async throws

    /// Applies renewal information.
    ///
    /// - Throws: why it is not verified, or why it cannot be kept.
    func apply(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) async throws

    /// Notes that the app has finished a transaction.
    ///
    /// - Throws: why that cannot be kept.
    func finish(_ transaction: Transaction) async throws

    /// What is known of a customer's purchases.
    ///
    /// - Throws: why it cannot be read.
    func history(of customer: Customer) async throws -> PurchaseHistory

    /// The customer's transactions that are applied from now on and say anything new.
    func transactions(of customer: Customer) -> AsyncStream<Transaction>

    /// The purchases of the customer that change from now on, whenever something new is applied.
    func changes(of customer: Customer) -> AsyncStream<PurchaseChain>
}
