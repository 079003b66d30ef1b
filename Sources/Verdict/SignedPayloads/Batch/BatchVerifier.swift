internal import CertificateChain
internal import Essentials
internal import Synchronization
package import WireFormats

#if canImport(Dispatch)
    internal import Dispatch
#endif

/// Verifies many payloads at a time, on all cores. The verdicts are those of `SignedPayloadVerifier`, to the
/// byte of their messages, at a multiple of the speed.
///
/// Use it for archives, lines and streams, for app receipts among payloads, or to choose the engine and the number of
/// cores. A server that gets one compact JWS with each request does not need it: `SignedPayloadVerifier.verifyTogether(_:)`
/// makes one by itself.
///
/// The App Store signs with a handful of keys. From a key's 16th payload on, its signatures are verified from
/// tables of its multiples, many together; see `P256Verifier`. libcrypto verifies signatures of rare keys one
/// by one. Memory is bounded: 24 MiB of tables, and the buffers for one batch of lines on each core.
public struct BatchVerifier: Sendable {
    /// The code that verifies the signatures of busy keys. All engines give the same verdicts.
    public enum Engine: String, Sendable, CaseIterable {
        /// The fastest engine that the machine can run.
        case auto
        /// Tables, in portable Swift.
        case portable
        /// Tables, with AVX-512 IFMA or AVX2; in portable Swift if the processor has neither, or if
        /// its instructions give wrong verdicts (`engineNote`).
        case vector
        /// libcrypto, one signature at a time.
        case libcrypto
    }

    /// The verifier of signed payloads. It verifies everything that the fast path does not handle.
    public let payloads: SignedPayloadVerifier
    /// The verifier of app receipts, if any.
    public let receipts: ReceiptVerifier?
    let waiting: SharedResources
    /// The resources of calls that do not wait: a verdict that needs a revocation answer is
    /// `RevocationUnknown.pending`.
    let notWaiting: SharedResources
    let jobs: Int
    private let requests: CoalescedRequests<String, Result<VerifiedPayload, PayloadError>>
    let lineRequests: CoalescedRequests<LineRequest, LineAnswer>
    private let asksAboutRevocation: Bool

    /// Makes a batch verifier with the anchors and the policy of another verifier.
    ///
    /// - Parameters:
    ///   - payloads: the verifier of signed payloads; both share the cache of signers.
    ///   - receipts: verifies app receipts among the payloads; each becomes a payload of the kind `receipt`.
    ///     `nil` refuses receipts.
    ///   - engine: the code that verifies the signatures of busy keys.
    ///   - jobs: the maximum number of cores to use; at least 1.
    public init(
        _ payloads: SignedPayloadVerifier, receipts: ReceiptVerifier? = nil, engine: Engine = .auto,
        jobs: Int = .max
    ) {
        self.payloads = payloads
        self.receipts = receipts
        self.jobs = min(max(1, jobs), ProcessInfo.processInfo.activeProcessorCount)
        let context = BatchContext(payloads, receipts: receipts, engine: engine)
        waiting = SharedResources(context, jobs: self.jobs)
        asksAboutRevocation = payloads.revocation != nil || receipts?.revocation != nil
        notWaiting =
            asksAboutRevocation
            ? SharedResources(BatchContext(notWaiting: context), jobs: self.jobs) : waiting
        requests = CoalescedRequests(jobs: self.jobs)
        lineRequests = CoalescedRequests(jobs: self.jobs)
    }

    /// The state that the pipelines of all cores share, and the idle pipelines.
    struct SharedResources: Sendable {
        let context: BatchContext
        let pipelines: BatchPipelinePool

        init(_ context: BatchContext, jobs: Int) {
            self.context = context
            pipelines = BatchPipelinePool(maximumIdle: jobs)
        }
    }

    /// Why a faster engine is not in use, though the processor says that it can run it: a sentence for a log,
    /// without a full stop. It is `nil` almost always, and until a key is busy enough for the engine.
    ///
    /// Before its first verdict, the vector engine verifies known signatures, good and bad. Emulators,
    /// Valgrind and broken virtual machines may get these wrong. Then portable code takes over, and the
    /// verdicts are right.
    public var engineNote: String? { waiting.context.engineNote }

    /// The memory of the tables that keys have earned, in bytes.
    package var tableBytes: Int { waiting.context.budget.usedBytes }

    /// Verifies compact JWS (RFC 7515, section 7.1), or JSON objects around them as in `verify(line:)`.
    ///
    /// - Parameter tokens: any number of tokens.
    /// - Returns: one verdict for each token, in the same order.
    public func verify(_ tokens: [String]) -> [Result<VerifiedPayload, PayloadError>] {
        inShares(of: tokens.count) { verdicts(on: tokens, $0, waiting) }
    }

