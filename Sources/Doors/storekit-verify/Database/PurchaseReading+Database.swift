#if SQLite
    import ArgumentParser
    import CommandSupport
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitVerify

    extension PurchaseReading {
        /// Reads a database: one customer's purchases and those under other names that they give, or all.
        ///
        /// - Throws: an exit status, after a message, if the file cannot be read.
        mutating func read(database path: String, _ customer: [Customer.Name]) throws -> ExitCode {
            var purchases = PurchaseHistory()
            let status = try read(path) { store, report throws(SQLiteStoreError) in
                let named = customer.isEmpty ? Customer.everyone : Customer(customer)
                purchases = try store.widerHistoryNow(of: named, refuse: report)
            }
            history = Self.selected(of: purchases, by: verifier, &tally.leftOut)
            return status
        }

        /// Reads the purchases of all customers in a database, some customers at a time, without keeping them.
        ///
        /// - Parameter write: gets the purchases, and the lowest original transaction of those that follow.
        /// - Throws: as `read(database:_:)`, and the error of `write`.
        mutating func readCustomers(
            ofDatabase path: String, _ write: (PurchaseHistory, _ next: UInt64?) throws -> Void
        ) throws -> ExitCode {
            var failure: (any Error)?
            var isWritten = false
            var leftOut = 0
            let status = try read(path) { [verifier] store, report throws(SQLiteStoreError) in
                try store.forEachCustomers(refuse: report) { purchases, next in
                    isWritten = next == nil
                    let selected = Self.selected(of: purchases, by: verifier, &leftOut)
                    do { try write(selected, next) } catch { failure = error }
                    return failure == nil
                }
            }
            tally.leftOut += leftOut
            if let failure { throw failure }
            if !isWritten { try write(PurchaseHistory(), nil) }
            return status
        }

        /// Opens a database, and reports purchases that are left out.
        private mutating func read(
            _ path: String,
            _ body: (
                SQLiteTransactionStore, _ report: (_ subject: String, StoredFault) -> Void
            ) throws(SQLiteStoreError) -> Void
        ) throws -> ExitCode {
            let store = try SQLiteTransactionStore.open(path, verifier.payloads, for: .reading)
            var outcome = RunOutcome()
            var leftOut: Set<String> = []
            try StandardError.sayingWhy(status: .unreadableInput) { () throws(SQLiteStoreError) in
                try body(store) { subject, fault in
                    guard leftOut.insert(subject).inserted else { return }
                    outcome.hasFailures = true
                    if case .unverified(let error) = fault { tally.count(error) }
                    if namesFailures { StandardError.say("\(path): \(subject) is left out: \(fault)") }
                }
            }
            return outcome.status
        }
    }
#endif
