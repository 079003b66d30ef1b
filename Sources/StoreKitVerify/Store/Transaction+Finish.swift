extension Transaction {
    /// Records that the app has delivered the purchase.
    public func finish() async {
        guard let scope = CustomerScope.current else { return }
        do {
            try await scope.store.finish(self)
        } catch {
            scope.onError(error)
        }
    }
}
