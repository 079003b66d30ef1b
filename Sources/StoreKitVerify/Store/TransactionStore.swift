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

extension TransactionStore {
    /// Applies the transaction and the renewal information of a notification, if it has any. The same
    /// notification may come again: the App Store repeats it until a server answers.
    ///
    /// - Throws: why the notification is not verified, or why its payloads cannot be kept.
    public func apply(_ notification: VerificationResult<ServerNotification>) async throws {
        let data = try notification.payloadValue.data
        if let transaction = data?.transaction { try await apply(transaction) }
        if let renewalInfo = data?.renewalInfo { try await apply(renewalInfo) }
    }
}
