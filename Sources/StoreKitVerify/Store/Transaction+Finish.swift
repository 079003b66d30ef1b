extension Transaction {
    /// Notes that the app has delivered what was bought.
    public func finish() async {
        guard let scope = CustomerScope.current else { return }
        do {
            try await scope.store.finish(self)
        } catch {
            scope.onError(error)
        }
    }
}
