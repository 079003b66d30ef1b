internal import Synchronization

/// The listeners of a store: those that wait for transactions, and those that wait for changed purchases. A store has
/// one, and announces to it the payloads that it keeps.
public final class StoreListeners: Sendable {
    private struct Listener<Element: Sendable>: Sendable {
        let customer: Customer
        let continuation: AsyncStream<Element>.Continuation
    }

    private struct State {
        var transactions: [Int: Listener<Transaction>] = [:]
        var changes: [Int: Listener<PurchaseChain>] = [:]
        var count = 0
    }

    /// Who listens. Nothing is sent while it is locked: a task that is cancelled locks itself and then this,
    /// because its stream ends, and a task that is sent something is locked too.
    private let state = Mutex(State())
    /// Held during an announcement, so that all listeners get announcements in their order.
    private let announcing = Mutex(())

    /// Without any listener.
    public init() {}

    /// Whether there is no listener.
    public var isEmpty: Bool { state.withLock { $0.transactions.isEmpty && $0.changes.isEmpty } }

    /// Sends a change to the listeners of the purchases' customers. Call it when a payload that brought something
    /// new is kept, in the order in which payloads are kept.
    ///
    /// - Parameters:
    ///   - transaction: the transaction that changed them, if it was one. It is not sent if the app has finished
    ///     it.
    ///   - chains: returns the purchases as they are now. It is not called if there is no listener.
    public func announce(_ transaction: Transaction?, in chains: () -> [PurchaseChain]) {
        announce(transaction, evenIfFinished: false, in: chains)
    }

    func announce(_ transaction: Transaction?, evenIfFinished: Bool, in chains: () -> [PurchaseChain]) {
        announcing.withLock { _ in
            let (ofTransactions, ofChanges) = state.withLock {
                (Array($0.transactions.values), Array($0.changes.values))
            }
            guard !ofTransactions.isEmpty || !ofChanges.isEmpty else { return }
            for chain in chains() {
                let names = Set(chain.customers)
                for listener in ofChanges where listener.customer.owns(names) {
                    listener.continuation.yield(chain)
                }
                guard let transaction, chain[transaction.id] == transaction,
                    evenIfFinished || !chain.isFinished(transaction)
                else { continue }
                for listener in ofTransactions where listener.customer.owns(names) {
                    listener.continuation.yield(transaction)
                }
            }
        }
    }

    /// A customer's transactions that are announced from now on.
    public func transactions(of customer: Customer) -> AsyncStream<Transaction> {
        listen(for: customer, in: \.transactions)
    }

    /// A customer's purchases that are announced from now on.
    public func changes(of customer: Customer) -> AsyncStream<PurchaseChain> {
        listen(for: customer, in: \.changes)
    }

    private func listen<Element: Sendable>(
        for customer: Customer, in listeners: any WritableKeyPath<State, [Int: Listener<Element>]> & Sendable
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        let number = state.withLock { state in
            state.count += 1
            state[keyPath: listeners][state.count] = Listener(customer: customer, continuation: continuation)
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in state[keyPath: listeners][number] = nil }
        }
        return stream
    }
}
