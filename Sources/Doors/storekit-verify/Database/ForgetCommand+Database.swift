#if SQLite
    import ArgumentParser
    import CommandSupport
    import Platform
    import PurchaseDatabase
    import StoreKitVerify
    import WireFormats

    extension ForgetCommand {
        func run() throws {
            // No payload of the store will be verified.
            let store = try SQLiteTransactionStore.openExisting(
                database, VerifierSetup().makeVerifier(nil))
            let forgotten = try StandardError.sayingWhy(status: .unwritableOutput) {
                () throws(SQLiteStoreError) in
                defer { try? store.close() }
                return try store.forgetNow(Customer(customer), rewrites: rewrite)
            }
            try StandardOutput.write(forgotten.object.json + "\n")
            if forgotten.remains > 0 { throw ExitCode.failure }
        }
    }
#endif
