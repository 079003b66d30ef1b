public import StoreKitVerify
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What StoreKitTest does with transactions. Identifiers are those of `SKTestTransaction`; each function throws
/// `SKTestError` if there is no such transaction, or the App Store does not allow the action.
extension SKTestSession {
    /// The customer's transactions, oldest first, with the purchases that wait for somebody.
    public func allTransactions() -> [SKTestTransaction] {
        let transactions = appStore.read { simulation in
            simulation.customers[customer].transactions.map { SKTestTransaction($0, simulation) }
        }
        return transactions + state.withLock { $0.waiting.map { SKTestTransaction($0) } }
    }

    /// Removes the customer's transactions and subscriptions from the App Store and from the device. Settings stay.
    public func clearTransactions() {
        appStore.change { simulation in simulation.forgetPurchases(of: self.customer) }
        purchases.removeAll()
        state.withLock { state in
            state.waiting = []
            state.delivered = [:]
        }
    }

    /// Removes a transaction: with an original transaction all its renewals, with a renewal that one alone.
    public func deleteTransaction(identifier: Int) throws {
        try act { (simulation) throws(StoreRefusal) in
            let place = try self.place(of: identifier, simulation)
            simulation.delete(place)
        }
        purchases.removeAll()
        state.withLock { $0.delivered = [:] }
        try deliver()
    }

    /// Ends the period of a subscription now, and turns automatic renewal off.
    public func expireSubscription(productIdentifier: String) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.expireNow(simulation.subscription(to: productIdentifier, of: self.customer))
        }
    }

    /// Ends the period of a subscription now, and starts the next one. Automatic renewal is on afterwards, and no price
    /// increase is pending.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act { (simulation) throws(StoreRefusal) in
            try simulation.forceRenewal(simulation.subscription(to: productIdentifier, of: self.customer))
        }
    }

    /// Refunds a purchase at once, in full, for the reason "other".
    public func refundTransaction(identifier: Int) throws {
        try refundTransaction(identifier: identifier, reason: .other)
    }

    /// Resolves the issue of an interrupted purchase, or of a renewal that could not be paid for.
    public func resolveIssueForTransaction(identifier: Int) throws {
        if let waiting = takeWaiting(identifier, isInterrupted: true) {
            try act { (simulation) throws(StoreRefusal) in
                _ = try simulation.purchase(waiting.request, by: self.customer)
            }
            return
        }
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.recover(index)
        }
    }

    /// Approves a purchase that waits for a parent.
    public func approveAskToBuyTransaction(identifier: Int) throws {
        let waiting = try waitingForParent(identifier)
        try act { (simulation) throws(StoreRefusal) in
            _ = try simulation.purchase(waiting.request, by: self.customer)
        }
    }

    /// Declines a purchase that waits for a parent.
    public func declineAskToBuyTransaction(identifier: Int) throws { _ = try waitingForParent(identifier) }

    /// Turns the automatic renewal of a transaction's subscription on.
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.resume(index)
        }
    }

    /// Turns the automatic renewal of a transaction's subscription off.
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.cancel(index)
        }
    }

    /// Asks the customer to agree to a price increase. The price itself stays: another one is given to
    /// `raisePrice(forTransaction:to:needsConsent:)`.
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            let price = simulation.transactions[simulation.subscriptions[index].latest].price
            try simulation.raisePrice(index, to: price, needsConsent: true)
        }
    }

    /// Agrees to a price increase.
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.agreeToPrice(index)
        }
    }

    /// Does not agree to a price increase: the subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try actOnSubscription(of: identifier) { (simulation, index) throws(StoreRefusal) in
            try simulation.declinePrice(index)
        }
    }

    /// Buys a product outside of the app.
    public func buyProduct(productIdentifier: String) throws {
        try act { (simulation) throws(StoreRefusal) in
            _ = try simulation.purchase(PurchaseRequest(productID: productIdentifier), by: self.customer)
        }
    }

    /// Buys a product outside of the app.
    ///
    /// - Returns: the transaction; it also comes in `Transaction.updates`.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let place = try act { (simulation) throws(StoreRefusal) in
            try simulation.purchase(identifier, options, by: self.customer)
        }
        return try result(of: place).payloadValue
    }

    // MARK: - Finding

    func actOnSubscription(
        of identifier: Int,
        _ body: (inout sending Simulation, Int) throws(StoreRefusal) -> Void
    ) throws(SKTestError) {
        try act { (simulation) throws(StoreRefusal) in
            let place = try self.place(of: identifier, simulation)
            guard let index = simulation.transactions[place].subscription else {
                throw .noSubscription(simulation.transactions[place].product.id)
            }
            try body(&simulation, index)
        }
    }

    private func takeWaiting(_ identifier: Int, isInterrupted: Bool) -> WaitingPurchase? {
        state.withLock { state in
            let index = state.waiting.firstIndex {
                $0.identifier == identifier && $0.isInterrupted == isInterrupted
            }
            return index.map { state.waiting.remove(at: $0) }
        }
    }

    private func waitingForParent(_ identifier: Int) throws(SKTestError) -> WaitingPurchase {
        guard let waiting = takeWaiting(identifier, isInterrupted: false) else {
            throw SKTestError(.noTransactionFound, "no purchase \(identifier) waits for a parent's approval")
        }
        return waiting
    }
}
