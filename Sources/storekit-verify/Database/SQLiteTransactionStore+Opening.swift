#if SQLite
    import ArgumentParser
    import SignedPayloads
    import StoreKitVerifySQLite

    extension SQLiteTransactionStore {
        /// Opens a store for reading or for an import, or reports why it cannot be opened.
        static func open(
            _ path: String, _ verifier: SignedPayloadVerifier, isImport: Bool
        ) throws(ExitCode) -> SQLiteTransactionStore {
            do throws(SQLiteStoreError) {
                return try SQLiteTransactionStore(
                    path: path, verifier: verifier, isReadOnly: !isImport, isImport: isImport)
            } catch {
                StandardError.say("\(error)")
                throw isImport ? .unwritableOutput : .unreadableInput
            }
        }
    }
#endif
