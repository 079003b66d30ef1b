import ArgumentParser
import CommandSupport
import Platform
import SignedPayloads
import StoreKitVerify

#if SQLite
    import PurchaseDatabase
#endif

/// Reads signed payloads of all kinds into a purchase history.
struct PurchaseReading {
    private(set) var history = PurchaseHistory()
    private(set) var tally = Tally()
    /// Without names, the exit status and the summary report the failures.
    private let namesFailures: Bool
    private let verifier: StoreKitVerifier
    private let batch: BatchVerifier

    /// How many lines are verified together. Their payloads stay in memory meanwhile.
    private static let maximumLines = 2048

    /// - Parameter namesFailures: whether each line that is not verified is named on standard error.
    init(_ verifier: SignedPayloadVerifier, namesFailures: Bool) {
        self.namesFailures = namesFailures
        self.verifier = StoreKitVerifier(verifier)
        // One core is enough: most of the time goes into reading the payloads' values, one after another. And
        // the system cannot refuse a thread that is not requested.
        batch = BatchVerifier(verifier, jobs: 1)
    }

    /// The note about the engine after the reading, if there is one.
    var engineNote: String? { batch.engineNote }

    /// Reads files, or standard input for `-`. A file that cannot be read does not affect the others.
    mutating func read(_ files: [FileName]) throws(ExitCode) -> ExitCode {
        // Nothing is written before the end, so Ctrl-C simply ends the process.
        let stopRequest: StopRequest
        do throws(SystemError) {
            stopRequest = try StopRequest()
        } catch {
            StandardError.say("no descriptor to wait for input: \(error)")
            throw .noResources
        }
        var outcome = RunOutcome()
        outcome.forEach(of: files, stopRequest) { outcome, file, name in
            do throws(InputError) {
                try read(file, name.label(among: files), stopRequest, &outcome)
                return nil
            } catch {
                return error
            }
        }
        return outcome.status
    }

    /// Reads a database: one customer's purchases and those under other names that they give, or all.
    ///
    /// - Throws: an exit status, after a message, if the file cannot be read; in a build without a database,
    ///   a usage error.
    mutating func read(database path: String, _ customer: [Customer.Name]) throws -> ExitCode {
        #if SQLite
            var purchases = PurchaseHistory()
            let status = try read(path) { store, report throws(SQLiteStoreError) in
                let named = customer.isEmpty ? Customer.everyone : Customer(customer)
                purchases = try store.widerHistoryNow(of: named, refuse: report)
            }
            history = purchases
            return status
        #else
            throw DatabaseMissing.error
        #endif
    }

    /// Reads the purchases of all customers in a database, some customers at a time, without keeping them.
    ///
    /// - Parameter write: gets the purchases, and the lowest original transaction of those that follow.
    /// - Throws: as `read(database:_:)`, and the error of `write`.
    mutating func readCustomers(
        ofDatabase path: String, _ write: (PurchaseHistory, _ next: UInt64?) throws -> Void
    ) throws -> ExitCode {
        #if SQLite
            var failure: (any Error)?
            var isWritten = false
            let status = try read(path) { store, report throws(SQLiteStoreError) in
                try store.forEachCustomers(refuse: report) { purchases, next in
                    isWritten = next == nil
                    do { try write(purchases, next) } catch { failure = error }
                    return failure == nil
                }
            }
            if let failure { throw failure }
            if !isWritten { try write(PurchaseHistory(), nil) }
            return status
        #else
            throw DatabaseMissing.error
        #endif
    }

    #if SQLite
        /// Opens a database, and reports purchases that are left out.
        private mutating func read(
            _ path: String,
            _ body: (
                SQLiteTransactionStore, _ report: (_ subject: String, StoredFault) -> Void
            ) throws(SQLiteStoreError) -> Void
        ) throws -> ExitCode {
            let store = try SQLiteTransactionStore.open(path, verifier.payloads, for: .reading)
            var outcome = RunOutcome()
            do throws(SQLiteStoreError) {
                var leftOut: Set<String> = []
                try body(store) { subject, fault in
                    guard leftOut.insert(subject).inserted else { return }
                    outcome.hasFailures = true
                    if case .unverified(let error) = fault { tally.count(error) }
                    if namesFailures { StandardError.say("\(path): \(subject) is left out: \(fault)") }
                }
            } catch {
                StandardError.say("\(error)")
                throw ExitCode.unreadableInput
            }
            return outcome.status
        }
    #endif

    private mutating func read(
        _ file: consuming FileDescriptor, _ label: FileName?, _ stopRequest: StopRequest,
        _ outcome: inout RunOutcome
    ) throws(InputError) {
        // One mebibyte, the most that Linux gives to a process without privileges
        // (`/proc/sys/fs/pipe-max-size`).
        file.enlargePipe(to: 1 << 20)
        var reader = LineReader(file, verifier.payloads.policy.lineLimits)
        var chunk = LineReader.Chunk()
        defer { tally.empty += reader.progress.emptyLines }
        while try reader.next(into: &chunk, atMost: Self.maximumLines, stopRequest) {
            for (line, verdict) in zip(
                chunk.text.numbers, batch.verify(chunk.text.lines, of: chunk.text.buffer))
            {
                do throws(PayloadError) {
                    try add(try verdict.get())
                    tally.count(nil)
                } catch {
                    outcome.hasFailures = true
                    tally.count(error)
                    guard namesFailures else { continue }
                    let place = label.map { "\($0.text):\(line)" } ?? "line \(line)"
                    StandardError.say("\(place): \(error)")
                }
            }
        }
    }

    /// Adds a payload's transactions and renewal information.
    private mutating func add(_ payload: VerifiedPayload) throws(PayloadError) {
        for value in try PurchaseValue.all(in: payload, by: verifier, keepsTokens: false) {
            history.add(value)
        }
    }
}
