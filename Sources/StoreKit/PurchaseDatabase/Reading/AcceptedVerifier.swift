#if SQLite
    internal import SignedPayloads

    /// Verifies payloads again that were verified when the file accepted them.
    ///
    /// The file may have been changed, and a certificate revoked: both are found. But a responder that does not answer
    /// says nothing about a payload that was accepted, so an outage takes nothing from a customer.
    struct AcceptedVerifier: Sendable {
        private let batch: BatchVerifier
        private let withoutRevocation: BatchVerifier?

        init(_ batch: BatchVerifier) {
            self.batch = batch
            withoutRevocation =
                batch.payloads.revocation == nil
                ? nil : BatchVerifier(batch.payloads.withoutRevocation, jobs: 1)
        }

        var payloads: SignedPayloadVerifier { batch.payloads }

        /// One verdict for each token, in the same order.
        func verify(_ tokens: [String]) -> [Result<VerifiedPayload, PayloadError>] {
            var verdicts = batch.verify(tokens)
            guard let withoutRevocation else { return verdicts }
            let unknown = verdicts.indices.filter {
                if case .failure(let error) = verdicts[$0] { error.code == .revocationUnknown } else { false }
            }
            for (index, verdict) in zip(unknown, withoutRevocation.verify(unknown.map { tokens[$0] })) {
                verdicts[index] = verdict
            }
            return verdicts
        }
    }
#endif
