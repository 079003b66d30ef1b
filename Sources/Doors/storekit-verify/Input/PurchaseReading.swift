import ArgumentParser
import CommandSupport
import Platform
import SignedPayloads
import StoreKitVerify

/// Reads signed payloads of all kinds, and receipts, into a purchase history.
struct PurchaseReading {
    var history = PurchaseHistory()
    var tally = Tally()
    /// Without names, the exit status and the summary report the failures.
    let namesFailures: Bool
    private let takesJSONApart: Bool
    let verifier: StoreKitVerifier
    private let batch: BatchVerifier
    /// For payloads of other apps and environments: which one a purchase is of, all its payloads say together. `nil` if all
    /// are accepted.
    private let anyIdentity: BatchVerifier?

    /// How many lines are verified together. Their payloads stay in memory meanwhile.
    private static let maximumLines = 2048

    /// - Parameters:
    ///   - receipts: verifies the receipts among the payloads.
    ///   - namesFailures: whether each line that is not verified is named on standard error.
    ///   - takesJSONApart: whether the inputs are JSON of any shape.
    init(
        _ verifier: SignedPayloadVerifier, _ receipts: ReceiptVerifier, namesFailures: Bool,
        takesJSONApart: Bool
    ) {
        (self.namesFailures, self.takesJSONApart) = (namesFailures, takesJSONApart)
        self.verifier = StoreKitVerifier(verifier)
        // One core is enough: most of the time goes into reading the payloads' values, one after another. And
        // the system cannot refuse a thread that is not requested.
        batch = BatchVerifier(verifier, receipts: receipts, jobs: 1)
        anyIdentity = verifier.withoutIdentity.map {
            BatchVerifier($0, receipts: receipts.withoutIdentity, jobs: 1)
        }
    }

    /// The note about the engine after the reading, if there is one.
    var engineNote: String? { batch.engineNote }

    /// Reads files, or standard input for `-`. A file that cannot be read does not affect the others.
    mutating func read(_ files: [FileName]) throws(ExitCode) -> ExitCode {
        // Nothing is written before the end, so Ctrl-C simply ends the process.
        let stopRequest = try StandardError.sayingWhy(
            "no descriptor to wait for input: ", status: .noResources, StopRequest.init)
        var outcome = RunOutcome()
        outcome.forEach(of: files, stopRequest) { outcome, file, name in
            do throws(InputError) {
                try read(file, name.label(among: files), stopRequest, &outcome)
                return nil
            } catch {
                return error
            }
        }
        history = Self.selected(of: history, by: verifier, &tally.leftOut)
        return outcome.status
    }

    /// The purchases of the apps and environments that were asked about. The others are counted.
    static func selected(
        of history: PurchaseHistory, by verifier: StoreKitVerifier, _ leftOut: inout Int
    ) -> PurchaseHistory {
        let selected = history.selected(by: verifier.payloads.policy)
        leftOut += history.purchases.count - selected.purchases.count
        return selected
    }

    private mutating func read(
        _ file: consuming FileDescriptor, _ label: FileName?, _ stopRequest: StopRequest,
        _ outcome: inout RunOutcome
    ) throws(InputError) {
        // One mebibyte, the most that Linux gives to a process without privileges
        // (`/proc/sys/fs/pipe-max-size`).
        file.enlargePipe(to: 1 << 20)
        var reader = LineReader(file, verifier.payloads.policy.lineLimits, takesJSONApart: takesJSONApart)
        var chunk = LineReader.Chunk()
        defer { tally.empty += reader.progress.emptyLines }
        while try reader.next(into: &chunk, atMost: Self.maximumLines, stopRequest) {
            for (index, verdict) in verdicts(on: chunk.text).enumerated() {
                do throws(PayloadError) {
                    try add(try verdict.get())
                    tally.count(nil)
                } catch let failure {
                    let error = chunk.text.member(at: index).map(failure.inside) ?? failure
                    outcome.hasFailures = true
                    tally.count(error)
                    guard namesFailures else { continue }
                    let line = chunk.text.numbers[index]
                    let place = label.map { "\($0.text):\(line)" } ?? "line \(line)"
                    StandardError.say("\(place): \(error)")
                }
            }
        }
    }

    /// The verdicts on lines, those of other apps and environments among the verified ones.
    private func verdicts(on chunk: LineChunk) -> [Result<VerifiedPayload, PayloadError>] {
        var verdicts = batch.verify(chunk.lines, of: chunk.buffer)
        if let anyIdentity {
            verdicts.decideAgain(where: \.isOfOtherIdentity) { places in
                anyIdentity.verify(places.map { chunk.lines[$0] }, of: chunk.buffer)
            }
        }
        return verdicts
    }

    /// Adds a payload's transactions and renewal information.
    private mutating func add(_ payload: VerifiedPayload) throws(PayloadError) {
        for value in try PurchaseValue.all(in: payload, by: verifier, keepsTokens: false) {
            history.add(value)
        }
    }
}
