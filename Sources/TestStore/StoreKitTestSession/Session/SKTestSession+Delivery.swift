internal import Essentials
internal import SignedPayloads
internal import StoreKitVerify
internal import Synchronization
internal import WireFormats

/// The way of purchases to the customer's device: signed for it, verified there, and kept.
extension SKTestSession {
    /// Signs what changed since the last call, and keeps it on the device.
    ///
    /// - Parameter isQuiet: whether a transaction, by its place, comes to the app in another way, so that listeners do
    ///   not get it.
    func deliver(isQuiet: (TransactionPlace) -> Bool = { _ in false }) throws(StoreRefusal) {
        try delivering.withLock { _ throws(StoreRefusal) in try deliverAlone(isQuiet) }
    }

    private func deliverAlone(_ isQuiet: (TransactionPlace) -> Bool) throws(StoreRefusal) {
        let delivered = state.withLock(\.delivered)
        let tokens = try appStore.change { (simulation) throws(StoreRefusal) in
            try simulation.tokens(
                of: self.customer, besides: delivered, for: self.deviceIdentifier)
        }
        // The session verifies its own payloads, as an app does: a mistake in signing shows in every test.
        let verifier = StoreKitVerifier(appStore.verifier)
        do throws(PayloadError) {
            for (place, facts, token) in tokens.transactions {
                let transaction = try verifier.verifiedTransaction(token)
                purchases.add(transaction, announces: !isQuiet(place), isFinished: facts.record.isFinished)
                // Kept as it was signed, so that a later change is noticed by comparison.
                state.withLock { $0.delivered.transactions[place] = (facts, transaction) }
            }
            for (index, content, token) in tokens.renewals {
                purchases.add(try verifier.verifiedRenewalInfo(token))
                state.withLock { $0.delivered.renewals[index] = content }
            }
        } catch {
            throw .notAllowed("the session's own payload is not verified: \(error)")
        }
    }

    /// Gives the device what the App Store has now, in place of what it had. Listeners get nothing: it was theirs
    /// before.
    func replaceDelivered() throws(StoreRefusal) {
        try delivering.withLock { _ throws(StoreRefusal) in
            purchases.removeAll()
            state.withLock { $0.delivered = DeliveredPurchases() }
            try deliverAlone { _ in true }
        }
    }

    /// Delivers as `deliver()` does, with an error of the public interface.
    func deliverOrFail() throws(SigningFailure) {
        try translating(try deliver(), SigningFailure.init(refusal:))
    }

    /// A transaction of the customer, as the device has it: `purchase()` returns the token that the store holds.
    func result(of place: TransactionPlace) throws(StoreRefusal) -> VerificationResult<Transaction> {
        guard let transaction = state.withLock({ $0.delivered.transactions[place]?.transaction }) else {
            throw .notAllowed("the transaction was deleted before it was delivered")
        }
        guard let failure = verificationFailure else { return .verified(transaction) }
        return .unverified(transaction, failure)
    }
}

extension SKTestSession {
    /// The check that everything fails that the app gets; `nil` if nothing fails.
    var verificationFailure: VerificationResult<Transaction>.VerificationError? {
        guard case .verification(let error) = state.withLock({ $0.errors[.verification] }) else { return nil }
        return error
    }
}

/// The purchases that a device has, by their places in the App Store's lists.
struct DeliveredPurchases {
    /// What the App Store signs in a transaction and can change.
    struct Facts: Equatable {
        let record: TransactionRecord
        /// The items that the developer manages, which are the subscription's.
        let managed: ObjectText?
    }

    /// The facts of a transaction when the App Store signed it, and the transaction with its token.
    var transactions: [TransactionPlace: (facts: Facts, transaction: Transaction)] = [:]
    /// The members of renewal information, without those of one signature.
    var renewals: [SubscriptionPlace: ObjectText] = [:]
}

extension Simulation {
    typealias DeviceTokens = (
        transactions: [(place: TransactionPlace, facts: DeliveredPurchases.Facts, token: String)],
        renewals: [(index: SubscriptionPlace, content: ObjectText, token: String)]
    )

    /// The customer's transactions that the device does not have as they are now, and the renewal information of
    /// subscriptions with such transactions or in any changed state.
    ///
    /// Nothing else is signed again, so that two readings of an unchanged status are equal.
    mutating func tokens(
        of customer: CustomerPlace, besides delivered: DeliveredPurchases, for device: UUID
    ) throws(StoreRefusal) -> DeviceTokens {
        var tokens: DeviceTokens = ([], [])
        beginSigning()
        let changed = purchases[customer].transactions.filter {
            delivered.transactions[$0]?.facts != facts(of: $0)
        }
        // An upgraded transaction comes after the one that replaced it. Otherwise the subscription would have ended for a
        // moment.
        let upgraded = changed.filter { purchases[$0].isUpgraded }
        for place in changed.filter({ !purchases[$0].isUpgraded }) + upgraded {
            let token = try transactionToken(place, for: makeDevice(device))
            tokens.transactions.append((place, facts(of: place), token))
        }
        for index in purchases[customer].allSubscriptions {
            let content = renewalInfo(index, signedAt: 0)
            let hasNews = changed.contains { purchases[$0].subscription == index }
            guard hasNews || delivered.renewals[index] != content else { continue }
            tokens.renewals.append((index, content, try renewalToken(index, for: makeDevice(device))))
        }
        return tokens
    }

    private func facts(of place: TransactionPlace) -> DeliveredPurchases.Facts {
        DeliveredPurchases.Facts(record: purchases[place], managed: advancedCommerceInfo(of: place))
    }

    mutating func makeDevice(_ identifier: UUID) throws(StoreRefusal) -> Device {
        try Device(identifier, nonce: makeUUID())
    }
}

extension TestAppStore {
    /// Adds a customer with a device. Returns the customer's place and the device's identifier.
    ///
    /// One step under one lock, so that two sessions cannot get the same device.
    func addCustomer() -> (CustomerPlace, UUID) {
        change { simulation in (simulation.addCustomer(), simulation.makeUUID()) }
    }
}

/// The store of a session: what the device has, brought up to date before it is read.
///
/// Tests read it as an app reads its store. It is brought up to date by the reading, not by a timer.
struct SessionStore: DeviceStore {
    let session: SKTestSession

    var listeners: StoreListeners { session.purchases.listeners }

    func becomeDevice() { session.becomeDevice() }

    func apply(_ transaction: VerificationResult<Transaction>) async throws {
        try await session.purchases.apply(transaction)
    }

    func apply(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) async throws {
        try await session.purchases.apply(renewalInfo)
    }

    func apply(_ notification: VerificationResult<ServerNotification>) async throws -> Bool {
        try await session.purchases.apply(notification)
    }

    func finish(_ transaction: Transaction) async throws {
        try session.act { (simulation) throws(StoreRefusal) in
            simulation.purchases.finish(try simulation.purchases.place(of: transaction.id))
        }
        try await session.purchases.finish(transaction)
    }

    func history(of customer: Customer) async throws -> PurchaseHistory {
        try session.deliverOrFail()
        return try await session.purchases.history(of: customer)
    }
}
