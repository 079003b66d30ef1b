internal import P256Verification

/// The state that the workers of a batch share.
package final class BatchContext: Sendable {
    let verifier: SignedPayloadVerifier
    /// Verifies lines that hold app receipts; `nil` if receipts are refused.
    let receipts: ReceiptVerifier?
    let engine: BatchVerifier.Engine
    let budget: TableBudget
    let plainPolicy: PlainPolicy
    private let lazySignatures: LazyVerifier

    package init(
        _ verifier: SignedPayloadVerifier, receipts: ReceiptVerifier?, engine: BatchVerifier.Engine
    ) {
        self.verifier = verifier
        self.receipts = receipts
        self.engine = engine
        budget = TableBudget()
        plainPolicy = PlainPolicy(verifier.policy)
        lazySignatures = LazyVerifier(engine)
    }

    /// A copy with the same tables, which does not wait for revocation answers.
    init(notWaiting other: BatchContext) {
        verifier = other.verifier.notWaiting
        receipts = other.receipts?.notWaiting
        engine = other.engine
        budget = other.budget
        plainPolicy = other.plainPolicy
        lazySignatures = other.lazySignatures
    }

    /// Whether keys can earn tables.
    var usesTables: Bool { engine != .libcrypto }

    /// The engine that verifies from tables. It makes the generator's table at first use.
    var signatures: P256Verifier { lazySignatures.verifier }
}

/// An engine that is made at first use. The generator's table takes 15 ms to make, and a command that
/// verifies one token does not need it.
private final class LazyVerifier: Sendable {
    private let engine: P256Verifier.Engine?
    private let made = OnceCell<P256Verifier>()

    init(_ engine: BatchVerifier.Engine) {
        self.engine =
            switch engine {
            case .auto, .libcrypto: nil
            case .portable: .portable
            case .vector: .vector
            }
    }

    var verifier: P256Verifier { made.value { P256Verifier(engine: engine, generatorWindowBits: 12) } }
}

/// The part of a policy that can be checked on a plain payload at once.
struct PlainPolicy: Sendable {
    private let isDecidable: Bool
    private let environments: [[UInt8]]
    private let bundleIdentifiers: [[UInt8]]

    init(_ policy: VerificationPolicy) {
        isDecidable =
            policy.appAppleIdentifier == nil && policy.deviceIdentifier == nil && policy.effectiveDate == nil
        environments = policy.environments.map { Array($0.rawValue.utf8) }
        bundleIdentifiers = policy.bundleIdentifiers.map { Array($0.utf8) }
    }

    /// Whether the payload certainly passes the policy.
    @inline(__always)
    func accepts(_ payload: PlainPayload, in text: Span<UInt8>) -> Bool {
        guard isDecidable else { return false }
        if !environments.isEmpty, !Self.contains(environments, payload.environment, in: text) { return false }
        guard !bundleIdentifiers.isEmpty, payload.kind.hasBundleIdentifier else { return true }
        return Self.contains(bundleIdentifiers, payload.bundleIdentifier, in: text)
    }

    private static func contains(_ accepted: [[UInt8]], _ range: Range<Int>?, in text: Span<UInt8>) -> Bool {
        guard let range else { return false }
        return accepted.contains { candidate in
            guard candidate.count == range.count else { return false }
            for offset in 0..<range.count where candidate[offset] != text[range.lowerBound + offset] {
                return false
            }
            return true
        }
    }
}