    /// Verifies one compact JWS, or a JSON object around one, together with the payloads of concurrent calls.
    /// This is for servers, where many requests bring one payload each.
    ///
    /// While a core is free, a payload is verified at once. Otherwise it waits for the payloads before it,
    /// and is verified together with up to 63 others. The delay is bounded: a batch gives its verdicts after
    /// 3 ms plus the judgement of one chain at the latest. If all signers are already known, it takes less
    /// than 1 ms. If a revocation answer is needed, the task is suspended until it comes.
    ///
    /// - Throws: `PayloadError`, as `SignedPayloadVerifier.verify(line:)` does.
    public func verify(_ token: String) async throws(PayloadError) -> VerifiedPayload {
        let verdict = await coalescedVerdict(on: token)
        guard verdict.failure?.awaitedCertificate != nil else { return try verdict.get() }
        return try await afterAnswers([verdict]) { _ in [await coalescedVerdict(on: token)] }[0].get()
    }

    private func coalescedVerdict(on token: String) async -> Result<VerifiedPayload, PayloadError> {
        await requests.verdict(on: token) { tokens, body in
            forEachVerdict(on: tokens, tokens.indices, notWaiting, body)
            return tokens.count
        }
    }

    /// Verifies an asynchronous sequence of payloads, each a compact JWS or a JSON object around one.
    ///
    /// Payloads are read ahead, at most 512 for each job. When a verdict is asked for, all payloads that have
    /// arrived are verified together, on all cores. No payload waits for later ones to arrive.
    ///
    /// - Returns: one verdict for each payload, in the same order.
    public func verdicts<Tokens>(on tokens: Tokens) -> VerdictSequence<Tokens> {
        VerdictSequence(tokens, self)
    }

    /// Verifies a buffer of lines that end in LF or CRLF, each a token or a JSON object around one.
    ///
    /// - Parameter text: the lines. The last one may lack its line ending. Empty lines are skipped.
    /// - Returns: for each line that is not empty, its number (from 1) and its verdict, in order.
    public func verify(
        lines text: [UInt8]
    ) -> [(line: Int, verdict: Result<VerifiedPayload, PayloadError>)] {
        var (lines, numbers): ([BatchLine], [Int]) = ([], [])
        if let packed = BatchLine(packed: text.span) { return [(1, verify([packed], of: text)[0])] }
        var scanner = LineScanner(payloads.policy.lineLimits)
        while let line = scanner.next(in: text.span, to: text.count, isAtEnd: true) {
            lines.append(line)
            numbers.append(scanner.number)
        }
        return zip(numbers, verify(lines, of: text)).map { ($0, $1) }
    }

    /// Verifies lines of a buffer. The verdicts are in the order of the lines.
    package func verify(
        _ lines: [BatchLine], of buffer: [UInt8]
    ) -> [Result<VerifiedPayload, PayloadError>] {
        inShares(of: lines.count) { verdicts(on: lines, $0, of: buffer, waiting) }
    }

    /// Has each core find the verdicts on a share of the payloads, and puts these together.
    private func inShares(
        of count: Int, _ verdicts: @Sendable (Range<Int>) -> [Result<VerifiedPayload, PayloadError>]
    ) -> [Result<VerifiedPayload, PayloadError>] {
        let shares = shares(of: count)
        guard shares.count > 1 else { return shares.first.map(verdicts) ?? [] }
        let results = Mutex(
            [[Result<VerifiedPayload, PayloadError>]](repeating: [], count: shares.count))
        DispatchQueue.concurrentPerform(iterations: shares.count) { index in
            let verdicts = verdicts(shares[index])
            results.withLock { $0[index] = verdicts }
        }
        return results.withLock { $0.flatMap(\.self) }
    }

    /// Verifies payloads on all cores, without blocking a task's thread.
    func verdicts(on tokens: [String]) async -> [Result<VerifiedPayload, PayloadError>] {
        let verdicts = await verdictsNow(on: tokens)
        guard asksAboutRevocation else { return verdicts }
        return await afterAnswers(verdicts) { places in await verdictsNow(on: places.map { tokens[$0] }) }
    }

