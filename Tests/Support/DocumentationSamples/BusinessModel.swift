import StoreKitVerify

/// An app that cost money up to version 1, and is free with in-app purchases from version 2 on.
struct BusinessModel {
    /// The first major version that is free.
    let firstFreeVersion = 2
    let store: any TransactionStore

    /// Whether a customer paid for the app itself, and so owns what version 1 had.
    func hasPaidForApp(_ customer: Customer) async throws -> Bool {
        let history = try await store.history(of: customer).purchases(of: .onlyApp())
        return history.appTransactions.contains { appTransaction in
            guard appTransaction.revocationDate == nil,
                let major = appTransaction.originalAppVersion.split(separator: ".").first.flatMap({ Int($0) })
            else { return false }
            return major < firstFreeVersion
        }
    }
}
