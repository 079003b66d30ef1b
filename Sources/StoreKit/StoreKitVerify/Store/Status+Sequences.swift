internal import Essentials

extension Product.SubscriptionInfo {
    /// The present statuses of the subscriptions in a group, for the scope's customer; see `CustomerScope`.
    ///
    /// - Throws: the store's error.
    public static func status(for groupID: String) async throws -> [Status] {
        guard let scope = CustomerScope.ofCustomer("Product.SubscriptionInfo.status(for:)"),
            !scope.hidesStatuses
        else { return [] }
        return try await scope.store.statuses(
            for: groupID, of: scope.customer, apps: scope.apps, at: scope.now())
    }

    /// Whether the scope's customer may use an introductory offer in a subscription group now: they have not used
    /// one, and have no subscription of the group. Without a scope, and if the store fails, it is false.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        let member: StaticString = "Product.SubscriptionInfo.isEligibleForIntroOffer(for:)"
        guard let scope = CustomerScope.ofCustomer(member) else { return false }
        do {
            return try await scope.store.purchases(of: scope.customer, apps: scope.apps)
                .isEligibleForIntroOffer(for: groupID, at: scope.now())
        } catch {
            scope.onError(error)
            return false
        }
    }

    /// The present status of a transaction's subscription; `nil` if the scope's customer has no such
    /// subscription.
    ///
    /// - Throws: the store's error.
    public static func status(transactionID: UInt64) async throws -> Status? {
        guard let scope = CustomerScope.ofCustomer("Product.SubscriptionInfo.status(transactionID:)"),
            !scope.hidesStatuses
        else { return nil }
        let history = try await scope.store.purchases(of: scope.customer, apps: scope.apps)
        return history.purchases.first { $0[transactionID] != nil }?.subscriptionStatus(at: scope.now())
    }
}

extension PurchaseChain {
    /// The subscription's status at an instant; `nil` for other products.
    func subscriptionStatus(at instant: Date) -> Product.SubscriptionInfo.Status? {
        status(at: instant).flatMap(Product.SubscriptionInfo.Status.init)
    }
}

extension Product.SubscriptionInfo.Status {
    /// A sequence of statuses.
    public typealias Statuses = StoreSequence<Product.SubscriptionInfo.Status>

    /// The status of a subscription of the scope's customer, each time that the store gets something new
    /// about it. The sequence ends when its task is cancelled.
    public static var updates: Statuses {
        let scope = CustomerScope.ofTransactions("Product.SubscriptionInfo.Status.updates")
        return Statuses {
            guard let scope else { return AsyncStream { $0.finish() } }
            let changes = scope.store.changes(of: scope.customer)
            return AsyncStream.ofTask { continuation in
                for await chain in changes
                where scope.apps.includesOrSays(chain.id.appBundleID, chain.id.environment) {
                    if let status = chain.subscriptionStatus(at: scope.now()) {
                        continuation.yield(status)
                    }
                }
            }
        }
    }

    /// The present statuses of all subscriptions of the scope's customer, by group.
    public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> {
        let scope = CustomerScope.ofCustomer("Product.SubscriptionInfo.Status.all")
        return AsyncStream.ofTask { continuation in
            guard let scope, !scope.hidesStatuses else { return }
            let statuses = await scope.history().statuses(at: scope.now())
            let groups = Dictionary(grouping: statuses) {
                $0.transaction.unsafePayloadValue.subscriptionGroupID ?? ""
            }
            for (groupID, statuses) in groups.sorted(by: { $0.key < $1.key }) {
                continuation.yield((groupID, statuses))
            }
        }
    }
}
