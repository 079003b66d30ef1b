#if SQLite
    import DatabaseFolders
    import Foundation
    import PurchaseDatabase
    import StoreKitVerify
    import Testing

    /// This file imports the products by their names, and not the module behind them: it compiles as users' code does.
    @Suite struct ProductNamesTests {
        @Test func `the products' names give the store, the inbox and the forwarder`() async throws {
            let folder = try DatabaseFolder()
            let store: SQLiteTransactionStore = try folder.open()
            let inbox = NotificationInbox(store, forwardingTo: [])
            #expect(try await inbox.store.history(of: .everyone).purchases.isEmpty)
            #expect(try await inbox.undelivered() == [])
            #expect(NotificationForwarder(store, to: []).addresses == [])
        }
    }
#endif
