extension Transaction {
    /// Records that the app has delivered the purchase, in the store of the scope, or of
    /// `CustomerScope.listen(to:)`.
    public func finish() async {
        guard let scope = CustomerScope.ofTransactions("Transaction.finish()") else { return }
        do {
            try await scope.store.finish(self)
        } catch {
            scope.onError(error)
        }
    }
}
