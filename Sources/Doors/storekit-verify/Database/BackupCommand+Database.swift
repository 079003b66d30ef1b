#if SQLite
    import ArgumentParser
    import CommandSupport
    import PurchaseDatabase

    extension BackupCommand {
        func run() throws {
            let store = try SQLiteTransactionStore.open(
                database, VerifierSetup().makeVerifier(nil), for: .reading)
            try StandardError.sayingWhy(status: .unwritableOutput) { () throws(SQLiteStoreError) in
                try store.backUp(to: copy)
            }
        }
    }
#endif
