#if SQLite
    import PurchaseDatabase

    extension BackupCommand {
        func run() throws {
            let store = try SQLiteTransactionStore.open(
                database, VerifierSetup().makeVerifier(nil), for: .reading)
            try store.sayingWhy { store throws(SQLiteStoreError) in try store.backUp(to: copy) }
        }
    }
#endif
