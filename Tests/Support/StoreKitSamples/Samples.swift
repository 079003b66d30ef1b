/// The samples, for the tests: they are internal as Apple wrote them.
package enum Samples {
    /// Runs the sample of current entitlements.
    package static func refresh() async { await refreshPurchasedProducts() }

    /// Runs the sample of updates, until it is let go of.
    package final class Observer {
        private let observer = TransactionObserver()

        package init() {}

        /// Stops, and waits for that.
        package func stop() async {
            observer.updates?.cancel()
            await observer.updates?.value
        }
    }
}
