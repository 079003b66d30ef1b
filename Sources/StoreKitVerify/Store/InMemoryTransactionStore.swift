internal import Synchronization

/// A store in memory. It suits tests, a single run of a command, and servers that keep payloads in a
/// database.
public final class InMemoryTransactionStore: TransactionStore {
    private struct Listener<Element: Sendable>: Sendable {
        let customer: Customer
        let continuation: AsyncStream<Element>.Continuation
    }

    private struct State {
        var chains: [PurchaseChain.ID: PurchaseChain] = [:]
        var chainsOfCustomers: [Customer: Set<PurchaseChain.ID>] = [:]
        var transactionListeners: [Int: Listener<Transaction>] = [:]
        var changeListeners: [Int: Listener<PurchaseChain>] = [:]
        var listeners = 0

        /// Changes a purchase, and updates the index of its customers.
        mutating func change<Success>(
            _ id: PurchaseChain.ID, _ body: (inout PurchaseChain) -> Success
        ) -> Success {
            var chain = chains[id] ?? PurchaseChain(id: id)
            let before = chain.customers
            let success = body(&chain)
            chains[id] = chain
            let after = chain.customers
            for customer in before where !after.contains(customer) {
                chainsOfCustomers[customer]?.remove(id)
                if chainsOfCustomers[customer]?.isEmpty ?? false { chainsOfCustomers[customer] = nil }
            }
            for customer in after { chainsOfCustomers[customer, default: []].insert(id) }
            return success
        }

        /// Sends a change to the listeners of the purchase's customers.
        func announce(_ transaction: Transaction?, in chain: PurchaseChain) {
            let customers = chain.customers
            for listener in changeListeners.values where customers.contains(listener.customer) {
                listener.continuation.yield(chain)
            }
            guard let transaction else { return }
            for listener in transactionListeners.values where customers.contains(listener.customer) {
                listener.continuation.yield(transaction)
            }
        }
    }

    private let state = Mutex(State())

    /// An empty store.
    public init() {}

    /// Applies a transaction.
    public func apply(_ transaction: VerificationResult<Transaction>) async throws {
        let transaction = try transaction.payloadValue
        state.withLock { state in
            guard state.change(transaction.chainID, { $0.add(transaction) }) else { return }
            if let chain = state.chains[transaction.chainID] { state.announce(transaction, in: chain) }
        }
    }

    /// Applies renewal information.
    public func apply(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) async throws {
        let renewalInfo = try renewalInfo.payloadValue
        state.withLock { state in
            guard state.change(renewalInfo.chainID, { $0.add(renewalInfo) }) else { return }
            if let chain = state.chains[renewalInfo.chainID] { state.announce(nil, in: chain) }
        }
    }

    /// Records that the app has finished a transaction.
    public func finish(_ transaction: Transaction) async throws {
        state.withLock { state in state.change(transaction.chainID) { $0.finish(transaction.id) } }
    }

    /// The customer's purchases. The time is linear in their number.
    public func history(of customer: Customer) async throws -> PurchaseHistory {
        state.withLock { state in
            PurchaseHistory((state.chainsOfCustomers[customer] ?? []).compactMap { state.chains[$0] })
        }
    }

    /// The customer's transactions that are applied from now on. Payloads that bring nothing new are left
    /// out.
    public func transactions(of customer: Customer) -> AsyncStream<Transaction> {
        listen(for: customer, in: \.transactionListeners)
    }

    /// The customer's purchases that change from now on.
    public func changes(of customer: Customer) -> AsyncStream<PurchaseChain> {
        listen(for: customer, in: \.changeListeners)
    }

    private func listen<Element: Sendable>(
        for customer: Customer, in listeners: any WritableKeyPath<State, [Int: Listener<Element>]> & Sendable
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        let number = state.withLock { state in
            state.listeners += 1
            state[keyPath: listeners][state.listeners] = Listener(
                customer: customer, continuation: continuation)
            return state.listeners
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in state[keyPath: listeners][number] = nil }
        }
        return stream
    }
}
