/// A sequence of a store's elements about one customer. It does not throw.
///
/// It serves as StoreKit's `Transaction.Transactions` and `Product.SubscriptionInfo.Status.Statuses`.
public struct StoreSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The sequence does not throw.
    public typealias Failure = Never

    private let make: @Sendable () -> AsyncStream<Element>

    init(_ make: @escaping @Sendable () -> AsyncStream<Element>) { self.make = make }

    /// The sequence whose streams a function makes of this one's.
    func transformed(_ transform: @escaping @Sendable (AsyncStream<Element>) -> AsyncStream<Element>) -> Self
    {
        Self { [make] in transform(make()) }
    }

    /// Starts the sequence from its beginning.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: make().makeAsyncIterator()) }

    /// Returns the elements one by one.
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

extension AsyncStream {
    /// The elements that a task yields. The task is cancelled when the stream's reader is.
    static func ofTask(_ body: @escaping @Sendable (Continuation) async -> Void) -> AsyncStream {
        AsyncStream { continuation in
            let task = Task {
                await body(continuation)
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
