#if SQLite
    import ArgumentParser
    import CommandSupport
    import Platform
    import PurchaseDatabase
    import SignedPayloads

    extension SQLiteTransactionStore {
        enum Use {
            case reading
            /// The payloads are on the disk when the store is closed.
            case importing
            /// Each payload is on the disk when the call returns.
            case service
        }

        /// Opens a store for writing. A wrong name would make an empty database.
        ///
        /// - Throws: as `open(_:_:for:)`, and if the file does not exist.
        static func openExisting(
            _ path: String, _ verifier: SignedPayloadVerifier
        ) throws(ExitCode) -> SQLiteTransactionStore {
            guard FileIdentity(of: FileName(path: path)) != nil else {
                StandardError.say("\(path): it does not exist")
                throw .unwritableOutput
            }
            return try open(path, verifier, for: .service)
        }

        /// Opens a store, or reports why it cannot be opened.
        ///
        /// - Throws: an exit status, after a message: 66 for reading, 74 otherwise.
        static func open(
            _ path: String, _ verifier: SignedPayloadVerifier, for use: Use
        ) throws(ExitCode) -> SQLiteTransactionStore {
            let status: ExitCode = use == .reading ? .unreadableInput : .unwritableOutput
            return try StandardError.sayingWhy(status: status) { () throws(SQLiteStoreError) in
                try SQLiteTransactionStore(
                    path: path, verifier: verifier, isReadOnly: use == .reading, isImport: use == .importing,
                    patience: use == .service ? 5 : nil)
            }
        }
    }
#endif
