import StoreKitVerify

/// A shop as Apple's samples have it. Only the import differs.
@MainActor final class SampleStore {
    private(set) var products: [Product] = []
    private(set) var purchasedProductIDs: Set<String> = []
    private(set) var subscriptionStatus: Product.SubscriptionInfo.RenewalState?
    private(set) var log: [String] = []
    private var updateListenerTask: Task<Void, Never>?

    enum StoreError: Error { case failedVerification }

    func start() {
        updateListenerTask = Task { [weak self] in
            for await result in Transaction.updates {
                guard let self else { return }
                do {
                    let transaction = try self.checkVerified(result)
                    await self.updateCustomerProductStatus()
                    await transaction.finish()
                    // The log comes last: a test waits for it.
                    self.log.append(
                        "\(transaction.revocationDate == nil ? "got" : "lost") \(transaction.productID)")
                } catch {
                    self.log.append("unverified")
                }
            }
        }
    }

    func stop() async {
        updateListenerTask?.cancel()
        await updateListenerTask?.value
    }

    func requestProducts(_ identifiers: [String]) async throws {
        products = try await Product.products(for: identifiers).sorted { $0.price < $1.price }
    }

    func purchase(_ product: Product) async throws -> Transaction? {
        let result = try await product.purchase()
        switch result {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            await updateCustomerProductStatus()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending:
            return nil
        }
    }

    func updateCustomerProductStatus() async {
        var purchased: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? checkVerified(result) else { continue }
            switch transaction.productType {
            case .nonConsumable, .nonRenewable, .autoRenewable: purchased.insert(transaction.productID)
            default: break
            }
        }
        purchasedProductIDs = purchased
        let subscription = products.first { $0.subscription != nil }?.subscription
        subscriptionStatus = try? await subscription?.status.first?.state
    }

    func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw StoreError.failedVerification
        case .verified(let safe): return safe
        }
    }
}
