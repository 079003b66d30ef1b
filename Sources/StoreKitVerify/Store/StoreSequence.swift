/// What a store gives about a customer, one element after the other; it does not throw.
///
/// StoreKit's `Transaction.Transactions` and `Product.SubscriptionInfo.Status.Statuses`.
public struct StoreSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// It does not throw.
    public typealias Failure = Never

    private let make: @Sendable () -> AsyncStream<Element>

    init(_ make: @escaping @Sendable () -> AsyncStream<Element>) { self.make = make }

    /// Begins anew.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: make().makeAsyncIterator()) }

    /// Gives one element after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Element>.Iterator

        /// The next element; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await base.next(isolation: actor)
        }

        /// The next element; `nil` at the end.
        public mutating func next() async -> Element? { await base.next() }
    }
}
