import ArgumentParser
import SignedPayloads
import StoreKitVerify

/// Reads signed payloads of all kinds into a purchase history.
struct PurchaseReading {
    private(set) var history = PurchaseHistory()
    private(set) var tally = Tally()
    private let namesFailures: Bool
    private let verifier: StoreKitVerifier
    private let batch: BatchVerifier
    private var outcome = RunOutcome()

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

    /// Reads files, or standard input for `-`. A file that cannot be read does not affect the others.
    mutating func read(_ files: [FileName]) throws(ExitCode) -> ExitCode {
        for file in files {
            do throws(SystemError) {
                try read(file, ofSeveral: files.count > 1)
            } catch {
                StandardError.say(unreadable: file, error)
                outcome.hasUnreadable = true
            }
        }
        return outcome.status
    }

    private mutating func read(_ name: FileName, ofSeveral: Bool) throws(SystemError) {
        let file =
            name == .standardInput
            ? FileDescriptor(borrowing: FileDescriptor.standardInput) : try FileDescriptor.open(name)
        file.enlargePipe()
        var reader = LineReader(file, verifier.payloadVerifier.policy)
        var chunk = LineReader.Chunk()
        // Nothing is written before the end, so Ctrl-C simply ends the process.
        let stopRequest = try StopRequest()
        defer { tally.empty += reader.progress.emptyLines }
        while try reader.next(into: &chunk, atMost: Self.maximumLines, stopRequest) {
            for (line, verdict) in zip(chunk.numbers, batch.verify(chunk.lines, of: chunk.buffer)) {
                do throws(VerificationError) {
                    try add(try verdict.get())
                    tally.count(nil)
                } catch {
                    outcome.hasFailures = true
                    tally.count(error)
                    guard namesFailures else { continue }
                    let place = ofSeveral ? "\(name.text):\(line)" : "line \(line)"
                    StandardError.say("\(place): \(error)")
                }
            }
        }
    }

    /// Adds what a payload says about purchases.
    private mutating func add(_ payload: VerifiedPayload) throws(VerificationError) {
        switch payload.kind {
        case .transaction: add(.verified(try verifier.value(of: payload) as Transaction))
        case .renewalInfo:
            add(.verified(try verifier.value(of: payload) as Product.SubscriptionInfo.RenewalInfo))
        case .notification:
            // These are the same payloads, without the notification around them.
            for nested in payload.nested { try add(nested.payload) }
        case .appTransaction, .realtimeRequest, .receipt, .unknown: break
        }
    }

    private mutating func add(_ transaction: VerificationResult<Transaction>) {
        _ = try? history.add(transaction)
    }

    private mutating func add(_ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) {
        _ = try? history.add(renewalInfo)
    }
}
