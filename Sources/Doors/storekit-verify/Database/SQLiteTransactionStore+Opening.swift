#if SQLite
    import ArgumentParser
    import CommandSupport
    import SignedPayloads
    import StoreKitVerifySQLite

    extension SQLiteTransactionStore {
        /// What a store is opened for.
        enum Use {
            case reading
            /// The payloads are on the disk when the store is closed.
            case importing
            /// Each payload is on the disk when the call returns.
            case service
        }

        /// Opens a store, or reports why it cannot be opened.
        ///
        /// - Throws: an exit status, after a message: 66 for reading, 74 otherwise.
        static func open(
            _ path: String, _ verifier: SignedPayloadVerifier, for use: Use
        ) throws(ExitCode) -> SQLiteTransactionStore {
            do throws(SQLiteStoreError) {
                return try SQLiteTransactionStore(
                    path: path, verifier: verifier, isReadOnly: use == .reading, isImport: use == .importing,
                    patience: use == .service ? 5 : nil)
            } catch {
                StandardError.say("\(error)")
                throw use == .reading ? .unreadableInput : .unwritableOutput
            }
        }
    }
#endif
