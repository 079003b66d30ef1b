internal import P256Verification

/// The state that the workers of a batch share.
package final class BatchContext: Sendable {
    let verifier: SignedPayloadVerifier
    /// Verifies lines that hold app receipts; `nil` if receipts are refused.
    let receipts: ReceiptVerifier?
    let maximumTokenBytes: Int
    let engine: BatchVerifier.Engine
    let budget: TableBudget
    let judge: Judge
    private let lazySignatures: LazyVerifier

    package init(
        _ verifier: SignedPayloadVerifier, receipts: ReceiptVerifier?, engine: BatchVerifier.Engine
    ) {
        self.verifier = verifier
        judge = verifier.judge
        maximumTokenBytes = verifier.policy.maximumTokenBytes
        self.receipts = receipts
        self.engine = engine
        budget = TableBudget()
        lazySignatures = LazyVerifier(engine)
    }

    /// A copy with the same tables, which does not wait for revocation answers.
    init(notWaiting other: BatchContext) {
        verifier = other.verifier.notWaiting
        judge = verifier.judge
        maximumTokenBytes = verifier.policy.maximumTokenBytes
        receipts = other.receipts?.notWaiting
        engine = other.engine
        budget = other.budget
        lazySignatures = other.lazySignatures
    }

    /// Whether keys can earn tables.
    var usesTables: Bool { engine != .libcrypto }

    /// The engine that verifies from tables. It makes the generator's table at first use.
    var signatures: P256Verifier { lazySignatures.verifier }

    /// See `BatchVerifier.engineNote`.
    package var engineNote: String? { lazySignatures.note }
}

/// An engine that is made at first use. The generator's table takes milliseconds to make, and a command that
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

    /// The engine's note, if the engine was made.
    var note: String? { made.present?.note }
}
