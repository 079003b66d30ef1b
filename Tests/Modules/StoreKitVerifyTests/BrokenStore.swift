import StoreKitVerify

/// A store that fails at everything.
struct BrokenStore: TransactionStore {
    private struct Broken: Error {}

    let listeners = StoreListeners()

    func apply(_ transaction: VerificationResult<Transaction>) async throws { throw Broken() }
    func apply(
        _ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
    ) async throws { throw Broken() }
    func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool { throw Broken() }
    func finish(_ transaction: Transaction) async throws { throw Broken() }
    func history(of customer: Customer) async throws -> PurchaseHistory { throw Broken() }
}
