internal import Essentials
public import StoreKitVerify
internal import Synchronization

/// StoreKitTest's functions about transactions.
///
/// Identifiers are those of `SKTestTransaction` and of `Transaction`. StoreKitTest takes a `UInt`; any integer will do
/// here. Each function throws `SKTestError` if there is no such transaction, or the App Store does not allow the action.
extension SKTestSession {
    /// The customer's transactions, oldest first, with the purchases that wait for an approval and those that failed.
    public func allTransactions() -> [SKTestTransaction] {
        let transactions = appStore.read { simulation in
            simulation.purchases[customer].transactions.map { SKTestTransaction($0, simulation) }
        }
        let all = transactions + state.withLock { $0.waiting.map { SKTestTransaction($0) } }
        return all.sorted { $0.identifier < $1.identifier }
    }

    /// Removes the customer's transactions and subscriptions from the App Store and from the device. Settings stay.
    public func clearTransactions() {
        appStore.change { simulation in simulation.purchases.removeAll(of: self.customer) }
        purchases.removeAll()
        state.withLock { state in
            state.waiting = []
            state.delivered = DeliveredPurchases()
        }
    }

    /// Removes a transaction: with an original transaction all its renewals, with a renewal that one alone.
    public func deleteTransaction(identifier: some BinaryInteger) throws {
        guard waiting(identifier) == nil else { return remove(waiting: identifier) }
        try act { (simulation) throws(StoreRefusal) in
            simulation.purchases.remove(try self.place(of: identifier, simulation), at: simulation.now)
        }
        try translating(try replaceDelivered(), SKTestError.init)
    }

    /// Ends the period of a subscription now, and turns automatic renewal off.
    public func expireSubscription(productIdentifier: String) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.expireNow(simulation.presentSubscription(to: productIdentifier, of: self.customer))
        }
    }

    /// Ends the period of a subscription now, and starts the next one. Automatic renewal is on afterwards, and no price
    /// increase is pending. If payments fail, billing retry or a grace period begins instead.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.forceRenewal(
                simulation.presentSubscription(to: productIdentifier, of: self.customer))
        }
    }

    /// Refunds a purchase at once, in full, for the reason "other".
    public func refundTransaction(identifier: some BinaryInteger) throws {
        try refundTransaction(identifier: identifier, reason: .other)
    }

    /// Resolves the issue of an interrupted purchase, or of a renewal that could not be paid for. Of a transaction
    /// without an issue, it changes nothing.
    public func resolveIssueForTransaction(identifier: some BinaryInteger) throws {
        if let waiting = waiting(identifier) {
            guard waiting.reason == .interruption else {
                throw SKTestError(.invalidAction, "the purchase \(identifier) was not interrupted")
            }
            return try complete(waiting)
        }
        try act { (simulation) throws(StoreRefusal) in
            let place = try self.place(of: identifier, simulation)
            guard let index = simulation.purchases[place].subscription else { return }
            switch simulation.purchases[index].phase {
            case .gracePeriod, .billingRetry: try simulation.recover(index)
            case .active, .expired, .revoked: break
            }
        }
    }

    /// Approves a purchase that waits for a parent.
    public func approveAskToBuyTransaction(identifier: some BinaryInteger) throws {
        try complete(waitingForParent(identifier))
    }

    /// Declines a purchase that waits for a parent. It stays among the transactions, as a failed one.
    public func declineAskToBuyTransaction(identifier: some BinaryInteger) throws {
        _ = try waitingForParent(identifier)
        state.withLock { state in
            for index in state.waiting.indices where state.waiting[index].identifier == identifier {
                state.waiting[index].reason = .declined
            }
        }
    }

    /// Turns the automatic renewal of a transaction's subscription on, if it is off.
    public func enableAutoRenewForTransaction(identifier: some BinaryInteger) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            let subscription = simulation.purchases[index]
            if !subscription.customerRenews || subscription.isEnded {
                try simulation.resume(index)
            }
        }
    }

    /// Turns the automatic renewal of a transaction's subscription off, if it is on.
    public func disableAutoRenewForTransaction(identifier: some BinaryInteger) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            let subscription = simulation.purchases[index]
            if subscription.customerRenews || subscription.isEnded {
                try simulation.cancel(index)
            }
        }
    }

    /// Asks the customer to agree to a price increase. The price itself stays: another one is given to
    /// `raisePrice(forTransaction:to:needsConsent:)`.
    public func requestPriceIncreaseConsentForTransaction(identifier: some BinaryInteger) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            let subscription = simulation.purchases[index]
            try simulation.raisePrice(index, to: simulation.chosenPrice(subscription), needsConsent: true)
        }
    }

    /// Agrees to a price increase.
    public func consentToPriceIncreaseForTransaction(identifier: some BinaryInteger) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.agreeToPrice(index)
        }
    }

    /// Does not agree to a price increase: the subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: some BinaryInteger) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.declinePrice(index)
        }
    }

    /// Buys a product outside of the app. The purchase waits if the session's settings say so; then it is among
    /// `allTransactions()`.
    public func buyProduct(productIdentifier: String) throws {
        guard try translating(try wait(productIdentifier, []), SKTestError.init) == nil else { return }
        try act { (simulation) throws(StoreRefusal) in
            _ = try simulation.purchase(PurchaseRequest(productID: productIdentifier), by: self.customer)
        }
    }

    /// Buys a product outside of the app. The purchase waits for no approval, and simulated errors do not touch it.
    ///
    /// - Returns: the transaction; it also comes in `Transaction.updates`.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let place = try act { (simulation) throws(StoreRefusal) in
            try simulation.purchase(identifier, options, by: self.customer)
        }
        return try translating(try result(of: place), SKTestError.init).unsafePayloadValue
    }

    // MARK: - Finding

    /// - Throws: `SKTestError` with the code `invalidProductType` for a transaction without a subscription.
    func actOnSubscription(
        of identifier: some BinaryInteger,
        _ body: (inout sending Simulation, SubscriptionPlace) throws(StoreRefusal) -> Void
    ) throws(SKTestError) {
        try act { (simulation) throws(StoreRefusal) in
            let place = try self.place(of: identifier, simulation)
            guard let index = simulation.purchases[place].subscription else {
                throw .notSubscription(simulation.purchases[place].product.id)
            }
            try body(&simulation, index)
        }
    }

    private func waiting(_ identifier: some BinaryInteger) -> WaitingPurchase? {
        state.withLock { state in state.waiting.first { $0.identifier == identifier } }
    }

    private func remove(waiting identifier: some BinaryInteger) {
        state.withLock { state in state.waiting.removeAll { $0.identifier == identifier } }
    }

    private func waitingForParent(_ identifier: some BinaryInteger) throws(SKTestError) -> WaitingPurchase {
        if let waiting = waiting(identifier), waiting.reason == .askToBuy { return waiting }
        guard allTransactions().contains(where: { $0.identifier == identifier }) else {
            throw SKTestError(.noTransactionFound, "there is no transaction \(identifier)")
        }
        throw SKTestError(.invalidAction, "the purchase \(identifier) waits for no parent's approval")
    }

    /// Has a purchase that waited succeed. If the App Store refuses it by now, it goes on waiting.
    private func complete(_ waiting: WaitingPurchase) throws(SKTestError) {
        try act { (simulation) throws(StoreRefusal) in
            _ = try simulation.purchase(waiting.request, by: self.customer)
        }
        remove(waiting: waiting.identifier)
    }
}