    /// Waits for missing revocation answers, and then verifies the affected payloads again.
    private func afterAnswers(
        _ verdicts: [Result<VerifiedPayload, PayloadError>],
        _ again: ([Int]) async -> [Result<VerifiedPayload, PayloadError>]
    ) async -> [Result<VerifiedPayload, PayloadError>] {
        var verdicts = verdicts
        // An answer may expire as it arrives, if the responder's clock or ours is wrong. The limit ends the
        // loop.
        for _ in 0..<Self.maximumAnswers {
            let places = verdicts.indices.filter { verdicts[$0].failure?.awaitedCertificate != nil }
            if places.isEmpty { break }
            for certificate in Set(places.compactMap { verdicts[$0].failure?.awaitedCertificate }) {
                await payloads.revocation?.answer(about: certificate)
                await receipts?.revocation?.answer(about: certificate)
            }
            for (place, verdict) in zip(places, await again(places)) { verdicts[place] = verdict }
        }
        return verdicts
    }

    /// Enough for two certificates of each token in a notification (itself and its inner payloads), and some
    /// more.
    static let maximumAnswers = 16

    /// Verifies payloads on all cores, without waiting for revocation answers.
    private func verdictsNow(on tokens: [String]) async -> [Result<VerifiedPayload, PayloadError>] {
        let shares = shares(of: tokens.count)
        return await withTaskGroup(of: (Int, [Result<VerifiedPayload, PayloadError>]).self) { group in
            for (index, share) in shares.enumerated() {
                group.addTask { (index, verdicts(on: tokens, share, notWaiting)) }
            }
            var results = [[Result<VerifiedPayload, PayloadError>]](repeating: [], count: shares.count)
            for await (index, verdicts) in group { results[index] = verdicts }
            return results.flatMap(\.self)
        }
    }

    /// Divides lines among the cores. Fewer than 32 lines are not worth dividing.
    private func shares(of count: Int) -> [Range<Int>] {
        let share = max(32, (count + jobs - 1) / jobs)
        return stride(from: 0, to: count, by: share).map { $0..<min($0 + share, count) }
    }

    private func verdicts(
        on lines: [BatchLine], _ range: Range<Int>, of buffer: [UInt8], _ resources: SharedResources
    ) -> [Result<VerifiedPayload, PayloadError>] {
        var verdicts: [Result<VerifiedPayload, PayloadError>] = []
        verdicts.reserveCapacity(range.count)
        forEachVerdict(on: lines, range, of: buffer, resources) { verdicts.append($1) }
        return verdicts
    }

    private func verdicts(
        on tokens: [String], _ range: Range<Int>, _ resources: SharedResources
    ) -> [Result<VerifiedPayload, PayloadError>] {
        var verdicts: [Result<VerifiedPayload, PayloadError>] = []
        verdicts.reserveCapacity(range.count)
        forEachVerdict(on: tokens, range, resources) { verdicts.append($1) }
        return verdicts
    }

    /// How many bytes of tokens are copied at a time: with their results, they stay in the core's cache.
    private static let copiedBytes = 3 << 18

    /// Verifies payloads on one core. The body gets each one's index and verdict, in order.
    private func forEachVerdict(
        on tokens: [String], _ range: Range<Int>, _ resources: SharedResources,
        _ body: (Int, Result<VerifiedPayload, PayloadError>) -> Void
    ) {
        var (lines, buffer): ([BatchLine], [UInt8]) = ([], [])
        var next = range.lowerBound
        while next < range.upperBound {
            let first = next
            lines.removeAll(keepingCapacity: true)
            buffer.removeAll(keepingCapacity: true)
            repeat {
                let start = buffer.count
                buffer.append(contentsOf: tokens[next].utf8)
                lines.append(.content(start..<buffer.count))
                next += 1
            } while next < range.upperBound && buffer.count + tokens[next].utf8.count <= Self.copiedBytes
            forEachVerdict(on: lines, lines.indices, of: buffer, resources) { body(first + $0, $1) }
        }
    }

    /// Verifies lines on one core. The body gets each line's index and verdict, in order.
    private func forEachVerdict(
        on lines: [BatchLine], _ range: Range<Int>, of buffer: [UInt8], _ resources: SharedResources,
        _ body: (Int, Result<VerifiedPayload, PayloadError>) -> Void
    ) {
        resources.pipelines.withPipeline(resources.context) { pipeline in
            var next = range.lowerBound
            while next < range.upperBound {
                next = pipeline.verify(lines, from: next, to: range.upperBound, of: buffer.span) {
                    index, verdict, results in
                    switch verdict {
                    case .batched(let payload):
                        body(index, .success(results.verifiedPayload(payload, of: buffer.span)))
                    case .verified(let payload): body(index, .success(payload))
                    case .failed(let error): body(index, .failure(error))
                    case .refused(let chain): body(index, .failure(chain.error))
                    }
                }
            }
        }
    }
}
