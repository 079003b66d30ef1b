/// Makes Apple's samples available to the tests. The samples themselves are internal, as Apple wrote them.
package enum Samples {
    /// Runs the sample of current entitlements.
    package static func refresh() async { await refreshPurchasedProducts() }

    /// Runs the sample of updates until this object is released.
    package final class Observer {
        private let observer = TransactionObserver()

        package init() {}

        /// Stops the sample, and waits until it has ended.
        package func stop() async {
            observer.updates?.cancel()
            await observer.updates?.value
        }
    }
}
