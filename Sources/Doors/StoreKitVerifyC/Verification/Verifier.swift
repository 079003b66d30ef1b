internal import CertificateChain
internal import Platform
internal import SignedPayloads
internal import Synchronization
internal import WireFormats

/// The object behind a caller's verifier.
final class Verifier: Sendable {
    let payloads: SignedPayloadVerifier
    let receipts: ReceiptVerifier
    /// The most threads of one call, the caller's own included.
    let jobs: Int
    var limits: LineLimits { payloads.policy.lineLimits }
    /// Shared by all pipelines: the caches of signers and of keys are in it.
    private let context: BatchContext
    private let pipelines: BatchPipelinePool
    private let revocation: RevocationChecker?

    /// - Throws: the status and a sentence, if a root or an option is not usable.
    init(_ options: VerifierOptions, roots: [[UInt8]]) throws(CallFailure) {
        var anchors: [TrustAnchor] = []
        revocation = options.revocation == .off ? nil : RevocationChecker(overHTTP: options.revocation)
        do throws(TrustAnchorError) {
            for root in roots { anchors += try TrustAnchor.certificates(in: root) }
            payloads = try SignedPayloadVerifier(
                anchors: roots.isEmpty ? [.appleRootCAG3] : anchors, policy: options.policy,
                revocation: revocation)
            receipts = try ReceiptVerifier(
                anchors: roots.isEmpty ? [.appleRootCA] : anchors, policy: options.policy,
                revocation: revocation)
        } catch {
            throw CallFailure(.invalidRoot, "\(error)")
        }
        jobs = options.jobs
        context = BatchContext(payloads, receipts: receipts, engine: options.engine)
        pipelines = BatchPipelinePool(maximumIdle: jobs)
    }

    /// No call is in progress here: a call keeps the verifier.
    deinit { revocation?.close() }

    /// Verifies lines of a buffer on this thread. The body gets each one's index, its verdict and the batch, in order.
    func forEachVerdict(
        on tokens: Range<Int>, of buffer: Span<UInt8>, _ line: (Int) -> BatchLine,
        body: (Int, LineVerdict, borrowing BatchResults) -> Void
    ) {
        pipelines.withPipeline(context) { pipeline in
            var lines: [BatchLine] = []
            var next = tokens.lowerBound
            while next < tokens.upperBound {
                let first = next
                lines.removeAll(keepingCapacity: true)
                for index in first..<min(first + BatchPipeline.maximumLines, tokens.upperBound) {
                    lines.append(line(index))
                }
                next += pipeline.verify(lines, from: 0, to: lines.count, of: buffer) {
                    body(first + $0, $1, $2)
                }
            }
        }
    }

    /// Has threads work on shares of something, and puts the results together in order.
    ///
    /// One share is done on the caller's own thread. Others start threads as they are needed, which end
    /// before the call does.
    ///
    /// - Parameters:
    ///   - bounds: where shares begin and end, one more than there are shares.
    ///   - work: makes the result of a share. It must not refer to anything that another thread changes.
    func inShares<Share: Sendable>(
        between bounds: [Int], _ work: @escaping @Sendable (Range<Int>) -> Share
    ) -> [Share] {
        guard bounds.count > 2 else {
            return bounds.count < 2 ? [] : [work(bounds[0]..<bounds[1])]
        }
        let shares = Mutex<(next: Int, results: [Share?])>(
            (0, Array(repeating: nil, count: bounds.count - 1)))
        Threads.run(jobs) { _, callAnother in
            while true {
                let share = shares.withLock { state in
                    defer { state.next += 1 }
                    return state.next
                }
                guard share < bounds.count - 1 else { return }
                if share + 1 < bounds.count - 1 { callAnother() }
                let result = work(bounds[share]..<bounds[share + 1])
                shares.withLock { $0.results[share] = result }
            }
        }
        return shares.withLock { $0.results.compactMap(\.self) }
    }
}

extension VerifierOptions {
    /// Reads a caller's JSON object.
    ///
    /// - Throws: the status and a sentence, if an option is not usable.
    init(callerGave json: Span<UInt8>) throws(CallFailure) {
        do throws(OptionsError) {
            try self.init(json: json)
        } catch {
            throw CallFailure(.invalidOptions, error.description)
        }
    }
}
