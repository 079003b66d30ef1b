#if !SQLite
    import ArgumentParser
    import StoreKitVerify

    /// The message of a build without the database. Its commands exist, so that it can name the missing trait.
    enum DatabaseMissing {
        static var error: ValidationError {
            ValidationError(
                "This build has no database. Build the command with: swift build -c release --traits SQLite")
        }
    }

    extension IngestCommand { func run() throws { throw DatabaseMissing.error } }
    extension ForgetCommand { func run() throws { throw DatabaseMissing.error } }
    extension BackupCommand { func run() throws { throw DatabaseMissing.error } }

    extension PurchaseReading {
        mutating func read(database path: String, _ customer: [Customer.Name]) throws -> ExitCode {
            throw DatabaseMissing.error
        }

        mutating func readCustomers(
            ofDatabase path: String, _ write: (PurchaseHistory, _ next: UInt64?) throws -> Void
        ) throws -> ExitCode {
            throw DatabaseMissing.error
        }
    }
#endif
