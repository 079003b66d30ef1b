#if SQLite
    internal import SignedPayloads

    /// Verifies payloads again that were verified when the file accepted them.
    ///
    /// The file may have been changed, and a certificate revoked: both are found. But a responder that does not answer
    /// says nothing about a payload that was accepted, so an outage takes nothing from a customer. And the app and the
    /// environment of a purchase are not one payload's to tell: a payload of before 2022 names no environment. So payloads of
    /// all of them pass, and the purchases are selected by `PurchaseHistory.selected(by:)`.
    struct AcceptedVerifier: Sendable {
        private let batch: BatchVerifier
        private let withoutIdentity: BatchVerifier?
        private let withoutRevocation: BatchVerifier?

        init(_ batch: BatchVerifier) {
            self.batch = batch
            let payloads = batch.payloads.withoutIdentity
            withoutIdentity =
                batch.payloads.policy == payloads.policy ? nil : BatchVerifier(payloads, jobs: 1)
            withoutRevocation =
                payloads.revocation == nil ? nil : BatchVerifier(payloads.withoutRevocation, jobs: 1)
        }

        var payloads: SignedPayloadVerifier { batch.payloads }

        /// One verdict for each token, in the same order.
        func verify(_ tokens: [String]) -> [Result<VerifiedPayload, PayloadError>] {
            var verdicts = batch.verify(tokens)
            func again(by verifier: BatchVerifier?, where isOpen: (PayloadError) -> Bool) {
                guard let verifier else { return }
                let places = verdicts.indices.filter {
                    if case .failure(let error) = verdicts[$0] { isOpen(error) } else { false }
                }
                for (place, verdict) in zip(places, verifier.verify(places.map { tokens[$0] })) {
                    verdicts[place] = verdict
                }
            }
            again(by: withoutIdentity) { $0.isOfOtherIdentity }
            again(by: withoutRevocation) { $0.code == .revocationUnknown }
            return verdicts
        }
    }
#endif
